// What the endgame tables say of the position on the board, and the building of tables that are missing.

import { untrack } from "svelte";
import { buildTable, endgame, stopBuild, tableBuild } from "../api/http";
import type { BuildState, EndgameMove, EndgameValue, EndgameView } from "../api/types";
import { filled, words } from "../words/words.svelte";
import { samePlace, sideToMove } from "./fen";
import { other, type Side } from "./pieces";
import type { Tree } from "./tree.svelte";

/** More pieces than this are in no table; the server need not be asked. */
const MOST_PIECES = 12;
/** How often the progress of a build is asked for. */
const BETWEEN_LOOKS = 250;

export class Endgame {
  /** Nothing while the answer is on its way, or if there are too many pieces. */
  view: EndgameView | null = $state.raw(null);
  error: string | null = $state(null);
  /** The table that is being built for everybody. */
  build: BuildState | null = $state.raw(null);
  readonly #tree: Tree;
  /** Counts up when a table was built. */
  #tables = $state(0);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Follows the tree as long as the component lives. */
  follow() {
    $effect(() => {
      void this.#tables;
      const game = this.#tree.game();
      this.error = null;
      if (this.tooLarge) {
        this.view = null;
        return;
      }
      let stale = false;
      endgame(game).then(
        (view) => {
          if (!stale) this.view = view;
        },
        (failed: Error) => {
          if (!stale) [this.view, this.error] = [null, failed.message];
        },
      );
      return () => (stale = true);
    });
    $effect(() => {
      void untrack(() => this.#look());
      return () => clearTimeout(this.#timer);
    });
  }

  /** The answer for a position, if it is the one on the board. */
  get here(): EndgameView | null {
    const view = this.view;
    return view && samePlace(view.fen, this.#tree.here.fen) ? view : null;
  }

  /** Whether there are more pieces on the board than in any table. */
  get tooLarge(): boolean {
    return pieceCount(this.#tree.here.fen) > MOST_PIECES;
  }

  async start(name: string) {
    try {
      this.error = null;
      this.build = await buildTable(name);
      await this.#look();
    } catch (failed) {
      this.error = (failed as Error).message;
    }
  }

  async stop() {
    await stopBuild();
  }

  async #look() {
    clearTimeout(this.#timer);
    const was = this.build?.running ?? false;
    this.build = await tableBuild().catch(() => null);
    if (this.build?.running) this.#timer = setTimeout(() => void this.#look(), BETWEEN_LOOKS);
    else if (was) {
      this.#tables += 1;
      if (this.build?.error) this.error = this.build.error;
    }
  }
}

function pieceCount(fen: string): number {
  return (fen.split(" ")[0] ?? "").replace(/[^a-z]/gi, "").length;
}

/** The side that wins; nobody in a draw. */
export function winner(value: EndgameValue, fen: string): Side | null {
  const side = sideToMove(fen);
  return value.result === "draw" ? null : value.result === "win" ? side : other(side);
}

/** Moves of the winner to the end. */
export const movesToEnd = (plies: number): number => Math.ceil(plies / 2);

/** "Red wins in 17 moves". */
export function valueText(value: EndgameValue, fen: string): string {
  const side = winner(value, fen);
  if (side === null) return words.t.draw;
  const who = side === "red" ? words.t.redWins : words.t.blackWins;
  if (!value.plies) return who;
  return filled(words.t.winsInMoves, { who, n: movesToEnd(value.plies) });
}

/** What a move is worth to whoever plays it, in as few signs as possible: `+17`, `=`, `−8`. */
export function shortValue(value: EndgameValue): string {
  if (value.result === "draw") return "=";
  return `${value.result === "win" ? "+" : "−"}${movesToEnd(value.plies ?? 0)}`;
}

/** For the board: what each move is worth. */
export function hintsOf(moves: EndgameMove[]): Record<string, { kind: string; label: string }> {
  return Object.fromEntries(moves.map((move) => [move.move, { kind: move.result, label: shortValue(move) }]));
}
