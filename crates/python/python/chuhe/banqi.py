"""Banqi (暗棋), the half-board dark game: rules and an engine.

>>> from chuhe import Limit, banqi
>>> game, engine = banqi.Game(seed=5), banqi.Engine(hash=1)
>>> while len(game.moves) < 6 and game.end is None:
...     _ = game.push(engine.play(game, Limit(nodes=200)).move)
>>> len(game.moves)
6
"""

from ._core import BanqiEnd, BanqiEngine, BanqiGame, BanqiResult

# The compiled names stay, because pickle looks classes up by them.
End = BanqiEnd
Engine = BanqiEngine
Game = BanqiGame
Result = BanqiResult

__all__ = ["End", "Engine", "Game", "Result"]
