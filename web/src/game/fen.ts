// Positions as text. The server knows the rules; here pieces are only read, moved and written.

import { ends, FILES, RANKS } from "../board/geometry";
import type { Side } from "./pieces";

export const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/** The letters of the pieces by point; see geometry. */
export type Squares = (string | null)[];

/** The pieces of a FEN; what is malformed stays empty. */
export function squaresOf(fen: string): Squares {
  const squares: Squares = new Array(FILES * RANKS).fill(null);
  const ranks = (fen.trim().split(/\s+/)[0] ?? "").split("/");
  ranks.slice(0, RANKS).forEach((text, index) => {
    let file = 0;
    for (const letter of text) {
      const empty = Number(letter);
      if (Number.isInteger(empty)) file += empty;
      else if (file < FILES) squares[FILES * (RANKS - 1 - index) + file++] = letter;
    }
  });
  return squares;
}

export function sideToMove(fen: string): Side {
  return fen.trim().split(/\s+/)[1] === "b" ? "black" : "red";
}

/** Whether two FENs are the same but for their counters. */
export function samePlace(one: string, other: string): boolean {
  return one.split(" ").slice(0, 2).join() === other.split(" ").slice(0, 2).join();
}

/** The number of the round, from 1. */
export function roundOf(fen: string): number {
  return Number(fen.trim().split(/\s+/)[5]) || 1;
}

/** The number of the half-move, counted like the rounds. */
export function plyOf(fen: string): number {
  return 2 * roundOf(fen) + (sideToMove(fen) === "black" ? 1 : 0);
}

export function writeFen(squares: Squares, side: Side, quiet = 0, round = 1): string {
  const ranks: string[] = [];
  for (let rank = RANKS - 1; rank >= 0; rank--) {
    let text = "";
    let empty = 0;
    for (let file = 0; file < FILES; file++) {
      const letter = squares[FILES * rank + file];
      if (letter) {
        text += (empty || "") + letter;
        empty = 0;
      } else {
        empty += 1;
      }
    }
    ranks.push(text + (empty || ""));
  }
  return `${ranks.join("/")} ${side === "red" ? "w" : "b"} - - ${quiet} ${round}`;
}

/** The FEN after a legal move. */
export function afterMove(fen: string, move: string): string {
  const squares = squaresOf(fen);
  const [from, to] = ends(move);
  const fields = fen.trim().split(/\s+/);
  const quiet = squares[to] ? 0 : (Number(fields[4]) || 0) + 1;
  const side = sideToMove(fen);
  squares[to] = squares[from] ?? null;
  squares[from] = null;
  return writeFen(
    squares,
    side === "red" ? "black" : "red",
    quiet,
    roundOf(fen) + (side === "black" ? 1 : 0),
  );
}
