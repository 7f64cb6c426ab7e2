"""The board: moves, checks, notations, copies."""

import copy
import pickle
import random

import chuhe
import pytest


def random_boards(count, seed=1, plies=60):
    """Boards of random games, with their moves."""
    chance = random.Random(seed)
    while count > 0:
        board = chuhe.Board()
        for _ in range(plies):
            if count == 0 or not board.legal_moves:
                break
            board.push(chance.choice(board.legal_moves))
            yield board.copy()
            count -= 1


def test_perft_of_the_start():
    assert [chuhe.Board().perft(depth) for depth in range(4)] == [1, 44, 1920, 79666]
    assert sum(count for _, count in chuhe.Board().divide(3)) == 79666


def test_the_same_moves_and_checks_as_pyffish():
    pyffish = pytest.importorskip("pyffish")
    for board in random_boards(1500):
        fen = board.fen()
        theirs = pyffish.legal_moves("xiangqi", fen, [])
        assert sorted(move.uci(ranks=1) for move in board.legal_moves) == sorted(theirs), fen
        assert board.is_check() == pyffish.gives_check("xiangqi", fen, []), fen


def test_moves_are_taken_back():
    for board in random_boards(200, seed=2):
        end, moves = board.fen(), board.move_stack
        for move in reversed(moves):
            assert board.peek() == move
            assert board.pop() == move
        assert board == chuhe.Board() and board.ply() == 0
        assert chuhe.Board(moves=moves).fen() == end
    with pytest.raises(ValueError, match="no move to take back"):
        chuhe.Board().pop()


def test_every_notation_reads_back():
    for board in random_boards(150, seed=3):
        for move in board.legal_moves:
            texts = [move.uci(), move.iccs(), board.wxf(move), board.chinese(move), board.chinese(move, "simplified")]
            assert [board.parse_move(text) for text in texts] == [move] * 5
            assert board.parse_move(move.uci(ranks=1), ranks=1) == move


def test_copies_are_equal_and_apart():
    for board in random_boards(50, seed=4):
        for twin in [board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))]:
            assert twin == board and hash(twin) == hash(board) and twin.key == board.key
            assert twin.move_stack == board.move_stack
            twin.pop()
            assert twin != board
    assert len({chuhe.Board(), chuhe.Board(), chuhe.Board(moves=["h2e2"])}) == 2


def test_mate_and_stalemate_end_the_game():
    mate = chuhe.Board("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b")
    assert mate.is_check() and mate.is_checkmate() and not mate.is_stalemate()
    assert mate.result() == "1-0" and mate.is_game_over()
    stalemate = chuhe.Board("3k5/9/4P4/9/9/9/9/9/4K4/9 b")
    assert stalemate.is_stalemate() == (not stalemate.legal_moves)
    assert chuhe.Board().result() == "*"


def test_pieces_and_attackers():
    board = chuhe.Board()
    assert board.piece_at(chuhe.parse_square("h2")) == "C" and board.piece_at(chuhe.parse_square("e4")) is None
    assert len(board.piece_map()) == 32
    horse = chuhe.parse_square("h0")
    assert horse in board.attackers(chuhe.RED, chuhe.parse_square("g2"))
    assert board.gives_check("h2e2") is False and board.is_capture("h2h9")
    assert board.mirror().mirror() == board and board.across().turn == chuhe.BLACK
    assert board.oddities() == []


def test_a_board_is_set_up_from_its_pieces():
    for board in random_boards(60, seed=5):
        twin = chuhe.Board.from_pieces(board.piece_map(), board.turn)
        assert twin.fen().split()[:2] == board.fen().split()[:2] and twin.key == board.key
    generals = {4: "K", 84: "k"}
    for wrong, culprit in [({4: "K"}, "general"), ({**generals, 90: "R"}, "square is 90"), ({**generals, 1: "Q"}, "'Q'")]:
        with pytest.raises(ValueError, match=culprit):
            chuhe.Board.from_pieces(wrong)


def test_attacks_and_attackers_agree():
    for board in random_boards(40, seed=6):
        assert board.piece_at(board.king(chuhe.RED)) == "K" and [board.king(chuhe.BLACK)] == board.pieces("k")
        for square, letter in board.piece_map().items():
            side = chuhe.RED if letter.isupper() else chuhe.BLACK
            # Only facing generals attack without being able to take in the usual way.
            for goal in board.attacks(square):
                assert square in board.attackers(side, goal) and board.is_attacked_by(side, goal)
        assert all(move.to_square in board.attacks(move.from_square) for move in board.legal_moves if board.is_capture(move))
    assert chuhe.Board().attacks(chuhe.parse_square("e4")) == []


