// What the opening book knows of the position on the board, kept up to date as the board changes.

import { explore } from "../api/http";
import type { ExploredMove, ExploredPosition } from "../api/types";
import { samePlace, sideToMove } from "./fen";
import type { Tree } from "./tree.svelte";

export class Explorer {
  /** What was found last; it stays until the next answer so that the list does not flicker. */
  found: ExploredPosition | null = $state.raw(null);
  error: string | null = $state(null);
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Follows the tree as long as the component lives. */
  follow() {
    $effect(() => {
      const game = this.#tree.game();
      let stale = false;
      explore(game).then(
        (found) => {
          if (!stale) [this.found, this.error] = [found, null];
        },
        (failed: Error) => {
          if (!stale) this.error = failed.message;
        },
      );
      return () => (stale = true);
    });
  }

  /** What was found, if it is about the position on the board. */
  get here(): ExploredPosition | null {
    return this.found && samePlace(this.found.fen, this.#tree.here.fen) ? this.found : null;
  }
}

/** Shares of Red's wins, draws and Black's wins, in percent; nothing if no result is known. */
export function resultShares(move: ExploredMove, fen: string): [number, number, number] | null {
  const decided = move.wins + move.draws + move.losses;
  if (decided === 0) return null;
  const [wins, losses] = sideToMove(fen) === "red" ? [move.wins, move.losses] : [move.losses, move.wins];
  const share = (count: number) => (100 * count) / decided;
  return [share(wins), share(move.draws), share(losses)];
}

/** The engine's score of a move as Red sees it, in soldiers: `+0.32`. */
export function redScore(move: ExploredMove, fen: string): string {
  if (move.score === null) return "";
  const red = (sideToMove(fen) === "red" ? move.score : -move.score) / 100;
  return `${red > 0 ? "+" : ""}${red.toFixed(2)}`;
}
