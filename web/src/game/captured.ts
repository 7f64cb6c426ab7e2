// Captured pieces: what the start has and the position lacks.

import { squaresOf } from "./fen";
import { BLACK_LETTERS, RED_LETTERS, sideOf, type Side } from "./pieces";

/** The letters of a side's captured pieces, strongest first. */
export function capturedPieces(start: string, fen: string, side: Side): string[] {
  const count = (text: string, letter: string) => squaresOf(text).filter((piece) => piece === letter).length;
  const letters = side === "red" ? RED_LETTERS : BLACK_LETTERS;
  const order = ["R", "N", "C", "A", "B", "P"];
  return letters
    .filter((letter) => sideOf(letter) === side)
    .sort((one, other) => order.indexOf(one.toUpperCase()) - order.indexOf(other.toUpperCase()))
    .flatMap((letter) => Array<string>(Math.max(0, count(start, letter) - count(fen, letter))).fill(letter));
}
