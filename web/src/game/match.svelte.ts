// A game against the engine: turns, clocks and result. Stored in the browser, so that it survives a reload.

import { untrack } from "svelte";
import { live } from "../api/live.svelte";
import { positionView } from "../api/http";
import type { RecordJson, MoveJson } from "../api/types";
import { server } from "../server.svelte";
import { StaleGuard } from "../stale";
import { load, replaceStored, store } from "../storage";
import { undo } from "../undo.svelte";
import { Clock, type TimeControl } from "./clock.svelte";
import { sideToMove } from "./fen";
import { handicapStart, type Handicap } from "./handicaps";
import { other, type Side } from "./pieces";
import { Tree } from "./tree.svelte";

export interface MatchOptions {
  level: number;
  side: Side;
  handicap: Handicap;
  control: TimeControl | null;
}

/** How a game ended other than by the referee's verdict. */
export type Ending = "resigned" | "agreed" | "time";

export interface Saved {
  options: MatchOptions;
  record: RecordJson;
  left: Record<Side, number>;
  ending: Ending | null;
  result: string;
}

/** Minimum time of an engine move, in milliseconds: an instant reply looks like a glitch. */
const MIN_THINKING = 450;
/** Thinking time without a clock; weaker levels finish sooner. */
const DEFAULT_THINKING = 2500;
/** Time the engine keeps in reserve. */
const RESERVE = 300;

export class Match {
  options: MatchOptions | null = $state.raw(null);
  tree = new Tree();
  ending: Ending | null = $state(null);
  thinking: boolean = $state(false);
  hint: MoveJson | null = $state.raw(null);
  message: "drawRefused" | null = $state(null);
  error: string | null = $state(null);
  clock = new Clock(() => this.#end("time"));
  /** Renewed whenever the game changes. */
  #guard = new StaleGuard();

  constructor() {
    this.#restore(load<Saved>("match"));
  }

  #restore(saved: Saved | null) {
    this.options = saved?.options ?? null;
    if (!saved?.options) return;
    this.tree.open(saved.record);
    this.tree.last();
    this.tree.result = saved.result;
    this.ending = saved.ending;
    if (saved.options.control) this.clock.set(saved.options.control, saved.left);
  }

  /** Stops the clocks while the server is unreachable, for the lifetime of the component. */
  follow() {
    let wasOnline = true;
    $effect(() => {
      const isOnline = live.connected;
      untrack(() => {
        if (!isOnline) this.clock.stop();
        else if (!wasOnline && this.#runsClock) this.clock.start(this.turn);
      });
      wasOnline = isOnline;
    });
  }

  get #runsClock(): boolean {
    return this.options?.control != null && !this.isOver && !this.tree.isEmpty && this.clock.running === null;
  }

  /** Takes over the stored game after another tab changed it. That tab runs the engine, until this one is used. */
  sync(saved: Saved | null) {
    this.#halt();
    this.#restore(saved);
  }

