// Endgame tables: values of the current position, and building missing tables.

import { untrack } from "svelte";
import { buildTable, endgame, said, stopBuild, tableBuild } from "../api/http";
import type { BuildState, EndgameMove, EndgameValue, EndgameView } from "../api/types";
import type { Rules } from "../settings.svelte";
import { untilStale } from "../stale";
import { filled, words } from "../words/words.svelte";
import { samePlace, sideToMove } from "./fen";
import { other, type Side } from "./pieces";
import type { Tree } from "./tree.svelte";

/** No table has more pieces. */
const MAX_PIECES = 12;
/** Polling interval of a build, in milliseconds. */
const POLL_INTERVAL = 250;

export class Endgame {
  /** Null while loading, or with too many pieces. */
  view: EndgameView | null = $state.raw(null);
  error: string | null = $state(null);
  /** The table being built; there is one build for all visitors. */
  build: BuildState | null = $state.raw(null);
  readonly #tree: Tree;
  /** The rules of repetition that values are asked for. */
  readonly #rules: () => Rules;
  /** Incremented when a table was built. */
  #tables = $state(0);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** By the rules of the engine unless others are given. */
  constructor(tree: Tree, rules: () => Rules = () => "wxf") {
    this.#tree = tree;
    this.#rules = rules;
  }

  /** Tracks the tree for the lifetime of the component. */
  follow() {
    $effect(() => {
      void this.#tables;
      const game = this.#tree.game();
      this.error = null;
      if (this.tooLarge) {
        this.view = null;
        return;
      }
      return untilStale(
        endgame(game, this.#rules()),
        (view) => (this.view = view),
        (error) => ([this.view, this.error] = [null, error.message]),
      );
    });
    $effect(() => {
      void untrack(() => this.#poll());
      return () => clearTimeout(this.#timer);
    });
  }

  /** The answer, if it is for the current position. */
  get here(): EndgameView | null {
    const view = this.view;
    return view && samePlace(view.fen, this.#tree.here.fen) ? view : null;
  }

  /** Whether there are too many pieces for a table. */
  get tooLarge(): boolean {
    return pieceCount(this.#tree.here.fen) > MAX_PIECES;
  }

  async start(name: string) {
    try {
      this.error = null;
      this.build = await buildTable(name, this.#rules());
      await this.#poll();
    } catch (failed) {
      this.error = (failed as Error).message;
    }
  }

  async stop() {
    await stopBuild();
  }

  async #poll() {
    clearTimeout(this.#timer);
    const was = this.build?.running ?? false;
    this.build = await tableBuild().catch(() => null);
    if (this.build?.running) this.#timer = setTimeout(() => void this.#poll(), POLL_INTERVAL);
    else if (was) {
      this.#tables += 1;
      if (this.build?.error) this.error = said(this.build.error);
    }
  }
}

function pieceCount(fen: string): number {
  return (fen.split(" ")[0] ?? "").replace(/[^a-z]/gi, "").length;
}

/** The winning side; null for a draw and where the result depends on chase. */
export function winner(value: EndgameValue, fen: string): Side | null {
  const side = sideToMove(fen);
  return value.result === "win" ? side : value.result === "loss" ? other(side) : null;
}

/** The winner's moves to the end. */
export const movesToEnd = (plies: number): number => Math.ceil(plies / 2);

/** "Red wins in 17 moves". */
export function valueText(value: EndgameValue, fen: string): string {
  const side = winner(value, fen);
  if (side === null) return value.result === "draw" ? words.t.draw : words.t.dependsOnChase;
  const who = side === "red" ? words.t.redWins : words.t.blackWins;
  if (value.by_rule) return filled(words.t.winsByRule, { who });
  if (!value.plies) return who;
  return filled(words.t.winsInMoves, { who, n: movesToEnd(value.plies) });
}

/** The value for the side to move, in short: `+17`, `=`, `−8`; `+` if the repetition rules decide, `?` if unknown. */
export function shortValue(value: EndgameValue): string {
  if (value.result === "draw") return "=";
  if (value.result === "unknown") return "?";
  return `${value.result === "win" ? "+" : "−"}${value.by_rule ? "" : movesToEnd(value.plies ?? 0)}`;
}

/** For the board: what each move is worth. */
export function hintsOf(moves: EndgameMove[]): Record<string, { kind: string; label: string }> {
  return Object.fromEntries(moves.map((move) => [move.move, { kind: move.result, label: shortValue(move) }]));
}

/** Rules as a setting or a table names them, in words. */
export function rulesText(rules: string): string {
  const names: Record<string, string> = {
    wxf: words.t.rulesWxf,
    axf: words.t.rulesAxf,
    cxa: words.t.rulesCxa,
    computer: words.t.rulesCheck,
    check: words.t.rulesCheck,
  };
  return names[rules] ?? rules;
}
