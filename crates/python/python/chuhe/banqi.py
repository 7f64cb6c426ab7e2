"""Banqi (暗棋), the half-board dark game: rules and an engine.

>>> from chuhe import Limit, banqi
>>> game, engine = banqi.Game(seed=5), banqi.Engine(hash=1)
>>> while len(game.moves) < 6 and game.end is None:
...     _ = game.push(engine.play(game, Limit(nodes=200)).move)
>>> len(game.moves)
6
"""

from ._core import BanqiEnd as End
from ._core import BanqiEngine as Engine
from ._core import BanqiGame as Game
from ._core import BanqiResult as Result

__all__ = ["End", "Engine", "Game", "Result"]
