"""Referee, evaluation, tables, books, engine, analysis, collection, Banqi."""

import contextlib
import copy
import pickle
import sqlite3
import threading
import time

import chuhe
import pytest
from chuhe import banqi

CHASE = "3k5/9/9/6c2/9/9/9/6R2/9/5K3 b"
ROUND = ["g6h6", "g2h2", "h6g6", "h2g2"]
MATE = "3k5/9/9/9/9/9/9/9/4R4/4K4 w"


def test_a_perpetual_chase_loses_with_reasons():
    verdict = chuhe.judge(chuhe.Board(CHASE, ROUND * 2))
    assert (verdict.result, verdict.clause, verdict.offender) == ("0-1", "perpetual-chase", chuhe.RED)
    assert verdict.winner == chuhe.BLACK
    chase = [reason for reason in verdict.reasons if reason.nature == "chase"]
    assert {reason.side for reason in chase} == {chuhe.RED}
    assert chase[0].links[0].on == ("c", chuhe.parse_square("h6"))
    assert "長捉" in verdict.text("zh-Hant") and "长捉" in verdict.text("zh-Hans")
    assert chuhe.judge(chuhe.Board(CHASE, ROUND * 2), rules="computer").result == "1/2-1/2"
    assert chuhe.judge(chuhe.Board(CHASE, ROUND), fold=2).result == "0-1"
    assert chuhe.judge(chuhe.Game(chuhe.Board(CHASE, ROUND * 2))).clause == "perpetual-chase"


def test_the_evaluation_adds_up():
    for fen in [None, MATE, "2bak4/4a4/4b4/p3n3p/2r6/9/P3P3P/4C1N2/4A4/R1B1KAB2 b"]:
        found = chuhe.Evaluation(chuhe.Board(fen))
        assert found.red == sum(group.total for group in found.groups) + found.rounding + found.hard_to_win
        assert all(group.total == group.red - group.black for group in found.groups)
        assert found.side_to_move == (found.red if chuhe.Board(fen).turn == chuhe.RED else -found.red)
        assert set(found.sentences) == {"en", "zh-Hant", "zh-Hans"}
    start = chuhe.Evaluation(chuhe.Board())
    assert {term.side for group in start.groups for term in group.terms} == {chuhe.RED, chuhe.BLACK}
    assert start.network == chuhe.Network().evaluate(chuhe.Board())
    rows = [line.split() for line in str(start).splitlines()]
    assert rows[-2:] == [[f"{start.red:+}", "together"], [f"{start.network:+}", "the", "network"]]


def test_tables_know_the_shortest_mate():
    tables = chuhe.Tablebase()
    board = chuhe.Board(MATE)
    value = tables.probe(board)
    assert value.result == "win" and "KR-K" in tables
    while board.legal_moves:
        best, said = tables.probe_moves(board)[0]
        assert said.plies == tables.probe(board).plies
        board.push(best)
    assert board.ply() == value.plies and board.result() == "1-0"
    assert tables.probe(chuhe.Board()) is None and tables.probe_moves(chuhe.Board()) is None


def test_statistics_count_every_position():
    solved = chuhe.Tablebase.solve("KP-K")
    for side in [chuhe.RED, chuhe.BLACK]:
        found = solved.statistics("KP-K", side)
        assert found.positions == found.wins + found.draws + found.losses and found.wins > 0
        turned = solved.statistics("K-KP", side.opponent)
        assert (turned.losses, turned.positions) == (found.wins, found.positions)
        longest = chuhe.Board(found.longest_win_fen)
        assert solved.probe(longest).plies == found.longest_win
    with pytest.raises(ValueError, match="no table of KRR-K"):
        solved.statistics("KRR-K", chuhe.RED)


def test_a_book_knows_the_central_cannon():
    book = chuhe.Book()
    assert len(book) > 100 and chuhe.Board() in book and chuhe.Board(MATE) not in book
    known = {move.wxf: move for move in book.probe(chuhe.Board())}
    assert known["C2=5"].move == chuhe.Move("h2e2") and known["C2=5"].chinese == "炮二平五"
    assert book.choose(chuhe.Board(), "random", seed=4) == book.choose(chuhe.Board(), "random", seed=4)
    assert book.choose(chuhe.Board(MATE)) is None
    assert chuhe.opening(chuhe.Board(moves=["h2e2"])) is not None and chuhe.opening(chuhe.Board(MATE)) is None


