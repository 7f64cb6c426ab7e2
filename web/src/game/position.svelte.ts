// What the server says about the position on the board, kept up to date as the board changes.

import { untrack } from "svelte";
import { positionView } from "../api/http";
import type { PositionView, SpelledMove } from "../api/types";
import { settings } from "../settings.svelte";
import type { Tree } from "./tree.svelte";

export class Position {
  /** Nothing while the answer is on its way. */
  view: PositionView | null = $state.raw(null);
  error: string | null = $state(null);
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Follows the tree as long as the component lives. */
  follow() {
    $effect(() => {
      void settings.language;
      const node = this.#tree.here;
      const game = this.#tree.game();
      let stale = false;
      if (untrack(() => this.view)?.fen !== node.fen) this.view = null;
      positionView(game).then(
        (view) => {
          if (stale) return;
          this.view = view;
          this.error = null;
        },
        (error: Error) => {
          if (!stale) this.error = error.message;
        },
      );
      return () => (stale = true);
    });
  }

  get legal(): string[] {
    const view = this.view;
    return view && view.verdict.clause === null ? view.moves.map((move) => move.move) : [];
  }

  /** A legal move with its names. */
  spelled(move: string): SpelledMove | undefined {
    return this.view?.moves.find((known) => known.move === move);
  }
}
