#!/usr/bin/env python3
"""Trains a tiny evaluator on self-play shards: a logistic regression from pieces on points to the result, in NumPy.

Without shards it first plays a few fast games against itself, which shows how it goes but is far too little to learn
from: on games it has not seen it then does worse than "always a draw". 60,000 positions are enough for sensible piece
values, which are printed at the end.

Example: train_evaluator.py data/*.shard --epochs 5
"""

import argparse
import tempfile
from pathlib import Path

import chuhe
import numpy as np
from chuhe import arrays

KINDS = ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"]


def inputs(samples: "np.typing.NDArray[np.void]") -> "np.typing.NDArray[np.float32]":
    """Own pieces less the other side's, on their points as each side sees them: 7 × 90 numbers."""
    planes = arrays.planes(samples, mover=True).astype(np.float32)
    own, other = planes[:, :7], planes[:, 7:, ::-1, :]
    return (own - other).reshape(len(samples), -1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("shards", nargs="*", help="self-play shards; none: play some games first")
    parser.add_argument("--games", type=int, default=40, help="games to play without shards")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--most", type=int, default=200_000, help="samples of each shard")
    arguments = parser.parse_args()

    shards = arguments.shards
    if not shards:
        shard = Path(tempfile.mkdtemp()) / "own.shard"
        print(f"{chuhe.selfplay(shard, games=arguments.games, nodes=200, seed=1)} positions of {arguments.games} games")
        shards = [shard]
    samples = np.concatenate([next(arrays.iter_shard(path, arguments.most)) for path in shards])
    # Every tenth game is kept from training, whole: its positions share a result, so neighbours would give it away.
    games = np.cumsum(np.diff(samples["ply"].astype(np.int32), prepend=0) < 0)
    held_out = games % 10 == 0
    targets = (samples["result"].astype(np.float32) + 1) / 2
    weights, moments = np.zeros(7 * 90, np.float32), np.zeros(7 * 90, np.float32)
    chance = np.random.default_rng(1)

    def expected(part: "np.typing.NDArray[np.float32]") -> "np.typing.NDArray[np.float32]":
        return np.asarray(1 / (1 + np.exp(-part @ weights)), np.float32)

    test_inputs, test_targets = inputs(samples[held_out]), targets[held_out]
    learnt = np.flatnonzero(~held_out)
    for epoch in range(1, arguments.epochs + 1):
        for batch in np.array_split(chance.permutation(learnt), max(1, len(learnt) // 1024)):
            part = inputs(samples[batch])
            gradient = part.T @ (expected(part) - targets[batch]) / len(batch) + 1e-4 * weights
            moments = 0.99 * moments + 0.01 * gradient**2
            weights -= 0.02 * gradient / (np.sqrt(moments) + 1e-6)
        loss = float(np.mean((expected(test_inputs) - test_targets) ** 2))
        print(f"epoch {epoch}: mean squared error {loss:.4f} (always a draw: {np.mean((0.5 - test_targets) ** 2):.4f})")
    values = weights.reshape(7, 90)
    seen = np.abs(test_inputs).sum(0).reshape(7, 90)
    for kind, value, times in zip(KINDS, values, seen):
        print(f"{kind:<9} {np.average(value, weights=times + 1e-9):+.3f}")


if __name__ == "__main__":
    main()
