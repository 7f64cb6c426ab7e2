"""Games: the tree, its formats, reading many."""

import copy
import io
import pickle
import random

import chuhe
import pytest

FORMATS = ["pgn", "xqf", "cbr", "cbl", "dhtmlxq", "cbf", "chn", "txt", "json"]
TREE = """[Event "全國賽"]
[Red "許銀川"]
[Black "呂欽"]
[Result "1-0"]

{開局} 1. 炮二平五 {當頭炮} (1. 兵七進一! 卒7進1 (1... 炮2平3 {應著})) 馬8進7 2. 馬二進三 車9平8 1-0
"""


def random_game(seed):
    chance = random.Random(seed)
    game = chuhe.Game()
    game.headers["Red"], game.result = f"甲{seed}", chance.choice(["1-0", "0-1", "1/2-1/2"])
    node = game.root
    for _ in range(chance.randrange(1, 60)):
        moves = node.board().legal_moves
        if not moves:
            break
        if chance.random() < 0.1:
            node.add_variation(chance.choice(moves), comment="變化")
        node = node.add_variation(chance.choice(moves), comment="註" if chance.random() < 0.2 else "")
    return game


def test_the_tree_of_a_pgn():
    game = chuhe.Game.from_pgn(TREE)
    assert dict(game.headers) == {"Event": "全國賽", "Red": "許銀川", "Black": "呂欽"}
    assert game.result == "1-0" and game.comment == "開局" and len(game) == 7
    assert [move.uci() for move in game.mainline_moves()] == ["h2e2", "h9g7", "h0g2", "i9h9"]
    first, other = game.variations
    assert first.comment == "當頭炮" and other.nags == [1] and not other.is_mainline()
    assert [node.text() for node in other.variations] == ["卒７進１", "炮２平３"] or len(other.variations) == 2
    assert game.end().board().fen() == chuhe.Board(moves=game.mainline_moves()).fen()
    assert game.end().parent.parent.parent == first and game.root.parent is None and game.root.move is None


def test_a_game_is_edited():
    game = chuhe.Game(chuhe.Board(moves=["h2e2"]))
    node = game.add_line(["h9g7", "馬二進三"])
    node.comment, node.nags = "好", [3]
    node.comment = "更好"
    assert game.end() == node and node.comment == "更好" and node.nags == [3] and node.ply == 3
    with pytest.raises(ValueError, match="a0a9"):
        node.add_line(["i9h9", "a0a9"])
    assert node.is_end(), "an illegal line leaves the game as it was"
    with pytest.raises(ValueError, match="illegal"):
        node.add_variation("h0g2")
    with pytest.raises(ValueError, match="nag is 999"):
        node.nags = [999]
    game.headers["Red"] = "甲"
    del game.headers["Red"]
    assert len(game.headers) == 0
    with pytest.raises(KeyError):
        game.headers["Red"]
    with pytest.raises(ValueError, match="no good"):
        game.headers["no good"] = "x"
    with pytest.raises(ValueError, match="2-0"):
        game.result = "2-0"


def test_variations_are_promoted_and_left_out():
    game = chuhe.Game.from_pgn(TREE)
    reply = game.variations[1].variations[1]
    kept = game.without(game.variations[1])
    assert len(kept) == 4 and len(game) == 7 and kept.mainline_moves() == game.mainline_moves()
    assert kept.headers == game.headers and kept.comment == "開局" and kept.variations[0].comment == "當頭炮"
    reply.promote_to_main()
    assert game.end() == reply and reply.is_mainline() and reply.comment == "應著" and len(game) == 7
    assert game.next().next() == reply and game.variations[1].mainline_moves() == kept.mainline_moves()[1:]
    assert chuhe.Game.from_pgn(game.pgn()) == game
    with pytest.raises(ValueError, match="another game"):
        kept.without(reply)
    with pytest.raises(ValueError, match="start position"):
        game.without(game.root)


def test_open_files_and_texts_are_read(tmp_path):
    path = tmp_path / "tree.pgn"
    path.write_text(TREE, encoding="utf-8")
    with open(path, "rb") as binary, open(path, encoding="utf-8") as text:
        sources = [path, str(path), binary, text, io.StringIO(TREE), bytearray(TREE.encode()), TREE.encode()]
        assert all(list(chuhe.read_games(source)) == [chuhe.Game.from_pgn(TREE)] for source in sources)


