// A game of Banqi against the engine. The browser stores the plies; the server knows the rules and draws the
// piece of each flip.

import { banqi, banqiThink } from "../api/http";
import type { BanqiView, FlipOdds } from "../api/types";
import { StaleGuard } from "../stale";
import { load, store } from "../storage";
import type { Side } from "./pieces";

export const LEVELS = 6;
export const COLUMNS = 8;
export const ROWS = 4;

/** Minimum time of an engine move, in milliseconds: an instant reply looks like a glitch. */
const MIN_THINKING = 500;

interface Saved {
  moves: string[];
  level: number;
  first: boolean;
}

/** `c2` for square 10: files a–h, ranks 1–4. */
export function squareName(square: number): string {
  return String.fromCharCode(97 + (square % COLUMNS)) + (Math.floor(square / COLUMNS) + 1);
}

/** The FEN letter of a Banqi piece. */
export function pieceLetter(letter: string): string {
  return { G: "A", M: "B", g: "a", m: "b" }[letter] ?? letter;
}

export class BanqiMatch {
  view: BanqiView | null = $state.raw(null);
  level: number = $state(2);
  /** Whether the visitor made the first flip. */
  first: boolean = $state(true);
  started: boolean = $state(false);
  thinking: boolean = $state(false);
  hint: string | null = $state(null);
  error: string | null = $state(null);
  #moves: string[] = [];
  #guard = new StaleGuard();

  constructor() {
    const saved = load<Saved>("banqi");
    if (!saved || !Array.isArray(saved.moves)) return;
    this.#moves = saved.moves;
    this.level = saved.level;
    this.first = saved.first;
    this.started = true;
  }

  /** Continues after a reload, or shows a fresh board. */
  async resume() {
    await this.#refresh();
  }

  async start(level: number, first: boolean) {
    this.#stop();
    this.level = level;
    this.first = first;
    this.started = true;
    this.#moves = [];
    await this.#refresh();
  }

  leave() {
    this.#stop();
    this.started = false;
    this.#moves = [];
    store("banqi", null);
    void this.#refresh();
  }

  /** Stops the engine; the game is kept. */
  pause() {
    this.#stop();
  }

  #stop() {
    this.#guard.renew();
    this.thinking = false;
    this.hint = null;
  }

  get isOver(): boolean {
    return this.view?.outcome != null;
  }

  get myTurn(): boolean {
    const plies = this.view?.played.length ?? 0;
    return this.started && !this.isOver && (plies % 2 === 0) === this.first;
  }

  /** The visitor's colour, decided by the first flip. */
  get mySide(): Side | null {
    const side = this.view?.side ?? null;
    if (side === null) return null;
    return this.myTurn === !this.isOver ? side : side === "red" ? "black" : "red";
  }

  odds(square: string): FlipOdds | null {
    return this.view?.flips.find((flip) => flip.square === square) ?? null;
  }

  async play(move: string) {
    if (!this.myTurn || this.thinking) return;
    await this.#move(move);
  }

  async #move(move: string) {
    const { signal } = this.#guard;
    this.hint = null;
    try {
      const view = await banqi(this.#moves, move);
      if (signal.aborted) return;
      this.#show(view);
      if (!this.myTurn && !this.isOver) await this.#reply();
    } catch (failed) {
      if (!signal.aborted) this.error = (failed as Error).message;
    }
  }

  async #refresh() {
    const { signal } = this.#guard;
    try {
      const view = await banqi(this.#moves);
      if (signal.aborted) return;
      this.#show(view);
      if (this.started && !this.myTurn && !this.isOver) await this.#reply();
    } catch (failed) {
      if (signal.aborted) return;
      // A stored game that the server rejects is discarded.
      this.error = (failed as Error).message;
      if (this.#moves.length > 0) this.leave();
    }
  }

  #show(view: BanqiView) {
    this.view = view;
    this.error = null;
    this.#moves = view.played;
    if (this.started) store("banqi", { moves: this.#moves, level: this.level, first: this.first });
  }

  async #reply() {
    const { signal } = this.#guard;
    this.thinking = true;
    const least = new Promise((resolve) => setTimeout(resolve, MIN_THINKING));
    try {
      const answer = await banqiThink(this.#moves, this.level, signal);
      await least;
      if (!signal.aborted) await this.#move(answer.move);
    } finally {
      if (!signal.aborted) this.thinking = false;
    }
  }

  /** Takes back to the visitor's last turn. Pieces flipped since lie face down again and are drawn anew. */
  async takeBack() {
    if (this.#moves.length === 0) return;
    this.#stop();
    const mine = this.first ? 0 : 1;
    let plies = this.#moves.length - 1;
    while (plies > mine && plies % 2 !== mine) plies -= 1;
    this.#moves = this.#moves.slice(0, plies);
    await this.#refresh();
  }

  async askHint() {
    if (!this.myTurn) return;
    const { signal } = this.#guard;
    this.thinking = true;
    try {
      const answer = await banqiThink(this.#moves, LEVELS, signal);
      if (!signal.aborted) this.hint = answer.move;
    } catch (failed) {
      if (!signal.aborted) this.error = (failed as Error).message;
    } finally {
      if (!signal.aborted) this.thinking = false;
    }
  }
}
