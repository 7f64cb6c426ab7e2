// Live analysis of the current position.

import { live, type Lines } from "../api/live.svelte";
import { server } from "../server.svelte";
import { settings } from "../settings.svelte";
import { sideToMove } from "./fen";
import type { Tree } from "./tree.svelte";

/** The position after a null move. */
function afterNullMove(fen: string): string {
  const fields = fen.split(" ");
  fields[1] = sideToMove(fen) === "red" ? "b" : "w";
  return fields.join(" ");
}

export class Analysis {
  on: boolean = $state(false);
  /** Shows the opponent's threat: the best line after a null move. */
  threats: boolean = $state(false);
  /** The game is over in this position. */
  over: boolean = $state(false);
  lines: Lines | null = $state.raw(null);
  error: string | null = $state(null);
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Tracks the tree for the lifetime of the component. */
  follow() {
    // The limits of the server arrive when the first search runs already; it goes on unless they change it.
    const threads = $derived(Math.min(settings.threads, server.about.engines));
    const hash = $derived(Math.min(settings.hash, server.about.most_hash));
    $effect(() => {
      const node = this.#tree.here;
      const threats = this.threats;
      const options = {
        lines: settings.lines,
        threads,
        depth: settings.depth || undefined,
        hash: hash || undefined,
      };
      const game = threats ? { start: afterNullMove(node.fen), moves: [] } : this.#tree.game();
      this.lines = null;
      this.error = null;
      if (!this.on || (this.over && !threats)) return;
      const onlines = (lines: Lines) => {
        this.lines = lines;
        const best = lines.lines[0];
        if (threats || !best) return;
        if (!node.score || node.score.depth <= best.depth)
          node.score = { score: best.score, depth: best.depth };
      };
      const onrefused = (reason: string) => (this.error = reason);
      // Debounced, for stepping quickly through a game.
      let stop = () => {};
      const timer = setTimeout(() => (stop = live.analyse(game, options, onlines, onrefused)), 40);
      return () => {
        clearTimeout(timer);
        stop();
      };
    });
  }
}
