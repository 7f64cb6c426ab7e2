// The current position: legal moves and the referee's verdict, from the server.

import { untrack } from "svelte";
import { positionView } from "../api/http";
import type { PositionView, MoveJson } from "../api/types";
import { settings, type Rules } from "../settings.svelte";
import { samePlace } from "./fen";
import { untilStale } from "../stale";
import type { Tree } from "./tree.svelte";

export class Position {
  /** Null while loading. */
  view: PositionView | null = $state.raw(null);
  error: string | null = $state(null);
  readonly #tree: Tree;
  /** The rules that the referee judges by. */
  readonly #rules: () => Rules | undefined;

  constructor(tree: Tree, rules: () => Rules | undefined = () => undefined) {
    this.#tree = tree;
    this.#rules = rules;
  }

  /** Tracks the tree for the lifetime of the component. */
  follow() {
    $effect(() => {
      void settings.language;
      const node = this.#tree.here;
      const game = this.#tree.game();
      if (untrack(() => this.view)?.fen !== node.fen) this.view = null;
      return untilStale(
        positionView(game, this.#rules()),
        (view) => ([this.view, this.error] = [view, null]),
        (error) => (this.error = error.message),
      );
    });
  }

  /** The legal moves of the current position; empty while loading and after the end. */
  get legal(): string[] {
    const view = this.view;
    if (!view || view.verdict.clause !== null || !samePlace(view.fen, this.#tree.here.fen)) return [];
    return view.moves.map((move) => move.move);
  }

  /** A legal move in every notation. */
  legalMove(move: string): MoveJson | undefined {
    return this.view?.moves.find((known) => known.move === move);
  }
}
