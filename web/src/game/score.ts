// Scores for people. All are Red's.

import type { ScoreJson } from "../api/types";

/** Scores beyond this are no evaluations: the repetition rules decide. */
const BY_RULE = 15_000;

/** `+0.8`, `-1.2`; `#3` and `#-3` for mates; a result where the rules of repetition give it. */
export function scoreText({ red, mate }: ScoreJson): string {
  if (mate !== null) return `#${mate}`;
  if (Math.abs(red) > BY_RULE) return red > 0 ? "1-0" : "0-1";
  const soldiers = (red / 100).toFixed(1);
  return red > 0 && soldiers !== "0.0" ? `+${soldiers}` : soldiers === "-0.0" ? "0.0" : soldiers;
}

/** What Red can expect of a game, 0 to 1. */
export function expectation({ chances: [win, draw] }: ScoreJson): number {
  return (win + draw / 2) / 1000;
}

const SIGNS: Record<number, string> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

/** The sign of a mark, if it has one. */
export function markSign(mark: number): string {
  return SIGNS[mark] ?? "";
}

/** The mark of a sign such as `?!`. */
export function markNumber(sign: string): number {
  return Number(Object.entries(SIGNS).find(([, known]) => known === sign)?.[0] ?? 0);
}
