#!/usr/bin/env python3
"""Referees a batch of games: what the rules say of each record, and where a record says something else.

Example: referee_batch.py games/*.pgn --rules cxa --language zh-Hant
"""

import argparse
from collections import Counter

import chuhe


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("records", nargs="+", help="files in any record format")
    parser.add_argument("--rules", default="wxf", help="wxf, axf, cxa or computer")
    parser.add_argument("--language", default="en", help="en, zh-Hant or zh-Hans")
    arguments = parser.parse_args()

    clauses: Counter[str] = Counter()
    for path in arguments.records:
        for number, game in enumerate(chuhe.read_games(path), start=1):
            verdict = chuhe.judge(game, rules=arguments.rules)
            clauses[verdict.clause or "goes on"] += 1
            differs = verdict.result not in ("*", game.result)
            if verdict.reasons or differs:
                print(f"{path}, game {number}: {verdict.sentence(arguments.language)}")
                for reason in verdict.reasons:
                    print(f"  {reason.ply:>3}. {reason.move}  {reason.text(arguments.language)}")
            if differs:
                print(f"  the record says {game.result}, the referee {verdict.result}")
    for clause, count in clauses.most_common():
        print(f"{count:>6}  {clause}")


if __name__ == "__main__":
    main()
