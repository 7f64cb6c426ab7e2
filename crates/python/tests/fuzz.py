#!/usr/bin/env python3
"""Random bytes, and damaged copies of good ones, at everything that reads: only a ValueError or an answer may come.

A crash ends the process; the seed that is printed from time to time repeats it. `tools/check-python` runs this.

Example: fuzz.py --seconds 600 --seed 7
"""

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import chuhe
from chuhe import arrays, banqi

FORMATS = ["pgn", "xqf", "cbr", "cbl", "dhtmlxq", "cbf", "chn", "txt", "json", "mxq", "ccm", "che", None]
GAME = chuhe.Game.from_pgn('[Red "甲"]\n{始} 1. 炮二平五 {當頭} (1. 兵七進一! 卒7進1) 馬8進7 2. 馬二進三 車9平8 1-0')
TEXTS = [
    chuhe.Board().fen(), "3k5/9/9/6c2/9/9/9/6R2/9/5K3 b", "h2e2", "H2-E2", "C2=5", "炮二平五", "前馬退二", "+n-1", "i9",
    "KR-KAABB", "1-0", "wxf", "zh-Hant", "dtm", "RNP rcp", "C@e2 n@g7 .@e3", "2014.06", "a1-b1", "c2(R)", "traditional",
    banqi.Game().position, "Kg6/8/8/8 r - 0", "olympiad", "best", "none",
]


