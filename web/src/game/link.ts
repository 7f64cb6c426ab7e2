// Links to games: the start as a short FEN, the moves packed to 13 bits each in base64url.

import { FILES, ends, pointName, RANKS } from "../board/geometry";
import type { Params } from "../route.svelte";
import { START } from "./fen";
import type { Tree } from "./tree.svelte";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const POINTS = FILES * RANKS;
/** Bits of a move: 90 × 90 < 2¹³. */
const BITS = 13;

/** Moves in coordinates as a short text. */
export function packMoves(moves: string[]): string {
  let text = "";
  let [rest, bits] = [0, 0];
  for (const move of moves) {
    const [from, to] = ends(move);
    rest = (rest << BITS) | (from * POINTS + to);
    for (bits += BITS; bits >= 6; bits -= 6) text += DIGITS[(rest >> (bits - 6)) & 63];
    rest &= (1 << bits) - 1;
  }
  return bits > 0 ? text + DIGITS[(rest << (6 - bits)) & 63] : text;
}

/** The moves of a packed text; null if it is malformed. */
export function unpackMoves(text: string): string[] | null {
  const moves: string[] = [];
  let [rest, bits] = [0, 0];
  for (const digit of text) {
    const value = DIGITS.indexOf(digit);
    if (value < 0) return null;
    rest = (rest << 6) | value;
    bits += 6;
    if (bits < BITS) continue;
    bits -= BITS;
    const code = rest >> bits;
    rest &= (1 << bits) - 1;
    if (code >= POINTS * POINTS) return null;
    moves.push(pointName(Math.floor(code / POINTS)) + pointName(code % POINTS));
  }
  return moves;
}

/** Counters of a fresh position; links leave them out. */
const FRESH = " - - 0 1";

/** A FEN for links: no spaces, no counters of a fresh position; empty for the start of the game. */
export function shortFen(fen: string): string {
  if (fen === START) return "";
  return (fen.endsWith(FRESH) ? fen.slice(0, -FRESH.length) : fen).replaceAll(" ", "_");
}

export function longFen(text: string): string {
  const fen = text.replaceAll("_", " ").trim();
  return fen === ""
    ? START
    : fen.split(" ").length <= 2
      ? `${fen}${fen.includes(" ") ? "" : " w"}${FRESH}`
      : fen;
}

/** The parameters of a link to the current line of a tree and the place in it. */
export function lineLink(tree: Tree): Params {
  const line = tree.line.flatMap((node) => (node.move ? [node.move.move] : []));
  const at = tree.here.ply;
  return {
    fen: shortFen(tree.root.fen),
    moves: packMoves(line),
    at: at === line.length ? null : at,
  };
}

export interface LinkedLine {
  start: string;
  moves: string[];
  /** The ply to show. */
  at: number;
}

/** The line of a link; null if it is malformed. */
export function linkedLine(params: URLSearchParams): LinkedLine | null {
  const moves = unpackMoves(params.get("moves") ?? "");
  if (!moves) return null;
  const at = params.has("at") ? Number(params.get("at")) : moves.length;
  return { start: longFen(params.get("fen") ?? ""), moves, at: Number.isInteger(at) ? at : moves.length };
}
