"""Boards and self-play shards as NumPy arrays, for people who train networks of their own.

>>> import chuhe
>>> from chuhe import arrays
>>> arrays.planes([chuhe.Board()]).shape
(1, 14, 10, 9)
"""

import os
from collections.abc import Iterable, Iterator
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Board

__all__ = ["SAMPLE", "board", "planes", "read_shard", "iter_shard", "sample", "squares", "write_shard"]

Path = Union[str, "os.PathLike[str]"]

SAMPLE: np.dtype[Any] = np.dtype(
    [("squares", "i1", (90,)), ("turn", "u1"), ("result", "i1"), ("score", "<i2"), ("ply", "<u2")]
)
"""A position of a self-play game.

``squares`` has the piece on each point from a0 to i9, rank by rank: 0 for none, 1 to 7 for Red's general, advisor,
elephant, horse, chariot, cannon and soldier, -1 to -7 for Black's. ``turn`` is 0 if Red is to move, 1 if Black is.
``score`` (centisoldiers) and ``result`` (1, 0, -1) are those of the side to move, ``ply`` counts from the start.
"""

_CODES = np.array([*range(1, 8), *range(-1, -8, -1)], dtype=np.int8)
_LETTERS = dict(zip(_CODES.tolist(), "KABNRCPkabnrcp"))


def squares(boards: Union[Board, Iterable[Board]]) -> npt.NDArray[np.int8]:
    """The pieces of one or more boards, of shape (boards, 90); see ``SAMPLE``.

    >>> import chuhe
    >>> from chuhe import arrays
    >>> arrays.squares([chuhe.Board()])[0, :9].tolist()
    [5, 4, 3, 2, 1, 2, 3, 4, 5]
    """
    boards = [boards] if isinstance(boards, Board) else boards
    return np.frombuffer(_core.squares(boards), dtype=np.int8).reshape(-1, 90)


def planes(positions: Union[Board, Iterable[Board], npt.NDArray[Any]], *, mover: bool = False) -> npt.NDArray[np.uint8]:
    """Feature planes of boards or samples, of shape (positions, 14, 10, 9): piece, rank from Red's bank, file.

    The planes are those of Red's general, advisor, elephant, horse, chariot, cannon and soldier, then Black's. With
    ``mover=True`` they are seen by the side to move: its pieces come first, and its bank is rank 0.

    >>> import chuhe
    >>> from chuhe import arrays
    >>> arrays.planes([chuhe.Board()])[0, 4].nonzero()[1].tolist()  # files of Red's chariots
    [0, 8]
    """
    if isinstance(positions, np.ndarray):
        if positions.dtype != SAMPLE:
            raise ValueError(f"an array of {positions.dtype} holds no samples")
        pieces, is_black = positions["squares"], positions["turn"] == 1
    else:
        boards = [positions] if isinstance(positions, Board) else list(positions)
        pieces = squares(boards)
        is_black = np.array([board.turn == _core.Side.BLACK for board in boards], dtype=bool)
    pieces = pieces.reshape(-1, 10, 9)
    if mover:
        pieces = np.where(is_black[:, None, None], -pieces[:, ::-1, :], pieces)
    found: npt.NDArray[np.uint8] = (pieces[:, None] == _CODES[None, :, None, None]).view(np.uint8)
    return found


def read_shard(path: Path) -> npt.NDArray[Any]:
    """The samples of a self-play shard as a structured array of ``SAMPLE``; damaged ones are left out.

    >>> import os, tempfile
    >>> import chuhe
    >>> from chuhe import arrays
    >>> path = os.path.join(tempfile.mkdtemp(), "tiny.shard")
    >>> arrays.write_shard(path, arrays.sample(chuhe.Board(), score=20, result=1, ply=0))
    1
    >>> arrays.read_shard(path)["score"].tolist()
    [20]
    """
    return np.frombuffer(_core.ShardReader(path).read(), dtype=SAMPLE)


def iter_shard(path: Path, chunk: int = 1 << 16) -> Iterator[npt.NDArray[Any]]:
    """The samples of a shard in arrays of at most ``chunk``, for shards that do not fit in memory."""
    reader = _core.ShardReader(path)
    while data := reader.read(chunk):
        yield np.frombuffer(data, dtype=SAMPLE)


def sample(board: Board, score: int, result: int, ply: int) -> npt.NDArray[Any]:
    """An array of one sample, to be concatenated with others and written by ``write_shard``."""
    made = np.zeros(1, dtype=SAMPLE)
    made["squares"] = squares([board])
    made["turn"] = board.turn == _core.Side.BLACK
    made["score"], made["result"], made["ply"] = score, result, ply
    return made


def board(sample: Any) -> Board:
    """The board of one sample, which is a row of an array of ``SAMPLE``. Its counters are those of a new game.

    >>> import chuhe
    >>> from chuhe import arrays
    >>> samples = arrays.sample(chuhe.Board(moves=["h2e2"]), score=20, result=1, ply=1)
    >>> arrays.board(samples[0]).piece_map() == chuhe.Board(moves=["h2e2"]).piece_map()
    True
    """
    codes = enumerate(sample["squares"].tolist())
    try:
        pieces = {square: _LETTERS[code] for square, code in codes if code}
    except KeyError as code:
        raise ValueError(f"{code} is no piece: expected -7 to 7") from None
    return Board.from_pieces(pieces, _core.Side.BLACK if sample["turn"] else _core.Side.RED)


def write_shard(path: Path, samples: npt.NDArray[Any]) -> int:
    """Appends samples to a shard that ``chuhe train`` reads; returns how many it holds now."""
    if samples.dtype != SAMPLE:
        raise ValueError(f"an array of {samples.dtype} holds no samples")
    return _core.write_shard(path, samples.tobytes())
