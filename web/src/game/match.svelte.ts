// A game against the engine: whose turn it is, the clocks, how it ends. The browser keeps it, so that it goes on
// after a reload.

import { live } from "../api/live.svelte";
import { positionView } from "../api/http";
import type { RecordJson, SpelledMove } from "../api/types";
import { server } from "../server.svelte";
import { load, store } from "../settings.svelte";
import { Clock, type TimeControl } from "./clock.svelte";
import { sideToMove } from "./fen";
import { handicapStart, type Handicap } from "./handicaps";
import { other, type Side } from "./pieces";
import { Tree } from "./tree.svelte";

const KEY = "chuhe.match";

export interface MatchOptions {
  level: number;
  side: Side;
  handicap: Handicap;
  control: TimeControl | null;
}

/** Why a game has ended, apart from what the referee says. */
export type Ending = "resigned" | "agreed" | "time";

interface Saved {
  options: MatchOptions;
  record: RecordJson;
  left: Record<Side, number>;
  ending: Ending | null;
  result: string;
}

/** A move that comes at once looks like a mistake of the page. */
const LEAST_THOUGHT = 450;
/** Without a clock: the time at full strength. Weaker levels are done sooner. */
const THOUGHT = 2500;
/** What the engine keeps back of its clock. */
const RESERVE = 300;

export class Match {
  options: MatchOptions | null = $state.raw(null);
  tree = new Tree();
  ending: Ending | null = $state(null);
  thinking: boolean = $state(false);
  hint: SpelledMove | null = $state.raw(null);
  message: "drawRefused" | null = $state(null);
  error: string | null = $state(null);
  clock = new Clock(() => this.#end("time"));
  /** Counts up when the game changes so that answers to old questions are not taken for new ones. */
  #turn = 0;

  constructor() {
    const saved = load<Saved>(KEY);
    if (!saved?.options) return;
    this.options = saved.options;
    this.tree.open(saved.record);
    this.tree.last();
    this.tree.result = saved.result;
    this.ending = saved.ending;
    if (saved.options.control) this.clock.set(saved.options.control, saved.left);
  }

  /** Starts a game, or goes on with one that was begun elsewhere. */
  start(options: MatchOptions, begun: RecordJson | null = null) {
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
    this.#turn += 1;
    live.stop();
    this.clock.stop();
    this.options = null;
    this.save();
  }

  /** Goes on after a start or a reload: lets the right clock run, and the engine think if it is its turn. */
  resume() {
    this.hint = null;
    this.message = null;
    if (!this.options || this.isOver) return;
    if (this.options.control && !this.tree.isEmpty) this.clock.start(this.turn);
    if (this.turn !== this.options.side) void this.#reply();
    this.save();
  }

  /** Stops what runs; the game itself stays. */
  pause() {
    this.#turn += 1;
    this.thinking = false;
    this.save();
    this.clock.stop();
    live.stop();
  }

  get last() {
    return this.tree.root.rest.at(-1) ?? this.tree.root;
  }

  /** Whose turn it is in the game, whatever is on the board. */
  get turn(): Side {
    return sideToMove(this.last.fen);
  }

  get isOver(): boolean {
    return this.tree.result !== "*";
  }

  play(move: SpelledMove) {
    if (!this.options || this.isOver || this.tree.here !== this.last) return;
    this.#move(move);
    if (!this.isOver) void this.#reply();
  }

  #move(move: SpelledMove) {
    const side = this.turn;
    this.hint = null;
    this.message = null;
    this.#turn += 1;
    this.tree.here = this.last;
    this.tree.play(move);
    if (this.options?.control) this.clock.press(side);
    this.save();
  }

  /** The engine's move, after the referee has had a word. */
  async #reply() {
    const options = this.options;
    if (!options) return;
    const turn = ++this.#turn;
    const started = performance.now();
    this.thinking = true;
    this.error = null;
    try {
      const game = this.tree.game(this.last);
      if (await this.#judge()) return;
      const answer = await live.think(game, options.level, this.#thought(options));
      await new Promise((resolve) => setTimeout(resolve, LEAST_THOUGHT - (performance.now() - started)));
      if (turn !== this.#turn || this.isOver || !answer.best) return;
      this.#move(answer.best);
      await this.#judge();
    } catch (failed) {
      if (turn === this.#turn) this.error = (failed as Error).message;
    } finally {
      if (turn === this.#turn || this.turn === options.side) this.thinking = false;
    }
  }

  #thought(options: MatchOptions): number {
    if (!options.control) return THOUGHT;
    const left = this.clock.left[other(options.side)];
    return Math.max(50, Math.min((left - RESERVE) / 30 + this.clock.increment * 0.6, left / 2, 20_000));
  }

  /** Asks the referee whether the game is over. */
  async #judge(): Promise<boolean> {
    const view = await positionView(this.tree.game(this.last));
    const results: Record<string, string> = { red_wins: "1-0", black_wins: "0-1", draw: "1/2-1/2" };
    const result = results[view.verdict.result];
    if (!result) return false;
    this.#finish(result);
    return true;
  }

  #finish(result: string) {
    this.#turn += 1;
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

  /** Takes back to the visitor's last turn; a finished game goes on. */
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
    const turn = this.#turn;
    this.thinking = true;
    try {
      const answer = await live.think(this.tree.game(this.last), server.about.levels, 800);
      if (turn === this.#turn) this.hint = answer.best;
    } catch (failed) {
      if (turn === this.#turn) this.error = (failed as Error).message;
    } finally {
      if (turn === this.#turn) this.thinking = false;
    }
  }

  async offerDraw() {
    if (!this.options) return;
    const turn = this.#turn;
    const engine = other(this.options.side);
    this.thinking = true;
    try {
      const answer = await live.think(this.tree.game(this.last), server.about.levels, 500);
      if (turn !== this.#turn) return;
      if (answer.takes_draw.includes(engine)) this.#end("agreed");
      else this.message = "drawRefused";
    } catch (failed) {
      if (turn === this.#turn) this.error = (failed as Error).message;
    } finally {
      this.thinking = false;
    }
  }

  save() {
    const { options, ending } = this;
    const left = { ...this.clock.left };
    store(KEY, options && { options, ending, left, result: this.tree.result, record: this.tree.record() });
  }
}