def test_games_are_copied_and_pickled():
    game = chuhe.Game.from_pgn(TREE)
    for twin in [game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game)), chuhe.Game.from_json(game.json())]:
        assert twin == game
        twin.comment = "另一"
        assert twin != game


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_reads_back(name, tmp_path):
    for seed in range(12):
        game = random_game(seed)
        path = tmp_path / f"game{seed}.{name}"
        losses = game.write(path)
        (read,) = chuhe.read_games(path)
        assert read.mainline_moves() == game.mainline_moves()
        assert read.faults == []
        if not losses:
            assert read == game
        data = path.read_bytes()
        assert [found.mainline_moves() for found in chuhe.read_games(data, name)] == [game.mainline_moves()]
        assert game.to_bytes(name) == data or name in ("cbl", "cbr")


def test_styles_of_moves():
    game = chuhe.Game(chuhe.Board(moves=["h2e2"]))
    for style, text in [("coordinates", "h2e2"), ("iccs", "H2-E2"), ("wxf", "C2=5"), ("traditional", "炮二平五")]:
        assert text in game.pgn(style)
        assert chuhe.Game.from_pgn(game.pgn(style)).mainline_moves() == game.mainline_moves()


def test_a_large_library_is_read_lazily(tmp_path):
    games = [random_game(seed) for seed in range(40)] * 100
    path = tmp_path / "library.pgn"
    chuhe.write_games(path, games)
    assert path.stat().st_size > 1 << 20
    reader = chuhe.read_games(path)
    assert next(reader) == games[0]
    assert [len(game) for game in reader] == [len(game) for game in games[1:]]
    # Dropped in the middle, the reader ends.
    for _ in range(20):
        next(chuhe.read_games(path))


def test_a_bad_game_is_named_and_the_next_can_be_read():
    text = b"1-0\th2e2 h9g7\n0-1\th2e2 a0a9\n1-0\tc3c4\n"
    assert [game.faults == [] for game in chuhe.read_games(text)] == [True, False, True]
    reader = chuhe.read_games(text, strict=True)
    assert len(next(reader)) == 2
    with pytest.raises(ValueError, match="game 2, line 2.*a0a9"):
        next(reader)
    assert len(next(reader)) == 1
    assert next(reader, None) is None


def test_bad_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"No such file or directory: '.*nowhere.pgn'"):
        chuhe.read_games(tmp_path / "nowhere.pgn")
    with pytest.raises(ValueError, match="doc"):
        chuhe.read_games(b"", "doc")
    with pytest.raises(ValueError, match="out.doc"):
        chuhe.Game().write(tmp_path / "out.doc")
    with pytest.raises(OSError):
        chuhe.Game().write(tmp_path / "no" / "such" / "folder.pgn")
    with pytest.raises(ValueError, match="game 2"):
        chuhe.dump_games([chuhe.Game(), chuhe.Game()], "xqf")
    with pytest.raises(ValueError, match="mxq is read"):
        chuhe.Game().to_bytes("mxq")
    with pytest.raises(ValueError, match="XQF"):
        next(chuhe.read_games(b"nothing", "xqf"))


def test_the_same_records_as_cchess(tmp_path):
    cchess = pytest.importorskip("cchess")
    import contextlib

    readers = {"xqf": cchess.read_from_xqf, "cbr": cchess.read_from_cbr}
    for seed in range(15):
        game = random_game(seed)
        for name, read in readers.items():
            path = tmp_path / f"{seed}.{name}"
            game.write(path)
            with contextlib.redirect_stdout(io.StringIO()):
                theirs = read(str(path))
            lines = [[str(move) for move in line["moves"]] for line in theirs.dump_moves()]
            assert sorted(lines) == sorted(lines_of(game.root)), (seed, name)


def lines_of(node, before=()):
    """The lines of moves from the root to each leaf."""
    if node.is_end():
        return [list(before)]
    return [line for child in node.variations for line in lines_of(child, (*before, child.move.uci()))]
