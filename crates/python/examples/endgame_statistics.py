#!/usr/bin/env python3
"""Statistics of an endgame: how often it is won, how long that takes, and the longest win played out.

Example: endgame_statistics.py KR-KAA
"""

import argparse

import chuhe


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("material", nargs="?", default="KR-KAA", help="such as KR-KAABB")
    material = parser.parse_args().material

    tables = chuhe.Tablebase()
    if material not in tables:
        print(f"no table of {material} is at hand: solving it")
        tables = chuhe.Tablebase.solve(material)
    longest = None
    for side in (chuhe.RED, chuhe.BLACK):
        found = tables.statistics(material, side)
        share = 100 * found.wins / found.positions
        print(f"{side}: {found.positions} positions, {share:.1f} % won", end="")
        print(f", in {found.mean_win:.1f} plies on average and {found.longest_win} at most" if found.wins else "")
        longest = longest or found.longest_win_fen
    if longest is None:
        return
    board = chuhe.Board(longest)
    print(f"\nThe longest win: {board.fen()}")
    while moves := tables.probe_moves(board):
        move, _ = moves[0]
        print(board.chinese(move), end=" ")
        board.push(move)
    print(f"\n{chuhe.judge(board).sentence()}")


if __name__ == "__main__":
    main()