def test_a_book_of_another_program_is_opened(tmp_path):
    """The SQLite books of BHGUI: a build without databases would refuse them."""
    path, key = tmp_path / "made.obk", chuhe.Board().key
    with contextlib.closing(sqlite3.connect(path)) as book, book:
        book.execute("CREATE TABLE bhobk(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo, vindex)")
        signed = key - (1 << 64) if key >= 1 << 63 else key
        book.execute("INSERT INTO bhobk VALUES (?, ?, 30, 5, 2, 1, 1, '', 0)", (signed, 0xAAA7))
    with chuhe.Book(path) as opened:
        (known,) = opened.probe(chuhe.Board())
    assert (known.move, known.count, known.wins, known.score) == (chuhe.Move("h2e2"), 8, 5, 30)


def test_an_engine_mates():
    with chuhe.Engine(hash=1) as engine:
        result = engine.play(chuhe.Board(MATE), chuhe.Limit(nodes=3000))
        assert result.score.mate > 0 and result.score.cp is None and result.move == result.pv[0]
        mated = engine.play(chuhe.Board("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b"), chuhe.Limit(depth=3))
        assert mated.move is None
        lines = engine.analyse(chuhe.Board(), chuhe.Limit(depth=5), multipv=4)
        assert [line.multipv for line in lines] == [1, 2, 3, 4]
        assert sorted((line.score for line in lines), reverse=True) == [line.score for line in lines]
        assert all(sum(line.wdl) in range(998, 1003) for line in lines)
        only = engine.play(chuhe.Board(), chuhe.Limit(depth=2), searchmoves=["a0a1"])
        assert only.move == chuhe.Move("a0a1")
        engine.new_game()
    with pytest.raises(ValueError, match="closed"):
        engine.play(chuhe.Board(), chuhe.Limit(depth=1))


def test_the_same_search_on_one_thread_is_repeatable():
    results = []
    for _ in range(2):
        with chuhe.Engine(hash=2, tablebase="none") as engine:
            result = engine.play(chuhe.Board(), chuhe.Limit(depth=6))
            results.append((result.nodes, result.move, int(result.score), result.pv))
    assert results[0] == results[1]


def test_a_callback_hears_every_line_and_may_stop():
    heard = []
    engine = chuhe.Engine(hash=1)
    engine.analyse(chuhe.Board(), chuhe.Limit(depth=6), callback=heard.append)
    assert heard[-1].depth == 6 and heard[-1].pv[0] in chuhe.Board().legal_moves

    def fail(line):
        raise KeyError(f"depth {line.depth}")

    with pytest.raises(KeyError, match="depth"):
        engine.analyse(chuhe.Board(), chuhe.Limit(time=600), callback=fail)


def test_engines_search_at_once_and_are_stopped():
    engines = [chuhe.Engine(hash=1) for _ in range(3)]
    results = []
    begun = threading.Barrier(4)

    def search(engine):
        begun.wait()
        results.append(engine.play(chuhe.Board(), chuhe.Limit(time=600)))

    threads = [threading.Thread(target=search, args=(engine,)) for engine in engines]
    for thread in threads:
        thread.start()
    begun.wait()
    # The searches run without the GIL, so this thread goes on; one that has not begun yet is stopped a moment later.
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.05)
        for engine in engines:
            engine.stop()
    assert len(results) == 3 and all(result.move in chuhe.Board().legal_moves for result in results)