  /** Starts a game, or continues one from another page. */
  start(options: MatchOptions, begun: RecordJson | null = null) {
    if (this.options && !this.isOver && !this.tree.isEmpty) {
      const before = this.#saved();
      undo.announce("gameReplaced", () => {
        replaceStored("match", before);
        location.hash = "#/play";
      });
    }
    this.#halt();
    this.options = options;
    if (begun) {
      this.tree.open(begun);
      this.tree.result = "*";
      this.tree.last();
    } else this.tree.reset(handicapStart(options.handicap, other(options.side)));
    const names = { [options.side]: "?", [other(options.side)]: `Chuhe ${options.level}` };
    this.tree.tags = [
      ["Red", names.red ?? "?"],
      ["Black", names.black ?? "?"],
      ["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")],
    ];
    this.ending = null;
    if (options.control) this.clock.set(options.control);
    this.resume();
  }

  leave() {
    this.#guard.renew();
    live.stop();
    this.clock.stop();
    this.options = null;
    this.save();
  }

  /** Runs the right clock and the engine, after a start or a reload. */
  resume() {
    this.hint = null;
    this.message = null;
    if (!this.options || this.isOver) return;
    if (this.options.control && !this.tree.isEmpty) this.clock.start(this.turn);
    if (this.turn !== this.options.side) void this.#reply();
    this.save();
  }

  /** Stops clocks and engine; the game is kept. */
  pause() {
    this.save();
    this.#halt();
  }

  #halt() {
    this.#guard.renew();
    this.thinking = false;
    this.clock.stop();
    live.stop();
  }

  get last() {
    return this.tree.root.rest.at(-1) ?? this.tree.root;
  }

  /** The side to move in the game, whichever position is on the board. */
  get turn(): Side {
    return sideToMove(this.last.fen);
  }

  get isOver(): boolean {
    return this.tree.result !== "*";
  }

  play(move: MoveJson) {
    if (!this.options || this.isOver || this.tree.here !== this.last) return;
    this.#move(move);
    if (!this.isOver) void this.#reply();
  }

  #move(move: MoveJson) {
    const side = this.turn;
    this.hint = null;
    this.message = null;
    this.#guard.renew();
    this.tree.here = this.last;
    this.tree.play(move);
    if (this.options?.control) this.clock.press(side);
    if (!live.connected) this.clock.stop();
    this.save();
  }

  /** Lets the engine move, unless the referee ends the game. */
  async #reply() {
    const options = this.options;
    if (!options) return;
    const signal = this.#guard.renew();
    const started = performance.now();
    this.thinking = true;
    this.error = null;
    try {
      const game = this.tree.game(this.last);
      if (await this.#judge()) return;
      const answer = await live.think(game, options.level, this.#thinkingTime(options));
      await new Promise((resolve) => setTimeout(resolve, MIN_THINKING - (performance.now() - started)));
      if (signal.aborted || this.isOver || !answer.best) return;
      this.#move(answer.best);
      await this.#judge();
    } catch (failed) {
      if (!signal.aborted) this.error = (failed as Error).message;
    } finally {
      if (!signal.aborted || this.turn === options.side) this.thinking = false;
    }
  }

  #thinkingTime(options: MatchOptions): number {
    if (!options.control) return DEFAULT_THINKING;
    const left = this.clock.left[other(options.side)];
    return Math.max(50, Math.min((left - RESERVE) / 30 + this.clock.increment * 0.6, left / 2, 20_000));
  }

  /** Ends the game if the referee says so; returns whether it did. */
  async #judge(): Promise<boolean> {
    const view = await positionView(this.tree.game(this.last));
    const results: Record<string, string> = { red_wins: "1-0", black_wins: "0-1", draw: "1/2-1/2" };
    const result = results[view.verdict.result];
    if (!result) return false;
    this.#finish(result);
    return true;
  }

  #finish(result: string) {
    this.#guard.renew();
    this.tree.result = result;
    this.thinking = false;
    this.clock.stop();
    this.save();
  }

  #end(ending: Ending) {
    if (!this.options || this.isOver) return;
    this.ending = ending;
    const loser = ending === "time" ? (this.clock.left.red === 0 ? "red" : "black") : this.options.side;
    live.stop();
    this.#finish(ending === "agreed" ? "1/2-1/2" : loser === "red" ? "0-1" : "1-0");
  }

  resign() {
    this.#end("resigned");
  }

  /** Takes back to the visitor's last turn; reopens a finished game. */
  takeBack() {
    if (!this.options || this.tree.isEmpty) return;
    this.pause();
    this.tree.result = "*";
    this.ending = null;
    const last = this.last;
    const single = sideToMove(last.parent!.fen) === this.options.side;
    this.tree.remove(single ? last : last.parent!.parent ? last.parent! : last);
    this.tree.here = this.last;
    this.resume();
  }

  async askHint() {
    const { signal } = this.#guard;
    this.thinking = true;
    try {
      const answer = await live.think(this.tree.game(this.last), server.about.levels, 800);
      if (!signal.aborted) this.hint = answer.best;
    } catch (failed) {
      if (!signal.aborted) this.error = (failed as Error).message;
    } finally {
      if (!signal.aborted) this.thinking = false;
    }
  }

  async offerDraw() {
    if (!this.options) return;
    const { signal } = this.#guard;
    const engine = other(this.options.side);
    this.thinking = true;
    try {
      const answer = await live.think(this.tree.game(this.last), server.about.levels, 500);
      if (signal.aborted) return;
      if (answer.takes_draw.includes(engine)) this.#end("agreed");
      else this.message = "drawRefused";
    } catch (failed) {
      if (!signal.aborted) this.error = (failed as Error).message;
    } finally {
      this.thinking = false;
    }
  }

  #saved(): Saved | null {
    const { options, ending } = this;
    const left = { ...this.clock.left };
    return options && { options, ending, left, result: this.tree.result, record: this.tree.record() };
  }

  save() {
    store("match", this.#saved());
  }
}
