// Board coordinates: 100 units per point, Red's back rank at the bottom unless flipped.

export const FILES = 9;
export const RANKS = 10;
export const WIDTH = 100 * FILES;
export const HEIGHT = 100 * RANKS;
/** Space above and below for the file numbers. */
export const MARGIN = 38;

/** A point as `file + 9 * rank`: `a0` is 0, `i9` is 89. */
export type Point = number;

export const file = (point: Point): number => point % FILES;
export const rank = (point: Point): number => Math.floor(point / FILES);

export function pointNamed(name: string): Point {
  return name.charCodeAt(0) - 97 + FILES * Number(name.slice(1));
}

export function pointName(point: Point): string {
  return String.fromCharCode(97 + file(point)) + rank(point);
}

/** The two points of a move such as `h2e2`. */
export function ends(move: string): [Point, Point] {
  return [pointNamed(move.slice(0, 2)), pointNamed(move.slice(2, 4))];
}

export function center(point: Point, flipped: boolean): { x: number; y: number } {
  const column = flipped ? FILES - 1 - file(point) : file(point);
  const row = flipped ? rank(point) : RANKS - 1 - rank(point);
  return { x: 50 + 100 * column, y: 50 + 100 * row };
}

/** The point at SVG coordinates; null off the board. */
export function pointAt(x: number, y: number, flipped: boolean): Point | null {
  const column = Math.floor(x / 100);
  const row = Math.floor(y / 100);
  if (column < 0 || column >= FILES || row < 0 || row >= RANKS) return null;
  return flipped ? FILES - 1 - column + FILES * row : column + FILES * (RANKS - 1 - row);
}

/** Steps by columns and rows as seen on screen, clamped to the board. */
export function stepOnScreen(point: Point, columns: number, rows: number, flipped: boolean): Point {
  const sign = flipped ? -1 : 1;
  const to = Math.min(Math.max(file(point) + sign * columns, 0), FILES - 1);
  const up = Math.min(Math.max(rank(point) - sign * rows, 0), RANKS - 1);
  return to + FILES * up;
}
