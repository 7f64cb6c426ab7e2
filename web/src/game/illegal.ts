// Why a move is illegal, in words for the visitor. The server decides what is legal; this only explains.

import { file, pointName, rank, type Point } from "../board/geometry";
import { filled, words } from "../words/words.svelte";
import { sideToMove, squaresOf, type Squares } from "./fen";
import { sideOf, type Side } from "./pieces";

const point = (file: number, rank: number): Point => file + 9 * rank;

/** The pieces strictly between two points of a line. */
function between(squares: Squares, from: Point, to: Point): Point[] {
  const [dx, dy] = [Math.sign(file(to) - file(from)), Math.sign(rank(to) - rank(from))];
  const found: Point[] = [];
  for (let [x, y] = [file(from) + dx, rank(from) + dy]; point(x, y) !== to; x += dx, y += dy)
    if (squares[point(x, y)]) found.push(point(x, y));
  return found;
}

const inPalace = (at: Point, side: Side) =>
  file(at) >= 3 && file(at) <= 5 && (side === "red" ? rank(at) <= 2 : rank(at) >= 7);
const isAcross = (at: Point, side: Side) => (side === "red" ? rank(at) > 4 : rank(at) < 5);

/** Why the piece does not go there, checks aside; null if it does. */
function reasonByPiece(squares: Squares, from: Point, to: Point): string | null {
  const letter = squares[from]!;
  const side = sideOf(letter);
  const [dx, dy] = [Math.abs(file(to) - file(from)), Math.abs(rank(to) - rank(from))];
  const isStraight = dx === 0 || dy === 0;
  const at = (blocker: Point) => ({ at: pointName(blocker) });
  const middle = point((file(from) + file(to)) / 2, (rank(from) + rank(to)) / 2);
  switch (letter.toUpperCase()) {
    case "K":
      if (dx + dy !== 1) return words.t.whyGeneral;
      return inPalace(to, side) ? null : words.t.whyPalace;
    case "A":
      if (dx !== 1 || dy !== 1) return words.t.whyAdvisor;
      return inPalace(to, side) ? null : words.t.whyPalace;
    case "B":
      if (dx !== 2 || dy !== 2) return words.t.whyElephant;
      if (isAcross(to, side)) return words.t.whyRiver;
      return squares[middle] ? filled(words.t.whyEye, at(middle)) : null;
    case "N": {
      if (dx * dy !== 2) return words.t.whyHorse;
      const leg =
        dx === 2
          ? point((file(from) + file(to)) / 2, rank(from))
          : point(file(from), (rank(from) + rank(to)) / 2);
      return squares[leg] ? filled(words.t.whyLeg, at(leg)) : null;
    }
    case "R": {
      if (!isStraight) return words.t.whyChariot;
      const [blocker] = between(squares, from, to);
      return blocker === undefined ? null : filled(words.t.whyBlocked, at(blocker));
    }
    case "C": {
      if (!isStraight) return words.t.whyCannon;
      const screens = between(squares, from, to);
      if (squares[to]) return screens.length === 1 ? null : words.t.whyScreen;
      return screens[0] === undefined ? null : filled(words.t.whyBlocked, at(screens[0]));
    }
    default: {
      const ahead = (side === "red" ? 1 : -1) * (rank(to) - rank(from));
      if (dx + dy !== 1 || ahead < 0) return words.t.whySoldier;
      return dx === 1 && !isAcross(from, side) ? words.t.whySoldierRiver : null;
    }
  }
}

/** Why a move of the side to move is illegal. */
export function whyIllegal(fen: string, from: Point, to: Point, isInCheck: boolean): string {
  const squares = squaresOf(fen);
  const target = squares[to];
  const side = sideToMove(fen);
  if (!squares[from] || sideOf(squares[from]) !== side) return words.t.whyNotYours;
  if (target && sideOf(target) === side) return words.t.whyOwn;
  const reason = reasonByPiece(squares, from, to);
  if (reason) return reason;
  const after = [...squares];
  after[to] = after[from]!;
  after[from] = null;
  const [red, black] = [after.indexOf("K"), after.indexOf("k")];
  if (red >= 0 && black >= 0 && file(red) === file(black) && between(after, red, black).length === 0)
    return words.t.whyFacing;
  return isInCheck ? words.t.whyStillCheck : words.t.whyIntoCheck;
}
