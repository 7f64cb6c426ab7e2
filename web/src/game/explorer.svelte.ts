// Opening explorer: the book moves of the current position.

import { explore } from "../api/http";
import type { ExploredMove, ExploredPosition } from "../api/types";
import { samePlace, sideToMove } from "./fen";
import { untilStale } from "../stale";
import type { Tree } from "./tree.svelte";

export class Explorer {
  /** The last answer; kept until the next one so that the list does not flicker. */
  found: ExploredPosition | null = $state.raw(null);
  error: string | null = $state(null);
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Tracks the tree for the lifetime of the component. */
  follow() {
    $effect(() => {
      return untilStale(
        explore(this.#tree.game()),
        (found) => ([this.found, this.error] = [found, null]),
        (error) => (this.error = error.message),
      );
    });
  }

  /** The last answer, if it is for the current position. */
  get here(): ExploredPosition | null {
    return this.found && samePlace(this.found.fen, this.#tree.here.fen) ? this.found : null;
  }
}

/** Percentages of Red's wins, draws and Black's wins; null without results. */
export function resultShares(move: ExploredMove, fen: string): [number, number, number] | null {
  const decided = move.wins + move.draws + move.losses;
  if (decided === 0) return null;
  const [wins, losses] = sideToMove(fen) === "red" ? [move.wins, move.losses] : [move.losses, move.wins];
  const share = (count: number) => (100 * count) / decided;
  return [share(wins), share(move.draws), share(losses)];
}

/** The score of a move from Red's side, in soldiers: `+0.32`. */
export function redScore(move: ExploredMove, fen: string): string {
  if (move.score === null) return "";
  const red = (sideToMove(fen) === "red" ? move.score : -move.score) / 100;
  return `${red > 0 ? "+" : ""}${red.toFixed(2)}`;
}
