"""Chuhe (楚河): Xiangqi for Python.

A board that knows the rules, a referee that knows the repetition rules and says why, game records in every common
format, endgame tables, opening books, whole-game analysis, a game collection, and an engine in process. The names are
those of python-chess where they fit.

>>> import chuhe
>>> board = chuhe.Board()
>>> for move in ["炮二平五", "h9g7", "H2+3"]:
...     _ = board.push(move)
>>> board.fen()
'rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2'

``chuhe.banqi`` has the half-board dark game, ``chuhe.arrays`` boards and self-play shards as NumPy arrays.
"""

from collections.abc import Mapping

from ._core import (
    Board,
    Book,
    BookMove,
    Collection,
    Engine,
    Evaluation,
    Game,
    GameAnalysis,
    GameReader,
    GameSummary,
    Group,
    Headers,
    ImportReport,
    Limit,
    Line,
    Link,
    Move,
    MoveAnalysis,
    Network,
    Node,
    Opening,
    PlayResult,
    Reason,
    Score,
    SearchResult,
    Side,
    SideSummary,
    TableStatistics,
    TableValue,
    Tablebase,
    Term,
    Verdict,
    analyse,
    dump_games,
    feature_rows,
    judge,
    opening,
    parse_square,
    read_games,
    selfplay,
    square,
    square_file,
    square_name,
    square_rank,
    write_games,
)
from ._core import __version__ as __version__

Mapping.register(Headers)

RED = Side.RED
BLACK = Side.BLACK
STARTING_FEN = Board().fen()
SQUARES = range(90)
SQUARE_NAMES = [square_name(number) for number in SQUARES]

__all__ = [
    "BLACK",
    "Board",
    "Book",
    "BookMove",
    "Collection",
    "Engine",
    "Evaluation",
    "Game",
    "GameAnalysis",
    "GameReader",
    "GameSummary",
    "Group",
    "Headers",
    "ImportReport",
    "Limit",
    "Line",
    "Link",
    "Move",
    "MoveAnalysis",
    "Network",
    "Node",
    "Opening",
    "PlayResult",
    "RED",
    "Reason",
    "SQUARES",
    "SQUARE_NAMES",
    "STARTING_FEN",
    "Score",
    "SearchResult",
    "Side",
    "SideSummary",
    "TableStatistics",
    "TableValue",
    "Tablebase",
    "Term",
    "Verdict",
    "analyse",
    "dump_games",
    "feature_rows",
    "judge",
    "opening",
    "parse_square",
    "read_games",
    "selfplay",
    "square",
    "square_file",
    "square_name",
    "square_rank",
    "write_games",
]