class Fuzz:
    def __init__(self, seed, folder):
        self.chance = random.Random(seed)
        self.folder = folder
        self.good = [(name, GAME.to_bytes(name)) for name in FORMATS[:9] if name]
        self.board = chuhe.Board(moves=["h2e2", "h9g7", "h0g2"])
        self.book = chuhe.Book()
        shard = folder / "good.shard"
        chuhe.selfplay(shard, games=1, nodes=20, seed=1)
        self.shard = shard.read_bytes()[:4000]
        self.targets = [self.records, self.text, self.numbers, self.files, self.banqi, self.tree]

    def damaged(self, data):
        """A copy with some bytes changed, cut out or repeated."""
        data = bytearray(data)
        for _ in range(self.chance.randrange(1, 8)):
            at = self.chance.randrange(len(data) + 1)
            match self.chance.randrange(4):
                case 0:
                    data[at : at + 1] = self.chance.randbytes(1)
                case 1:
                    del data[at : at + self.chance.randrange(40)]
                case 2:
                    data[at:at] = data[at : at + self.chance.randrange(40)] * self.chance.randrange(4)
                case _:
                    data[at:at] = self.chance.randbytes(self.chance.randrange(12))
        return bytes(data)

    def some_text(self):
        if self.chance.random() < 0.3:
            return self.chance.choice(TEXTS)
        data = self.damaged(self.chance.choice(TEXTS).encode()) if self.chance.random() < 0.8 else self.chance.randbytes(40)
        return data.decode("utf-8", self.chance.choice(["replace", "ignore", "surrogateescape"]))

    def some_number(self):
        return self.chance.choice([0, 1, -1, 2, 3, 7, 89, 90, 255, 256, 2**31, 2**63, -(2**63), 10**30, self.chance.randrange(-100, 100)])

    def records(self):
        name, data = self.chance.choice(self.good)
        data = self.damaged(data) if self.chance.random() < 0.8 else self.chance.randbytes(self.chance.randrange(3000))
        chosen = name if self.chance.random() < 0.7 else self.chance.choice(FORMATS)
        for game in chuhe.read_games(data, chosen, strict=self.chance.random() < 0.3):
            chuhe.judge(game, rules=self.chance.choice(["wxf", "axf", "cxa", "computer"]))
            game.to_bytes(self.chance.choice(FORMATS[:9]))

    def text(self):
        board, text = self.board, self.some_text
        self.chance.choice([
            lambda: chuhe.Board(text()).legal_moves and chuhe.Evaluation(chuhe.Board(text())),
            lambda: chuhe.Board(text()).perft(1),
            lambda: board.copy().push(text()),
            lambda: board.variation([text(), text()], text()),
            lambda: board.wxf(text()),
            lambda: board.chinese(text(), text()),
            lambda: chuhe.Move(text()),
            lambda: board.pieces(text()),
            lambda: board.outcome(text()),
            lambda: chuhe.parse_square(text()),
            lambda: chuhe.judge(board, text()),
            lambda: chuhe.judge(board).text(text()),
            lambda: chuhe.Tablebase(None, text(), text()),
            lambda: text() in TABLES,
            lambda: self.book.choose(board, text()),
            lambda: chuhe.Game.from_pgn(text()),
            lambda: chuhe.Game.from_json(text()),
            lambda: self.book.probe(chuhe.Board(text())),
            lambda: TABLES.probe(chuhe.Board(text())),
            lambda: ENGINE.play(chuhe.Board(text()), chuhe.Limit(nodes=50)),
            lambda: chuhe.Board(text())._repr_svg_(),
        ])()

    def numbers(self):
        board, number = self.board, self.some_number
        self.chance.choice([
            lambda: chuhe.square(number(), number()),
            lambda: chuhe.square_name(number()),
            lambda: chuhe.Move.between(number(), number()),
            lambda: board.piece_at(number()),
            lambda: board.attacks(number()),
            lambda: chuhe.Board.from_pieces({number(): "K", number(): "k", number(): self.chance.choice("RNCPq")}),
            lambda: chuhe.Score(number(), None),
            lambda: chuhe.Score(mate=number()),
            lambda: board.is_repetition(number()),
            lambda: board.attackers(chuhe.RED, number()),
            lambda: board.svg(size=number()),
            lambda: chuhe.Limit(depth=number(), nodes=number(), mate=number()),
            lambda: chuhe.Limit(time=float(number()), red_clock=float(number())),
            lambda: chuhe.judge(board, fold=number()),
            lambda: chuhe.Engine(threads=-abs(number()), hash=1),
            lambda: self.book.choose(board, "random", number()),
            lambda: banqi.Game(seed=number()).push("a1"),
        ])()

    def files(self):
        path = self.folder / "damaged"
        path.write_bytes(self.damaged(self.shard) if self.chance.random() < 0.7 else self.chance.randbytes(500))
        self.chance.choice([
            lambda: arrays.read_shard(path), lambda: chuhe.Book(path), lambda: chuhe.Network(path), lambda: chuhe.Collection(path),
        ])()

    def banqi(self):
        game = banqi.Game(self.some_text()) if self.chance.random() < 0.5 else banqi.Game(seed=1)
        for _ in range(20):
            moves = game.legal_moves
            game.push(self.chance.choice(moves) if moves and self.chance.random() < 0.8 else self.some_text())

    def tree(self):
        game = GAME.copy()
        node = self.chance.choice(game.mainline())
        self.chance.choice([
            lambda: node.add_variation(self.some_text(), self.some_text(), [self.some_number()]),
            lambda: node.add_line([self.some_text(), self.some_text()]),
            lambda: game.headers.__setitem__(self.some_text(), self.some_text()),
            lambda: setattr(node, "comment", self.some_text()),
            lambda: setattr(game, "result", self.some_text()),
            lambda: node.promote_to_main(),
            lambda: game.without(node),
        ])()
        for name in FORMATS[:9]:
            game.to_bytes(name)


TABLES = chuhe.Tablebase()
ENGINE = chuhe.Engine(hash=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    calls = refused = 0
    seed = arguments.seed
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            fuzz = Fuzz(seed, Path(folder))
            # Known if the process dies within.
            Path(folder, "seed").write_text(str(seed))
            if calls == 0 or seed % 50 == 0:
                print(f"seed {seed}, {calls} calls", file=sys.stderr)
            for _ in range(500):
                calls += 1
                try:
                    fuzz.chance.choice(fuzz.targets)()
                except ValueError as error:
                    refused += 1
                    if not str(error):
                        sys.exit(f"seed {seed}: a ValueError without a message")
                except BaseException as error:
                    sys.exit(f"seed {seed}: {type(error).__name__}: {error}")
            for name in os.listdir(folder):
                os.unlink(os.path.join(folder, name))
            seed += 1
    print(f"{calls} calls with random input, {refused} refused with a ValueError, no other error and no crash")


if __name__ == "__main__":
    main()
