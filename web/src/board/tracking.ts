// Matches pieces between positions, so that they slide.

import type { Point } from "./geometry";

export interface PlacedPiece {
  id: number;
  letter: string;
  point: Point;
}

let lastId = 0;

/** The pieces of the next position; moved pieces keep their ids. */
export function track(before: PlacedPiece[], after: (string | null)[]): PlacedPiece[] {
  const here = new Map(before.map((piece) => [piece.point, piece]));
  const result: PlacedPiece[] = [];
  const arrived: { letter: string; point: Point }[] = [];
  after.forEach((letter, point) => {
    if (letter === null) return;
    const known = here.get(point);
    if (known?.letter === letter) {
      result.push(known);
      here.delete(point);
    } else {
      arrived.push({ letter, point });
    }
  });
  const left = [...here.values()];
  for (const { letter, point } of arrived) {
    const index = left.findIndex((piece) => piece.letter === letter);
    const [moved] = index < 0 ? [] : left.splice(index, 1);
    result.push({ id: moved?.id ?? ++lastId, letter, point });
  }
  // A stable order keeps the DOM elements, which the transition needs.
  return result.sort((one, other) => one.id - other.id);
}
