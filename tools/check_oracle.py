#!/usr/bin/env python3
"""Compares the legal moves of many positions with an outside judge.

Chuhe plays random games and prints every position with its moves; pyffish, the Python package of
Fairy-Stockfish, lists the moves of the same positions. Any difference is printed, and the exit code
is 1. `make check-oracle` runs this; pyffish is installed into tools/.venv when it is missing.

Example: tools/check_oracle.py --positions 100000 --seed 7
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "tools" / ".venv"
JUDGE = "pyffish==0.0.90"
SHOWN_DIFFERENCES = 10


def enter_venv():
    """Continues this script in the virtual environment, which is made first if there is none."""
    python = VENV / "bin" / "python"
    if Path(sys.prefix) == VENV:
        return
    if not python.exists():
        venv.create(VENV, with_pip=True)
    if subprocess.run([python, "-c", "import pyffish"], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", JUDGE], check=True)
    os.execv(python, [python, *sys.argv])


def positions(count, seed):
    """Yields (FEN, moves) as Chuhe sees them."""
    build = ["cargo", "build", "--release", "--quiet", "--package", "chuhe-board", "--example", "random_moves"]
    subprocess.run(build, cwd=ROOT, check=True)
    program = [ROOT / "target/release/examples/random_moves", "--positions", str(count), "--seed", str(seed)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            fen, moves = line.rstrip("\n").split(";")
            yield fen, moves.split()
    if process.returncode != 0:
        sys.exit(f"check_oracle: random_moves ended with exit code {process.returncode}")


def judge(position):
    """The position with the moves that the outside judge lists."""
    import pyffish

    fen, ours = position
    return fen, ours, pyffish.legal_moves("xiangqi", fen, [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=100_000, help="how many positions to compare")
    parser.add_argument("--seed", type=int, default=1, help="which random games to play")
    arguments = parser.parse_args()
    enter_venv()

    compared = moves_compared = lost = differences = 0
    with multiprocessing.Pool() as pool:
        work = positions(arguments.positions, arguments.seed)
        for fen, ours, theirs in pool.imap_unordered(judge, work, chunksize=200):
            compared += 1
            moves_compared += len(theirs)
            lost += not theirs
            if sorted(ours) != sorted(theirs):
                differences += 1
                if differences <= SHOWN_DIFFERENCES:
                    print(f"{fen}\n  only ours:   {sorted(set(ours) - set(theirs))}")
                    print(f"  only theirs: {sorted(set(theirs) - set(ours))}")
    print(f"{compared} positions, {moves_compared} moves, {lost} lost positions, {differences} differences")
    if differences or compared < arguments.positions:
        sys.exit(1)


if __name__ == "__main__":
    main()
