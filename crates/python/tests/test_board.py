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
    ],
)
def test_bad_input_is_a_value_error_that_names_it(call, culprit):
    with pytest.raises(ValueError, match=culprit):
        call()