def test_moves_and_points_may_be_texts():
    board = chuhe.Board(moves="h2e2 馬8進7 H2+3")
    assert board.move_stack == [chuhe.Move(text) for text in ["h2e2", "h9g7", "h0g2"]]
    assert chuhe.Board().variation("h2e2 h9g7", "iccs") == ["H2-E2", "H9-G7"]
    assert board.piece_at("e2") == board.piece_at(chuhe.parse_square("e2")) == "C"
    assert board.attackers(chuhe.RED, "e6") == [chuhe.parse_square("e2")] and board.is_attacked_by(chuhe.RED, "e6")
    assert board.svg(arrows="i9h9 b2b8").count('class="arrow"') == 2


def test_a_repeated_position_is_counted_and_judged():
    board = chuhe.Board()
    for _ in range(2):
        assert board.outcome() is None and not board.is_repetition()
        for move in ["h0g2", "h9g7", "g2h0", "g7h9"]:
            board.push(move)
    assert board.is_repetition() and board.is_repetition(2) and not board.is_repetition(4)
    assert board.outcome().clause == "repetition" and board.outcome().result == board.result() == "1/2-1/2"


def test_sides_limits_and_scores_are_pickled():
    for thing in [chuhe.RED, chuhe.BLACK, chuhe.Move("h2e2"), chuhe.Limit(time=1.5, nodes=7), chuhe.Limit(black_clock=9.0)]:
        assert pickle.loads(pickle.dumps(thing)) == thing == copy.deepcopy(thing)
    for score in [chuhe.Score(cp=-31), chuhe.Score(mate=4), chuhe.Score(mate=-4), chuhe.Score(mate=0)]:
        twin = pickle.loads(pickle.dumps(score))
        assert (twin, int(twin), hash(twin)) == (score, int(score), hash(score))
    assert chuhe.Score(mate=4).mate == 4 and chuhe.Score(mate=-4).mate == -4 and chuhe.Score(mate=1) > chuhe.Score(mate=2)


def test_a_notebook_shows_the_board():
    svg = chuhe.Board(moves=["h2e2"])._repr_svg_()
    import xml.etree.ElementTree as xml

    root = xml.fromstring(svg)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("帥") == 1 and texts.count("卒") == 5
    assert svg.count('class="last"') == 2
    arrows = chuhe.Board().svg(orientation=chuhe.BLACK, arrows=[chuhe.Move("h2e2")], size=500)
    assert arrows.count('class="arrow"') == 1 and 'width="500"' in arrows


@pytest.mark.parametrize(
    ("call", "culprit"),
    [
        (lambda: chuhe.Board("9/9 w"), "9/9"),
        (lambda: chuhe.Board(""), "empty"),
        (lambda: chuhe.Board().push("h2e3"), "h2e3"),
        (lambda: chuhe.Board().push("馬二平五"), "馬二平五"),
        (lambda: chuhe.Board().push("\udc80"), "surrogates"),
        (lambda: chuhe.Board(moves=["h2e2", "x"]), "x"),
        (lambda: chuhe.Move("h2h2"), "h2h2"),
        (lambda: chuhe.Move("h2e2", ranks=5), "ranks is 5"),
        (lambda: chuhe.Move.between(0, 90), "square is 90"),
        (lambda: chuhe.square(9, 0), "file is 9"),
        (lambda: chuhe.square_name(-1), "square is -1"),
        (lambda: chuhe.square_name(10**30), "square is 9223372036854775807"),
        (lambda: chuhe.Board().perft(99), "depth is 99"),
        (lambda: chuhe.Board().wxf("a0a5"), "a0a5"),
        (lambda: chuhe.Board().chinese("h2e2", "latin"), "latin"),
        (lambda: chuhe.Board().variation(["h2e2", "h2e2"]), "h2e2"),
        (lambda: chuhe.Board().variation([], "latin"), "latin"),
        (lambda: chuhe.Board().result("fide"), "fide"),
        (lambda: chuhe.Board().svg(size=0), "size is 0"),
        (lambda: chuhe.Board().pieces("rook"), "'rook'"),
        (lambda: chuhe.Board().attacks(90), "square is 90"),
        (lambda: chuhe.Board().attacks("e10"), "e10"),
        (lambda: chuhe.Board(moves="h2e2 h2e2"), "h2e2"),
        (lambda: chuhe.read_games("a\0b"), "NUL"),
        (lambda: chuhe.Board().is_repetition(0), "count is 0"),
        (lambda: chuhe.Score(), "either cp or mate"),
        (lambda: chuhe.Score(mate=9999), "mate is 9999"),
    ],
)
def test_bad_input_is_a_value_error_that_names_it(call, culprit):
    with pytest.raises(ValueError, match=culprit):
        call()
