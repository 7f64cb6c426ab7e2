// Starts in which one side gives pieces away (讓子).

import { pointNamed } from "../board/geometry";
import { squaresOf, START, writeFen } from "./fen";
import type { Side } from "./pieces";

export type Handicap = "none" | "horse" | "twoHorses" | "chariot" | "chariotHorse" | "twoChariots";

/** The points that are empty on Red's side. */
const MISSING: Record<Handicap, string[]> = {
  none: [],
  horse: ["b0"],
  twoHorses: ["b0", "h0"],
  chariot: ["a0"],
  chariotHorse: ["a0", "b0"],
  twoChariots: ["a0", "i0"],
};

export const HANDICAPS = Object.keys(MISSING) as Handicap[];

/** The start without the pieces that a side gives. */
export function handicapStart(handicap: Handicap, giver: Side): string {
  const squares = squaresOf(START);
  for (const name of MISSING[handicap]) {
    const point = pointNamed(name);
    // Black's pieces stand across the board, seen from his side.
    squares[giver === "red" ? point : 89 - point] = null;
  }
  return writeFen(squares, "red");
}