def test_a_game_is_analysed():
    seen = []
    # Red gives a chariot away.
    board = chuhe.Board(moves=["a0a1", "h9g7", "a1d1", "g6g5", "d1d9"])
    game = chuhe.Game(board)
    analysis = chuhe.analyse(
        game, chuhe.Limit(nodes=3000), threads=2, hash=1, callback=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (6, 6) and len(analysis.moves) == 5
    assert analysis.moves[4].mark == "??" and analysis.moves[4].loss > 20 and analysis.red.blunders >= 1
    assert analysis.black.moves == 2 and analysis.verdict["en"].startswith("Undecided")
    assert 4 in analysis.annotated().end().nags
    assert chuhe.analyse(board, chuhe.Limit(nodes=50), hash=1).annotated().mainline_moves() == board.move_stack
    with pytest.raises(TypeError, match="Board or a Game, not int"):
        chuhe.analyse(5)
    assert '"moves"' in analysis.json() and "<html" in analysis.html()


def test_a_collection_finds_games(tmp_path):
    games = []
    for red, moves, result in [("許銀川", ["h2e2", "h9g7"], "1-0"), ("呂欽", ["c3c4", "g6g5"], "0-1")]:
        game = chuhe.Game(chuhe.Board(moves=moves))
        game.headers["Red"], game.result = red, result
        games.append(game)
    with chuhe.Collection(tmp_path / "games.db") as collection:
        assert collection.add(games).added == 2 and collection.add(games).same == 2
        chuhe.write_games(tmp_path / "more.pgn", [chuhe.Game(chuhe.Board(moves=["b0c2"]))])
        assert collection.import_records(tmp_path / "more.pgn").added == 1
        assert len(collection) == 3
        found = collection.search(player="許")
        assert found.total == 1 and found.games[0].result == "1-0"
        assert collection[found.games[0].id] == games[0]
        # The mirror image counts.
        assert collection.search(position=chuhe.Board(moves=["b2e2"])).total == 1
        assert len(collection.matching(result="0-1")) == 1
        assert [len(game) for game in collection] == [2, 2, 1]
        assert [summary.red for summary in found] == ["許銀川"] and len(found) == 1
        for query, culprit in [({"colour": 1}, "colour"), ({"material": "X"}, "X"), ({"result": "2"}, "2")]:
            with pytest.raises(ValueError, match=culprit):
                collection.search(**query)
        with pytest.raises(ValueError, match="no game 99"):
            collection[99]
    with pytest.raises(ValueError, match="closed"):
        len(collection)
    (tmp_path / "text.db").write_text("this is no database, whatever its name says")
    with pytest.raises(ValueError, match="text.db"):
        chuhe.Collection(tmp_path / "text.db")


def test_banqi_is_played_to_its_end():
    game, engine = banqi.Game(seed=11), banqi.Engine(hash=1)
    while game.end is None and len(game.moves) < 400:
        assert game.push(engine.play(game, chuhe.Limit(nodes=60)).move).split("(")[0] in game.moves[-1]
    plies = game.moves
    while game.moves:
        game.pop()
    assert game.position == banqi.Game().position
    for ply in plies:
        game.push(ply)
    told = banqi.Game()
    for ply in plies:
        told.push(ply)
    assert told.position == game.position and sum(banqi.Game().pool.values()) == 32
    for played in [game, told, banqi.Game("Kg6/8/8/8 r - 0", "foodchain")]:
        twin = pickle.loads(pickle.dumps(played))
        assert twin == played == copy.copy(played) and twin.moves == played.moves and twin.position == played.position
    assert game != told, "only one of them was dealt"
    taken = banqi.Game("Kg6/8/8/8 r - 0")
    taken.push("a1-b1")
    assert taken.end.winner == chuhe.RED and taken.end.reason == "all-taken" and taken.legal_moves == []
    with pytest.raises(ValueError, match="over"):
        engine.play(taken, chuhe.Limit(nodes=10))


@pytest.mark.parametrize(
    ("call", "culprit"),
    [
        (lambda: chuhe.judge(chuhe.Board(), rules="fide"), "fide"),
        (lambda: chuhe.judge(chuhe.Board(), fold=7), "fold is 7"),
        (lambda: chuhe.judge(chuhe.Board()).sentence("fr"), "fr"),
        (lambda: chuhe.Limit(depth=0), "depth is 0"),
        (lambda: chuhe.Limit(nodes=-5), "nodes is -5"),
        (lambda: chuhe.Limit(time=float("nan")), "time is NaN"),
        (lambda: chuhe.Engine(hash=0), "hash is 0"),
        (lambda: chuhe.Engine(threads=10**6), "threads is 1000000"),
        (lambda: chuhe.Engine(classical=True, network=chuhe.Network()), "network"),
        (lambda: chuhe.Engine(hash=1).play(chuhe.Board(), chuhe.Limit()), "bounds nothing"),
        (lambda: chuhe.Engine(hash=1).analyse(chuhe.Board(), chuhe.Limit(depth=1), multipv=0), "multipv is 0"),
        (lambda: chuhe.Engine(hash=1).play(chuhe.Board(), chuhe.Limit(depth=1), searchmoves=["a0a9"]), "a0a9"),
        (lambda: chuhe.Tablebase(metric="dtz"), "dtz"),
        (lambda: chuhe.Tablebase.solve("KQ-K"), "Q"),
        (lambda: chuhe.Book().choose(chuhe.Board(), "luck"), "luck"),
        (lambda: banqi.Game("nonsense"), "nonsense"),
        (lambda: banqi.Game(rules="chess"), "chess"),
        (lambda: banqi.Game().push("c2"), "c2"),
        (lambda: banqi.Game().push("z9"), "z9"),
        (lambda: chuhe.selfplay("shard", games=0), "games is 0"),
    ],
)
def test_bad_input_is_a_value_error_that_names_it(call, culprit):
    with pytest.raises(ValueError, match=culprit):
        call()


@pytest.mark.parametrize("part", [chuhe.Book, chuhe.Network, chuhe.Tablebase])
def test_a_missing_file_is_an_os_error(part, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        part(tmp_path / "nowhere")


@pytest.mark.parametrize("part", [chuhe.Book, chuhe.Network])
def test_a_damaged_file_is_a_value_error(part, tmp_path):
    (tmp_path / "damaged").write_bytes(bytes(range(256)))
    with pytest.raises(ValueError, match="damaged"):
        part(tmp_path / "damaged")
