"""Arrays: planes, shards."""

import chuhe
import pytest
from chuhe import arrays
from test_board import random_boards

np = pytest.importorskip("numpy")
LETTERS = "KABNRCPkabnrcp"


def test_planes_show_every_piece():
    boards = list(random_boards(60, seed=8))
    planes = arrays.planes(boards)
    assert planes.shape == (60, 14, 10, 9) and planes.dtype == np.uint8
    for board, found in zip(boards, planes):
        pieces = {int(rank * 9 + file): LETTERS[plane] for plane, rank, file in zip(*found.nonzero())}
        assert pieces == board.piece_map()


def test_the_mover_sees_its_own_pieces_first():
    for board in random_boards(20, seed=9):
        turned = board.across() if board.turn == chuhe.BLACK else board
        assert (arrays.planes([board], mover=True) == arrays.planes([turned])).all()


def test_a_shard_reads_back(tmp_path):
    boards = list(random_boards(300, seed=10))
    made = np.concatenate([arrays.sample(board, index - 150, index % 3 - 1, index) for index, board in enumerate(boards)])
    path = tmp_path / "made.shard"
    assert arrays.write_shard(path, made) == 300
    read = arrays.read_shard(path)
    assert read.dtype == arrays.SAMPLE and (read == made).all()
    assert (np.concatenate(list(arrays.iter_shard(path, 70))) == made).all()
    assert (arrays.planes(read) == arrays.planes(boards)).all()
    assert arrays.write_shard(path, made[:5]) == 305
    assert all(arrays.board(row).key == board.key for row, board in zip(read, boards))
    assert (arrays.planes(boards[0]) == arrays.planes(boards[:1])).all()


def test_selfplay_is_repeatable(tmp_path):
    counts = [chuhe.selfplay(tmp_path / name, games=2, nodes=60, seed=3) for name in "ab"]
    one, other = (arrays.read_shard(tmp_path / name) for name in "ab")
    assert counts[0] == counts[1] == len(one) and (one == other).all()
    assert set(one["result"]) <= {-1, 0, 1}


def test_bad_samples_are_named(tmp_path):
    good = arrays.sample(chuhe.Board(), 0, 0, 0)
    for field, value, culprit in [("turn", 7, "turn is 7"), ("result", 9, "result is 9"), ("squares", 0, "general")]:
        bad = good.copy()
        bad[field] = value
        with pytest.raises(ValueError, match=f"sample 1: .*{culprit}"):
            arrays.write_shard(tmp_path / "bad.shard", np.concatenate([good, bad]))
    with pytest.raises(ValueError, match="float64"):
        arrays.write_shard(tmp_path / "bad.shard", np.zeros(3))
    (tmp_path / "foreign").write_text("not a shard at all, but long enough for a header")
    with pytest.raises(ValueError, match="foreign"):
        arrays.read_shard(tmp_path / "foreign")
    with pytest.raises(FileNotFoundError):
        arrays.read_shard(tmp_path / "nowhere")


def test_feature_rows_follow_the_mover():
    own, other = chuhe.feature_rows(chuhe.Board(moves=["h2e2"]))
    assert len(own) == len(other) == 32 and own != other
