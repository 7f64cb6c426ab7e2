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

export type Judgement = "inaccuracy" | "mistake" | "blunder";

/** How much expectation a move may lose before it is called so. */
const LIMITS: [Judgement, number][] = [
  ["blunder", 0.3],
  ["mistake", 0.18],
  ["inaccuracy", 0.09],
];

/** The mark of PGN for a judgement. */
export const MARKS: Record<Judgement, number> = { inaccuracy: 6, mistake: 2, blunder: 4 };

/** What to call a move after which Red's expectation went from one score to the other. */
export function judgement(before: ScoreJson, after: ScoreJson, moverIsRed: boolean): Judgement | null {
  const change = expectation(after) - expectation(before);
  const loss = moverIsRed ? -change : change;
  return LIMITS.find(([, limit]) => loss >= limit)?.[0] ?? null;
}

const SIGNS: Record<number, string> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

/** The sign of a mark, if it has one. */
export function markSign(mark: number): string {
  return SIGNS[mark] ?? "";
}
