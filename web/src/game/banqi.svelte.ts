// A game of Banqi against the engine. The browser keeps the plies; the server knows the rules and draws what a
// flip shows when it is flipped.

import { banqi, banqiThink } from "../api/http";
import type { BanqiView, FlipOdds } from "../api/types";
import { load, store } from "../settings.svelte";
import type { Side } from "./pieces";

const KEY = "chuhe.banqi";
export const LEVELS = 6;
export const COLUMNS = 8;
export const ROWS = 4;

/** A move that comes at once looks like a mistake of the page. */
const LEAST_THOUGHT = 500;

interface Saved {
  moves: string[];
  level: number;
  first: boolean;
}

/** `c2` for square 10: files a–h, ranks 1–4. */
export function squareName(square: number): string {
  return String.fromCharCode(97 + (square % COLUMNS)) + (Math.floor(square / COLUMNS) + 1);
}

/** Our letters for pieces, from those of Banqi. */
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
  #gone = new AbortController();

  constructor() {
    const saved = load<Saved>(KEY);
    if (!saved || !Array.isArray(saved.moves)) return;
    this.#moves = saved.moves;
    this.level = saved.level;
    this.first = saved.first;
    this.started = true;
  }

  /** Goes on after a reload, or shows a fresh board. */
  async resume() {
    await this.#look();
  }

  async start(level: number, first: boolean) {
    this.#stop();
    this.level = level;
    this.first = first;
    this.started = true;
    this.#moves = [];
    await this.#look();
  }

  leave() {
    this.#stop();
    this.started = false;
    this.#moves = [];
    store(KEY, null);
    void this.#look();
  }

  /** Ends what runs; the game itself stays. */
  pause() {
    this.#stop();
  }

  #stop() {
    this.#gone.abort();
    this.#gone = new AbortController();
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

  /** The visitor's colour; the first flip decides it. */
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
    const gone = this.#gone.signal;
    this.hint = null;
    try {
      const view = await banqi(this.#moves, move);
      if (gone.aborted) return;
      this.#show(view);
      if (!this.myTurn && !this.isOver) await this.#reply();
    } catch (failed) {
      if (!gone.aborted) this.error = (failed as Error).message;
    }
  }

  async #look() {
    const gone = this.#gone.signal;
    try {
      const view = await banqi(this.#moves);
      if (gone.aborted) return;
      this.#show(view);
      if (this.started && !this.myTurn && !this.isOver) await this.#reply();
    } catch (failed) {
      if (gone.aborted) return;
      // A game that the server does not understand is not kept.
      this.error = (failed as Error).message;
      if (this.#moves.length > 0) this.leave();
    }
  }

  #show(view: BanqiView) {
    this.view = view;
    this.error = null;
    this.#moves = view.played;
    if (this.started) store(KEY, { moves: this.#moves, level: this.level, first: this.first });
  }

  async #reply() {
    const gone = this.#gone.signal;
    this.thinking = true;
    const least = new Promise((resolve) => setTimeout(resolve, LEAST_THOUGHT));
    try {
      const answer = await banqiThink(this.#moves, this.level, gone);
      await least;
      if (!gone.aborted) await this.#move(answer.move);
    } finally {
      if (!gone.aborted) this.thinking = false;
    }
  }

  /** Takes back to the visitor's last turn. What was flipped since is turned down again and drawn anew. */
  async takeBack() {
    if (this.#moves.length === 0) return;
    this.#stop();
    const mine = this.first ? 0 : 1;
    let plies = this.#moves.length - 1;
    while (plies > mine && plies % 2 !== mine) plies -= 1;
    this.#moves = this.#moves.slice(0, plies);
    await this.#look();
  }

  async askHint() {
    if (!this.myTurn) return;
    const gone = this.#gone.signal;
    this.thinking = true;
    try {
      const answer = await banqiThink(this.#moves, LEVELS, gone);
      if (!gone.aborted) this.hint = answer.move;
    } catch (failed) {
      if (!gone.aborted) this.error = (failed as Error).message;
    } finally {
      if (!gone.aborted) this.thinking = false;
    }
  }
}
