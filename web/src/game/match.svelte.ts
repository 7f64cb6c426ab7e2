// A game between people and engines: turns, clocks and result. Stored in the browser, so that it survives a reload, and
// kept in the library.

import { untrack } from "svelte";
import { live } from "../api/live.svelte";
import { askRival, positionView } from "../api/http";
import type { RecordJson, MoveJson } from "../api/types";
import { library, newId } from "../library/library.svelte";
import { server } from "../server.svelte";
import { settings } from "../settings.svelte";
import { StaleGuard } from "../stale";
import { load, replaceStored, store } from "../storage";
import { undo } from "../undo.svelte";
import { Clock, type TimeControl } from "./clock.svelte";
import { sideToMove, START } from "./fen";
import { handicapStart, type Handicap } from "./handicaps";
import { other, type Side } from "./pieces";
import { tagOf, type Player } from "./player";
import { playerRating } from "./rating.svelte";
import { Series } from "./series.svelte";
import { Tree } from "./tree.svelte";

export interface MatchOptions {
  players: Record<Side, Player>;
  /** The side below: the visitor's, if an engine plays the other. */
  side: Side;
  handicap: Handicap;
  control: TimeControl | null;
  /** How many games two engines play, the sides exchanged after each. */
  games?: number;
}

/** The options of a game against the engine. */
export function againstEngine(
  level: number,
  side: Side,
  handicap: Handicap = "none",
  control: TimeControl | null = null,
): MatchOptions {
  const players = { red: { kind: "person" }, black: { kind: "person" } } as Record<Side, Player>;
  players[other(side)] = { kind: "engine", level };
  return { players, side, handicap, control };
}

/** How a game ended other than by the referee's verdict. */
export type Ending = "resigned" | "agreed" | "time";

export interface Saved {
  /** The entry of the library. */
  id?: string;
  /** Games of earlier versions have a level instead of players. */
  options: MatchOptions & { level?: number };
  record: RecordJson;
  left: Record<Side, number>;
  ending: Ending | null;
  result: string;
  /** Whether the visitor has taken moves back or asked for hints. */
  helped?: boolean;
}

/** Minimum time of an engine move, in milliseconds: an instant reply looks like a glitch. */
const MIN_THINKING = 450;
/** Thinking time without a clock; weaker levels finish sooner. */
const DEFAULT_THINKING = 2500;
/** Time the engine keeps in reserve. */
const RESERVE = 300;
/** Shorter games are not rated, in plies. */
const MIN_RATED = 6;
/** Time between the games of a series, in milliseconds. */
const SERIES_PAUSE = 1500;

export class Match {
  options: MatchOptions | null = $state.raw(null);
  tree = new Tree();
  ending: Ending | null = $state(null);
  thinking: boolean = $state(false);
  hint: MoveJson | null = $state.raw(null);
  message: "drawRefused" | null = $state(null);
  error: string | null = $state(null);
  clock = new Clock(() => this.#end("time"));
  /** The entry of the library. */
  id: string = newId();
  /** The games that two engines play one after the other. */
  series: Series | null = $state.raw(null);
  /** Renewed whenever the game changes. */
  #guard = new StaleGuard();
  #kept = 0;
  #helped = false;

  constructor() {
    this.#restore(load<Saved>("match"));
  }

  #restore(saved: Saved | null) {
    this.options = saved?.options ?? null;
    if (!saved?.options) return;
    const { level, side, handicap, control } = saved.options;
    if (level !== undefined) this.options = againstEngine(level, side, handicap, control);
    this.id = saved.id ?? newId();
    this.#kept = saved.record.nodes.length;
    this.tree.open(saved.record);
    this.tree.last();
    this.tree.result = saved.result;
    this.ending = saved.ending;
    this.#helped = saved.helped ?? false;
    if (saved.options.control) this.clock.set(saved.options.control, saved.left);
  }

  /** Whether the opponent can answer: in the browser or on a server that is there. */
  get #isAble(): boolean {
    const players = this.options ? Object.values(this.options.players) : [];
    return players.some((player) => player.kind === "rival") ? live.connected : live.isAble;
  }

  /** Stops the clocks while the opponent cannot answer, for the lifetime of the component. */
  follow() {
    let wasAble = true;
    $effect(() => {
      const isAble = this.#isAble;
      untrack(() => {
        if (!isAble) this.clock.stop();
        else if (!wasAble && this.#runsClock) this.clock.start(this.turn);
      });
      wasAble = isAble;
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
  start(options: MatchOptions, begun: RecordJson | null = null, series: Series | null = null) {
    this.#announce("gameReplaced");
    const isContest = (options.games ?? 1) > 1;
    this.series = series ?? (isContest ? new Series(options.players, options.games!) : null);
    this.#halt();
    this.options = options;
    [this.id, this.#kept, this.#helped] = [newId(), 0, false];
    if (begun) {
      this.tree.open(begun);
      this.tree.result = "*";
      this.tree.last();
    } else this.tree.reset(handicapStart(options.handicap, other(options.side)));
    this.tree.tags = [
      ["Red", tagOf(options.players.red)],
      ["Black", tagOf(options.players.black)],
      // Swedish dates are ISO dates, in the visitor's time zone.
      ["Date", new Date().toLocaleDateString("sv").replaceAll("-", ".")],
    ];
    this.ending = null;
    if (options.control) this.clock.set(options.control);
    this.resume();
  }

  /** Offers to return to the running game. */
  #announce(text: "gameReplaced" | "gameLeft") {
    if (!this.options || this.isOver || this.tree.isEmpty) return;
    const before = this.#saved();
    undo.announce(text, () => {
      replaceStored("match", before);
      location.hash = "#/play";
    });
  }

  /** Puts the game away; the library keeps it. */
  leave() {
    this.#announce("gameLeft");
    this.save();
    this.#halt();
    this.options = null;
    store("match", null);
  }

  /** The same game once more with the sides exchanged. */
  rematch() {
    if (!this.options) return;
    const { players, side, handicap, control } = this.options;
    const swapped = { red: players.black, black: players.red };
    this.start({ players: swapped, side: other(side), handicap, control });
  }

  /** Runs the right clock and the engine, after a start or a reload. */
  resume() {
    this.hint = null;
    this.message = null;
    if (!this.options || this.isOver) return;
    if (this.options.control && !this.tree.isEmpty) this.clock.start(this.turn);
    if (!this.isPerson(this.turn)) void this.#reply();
    this.save();
  }

  /** Stops clocks and engine; the game is kept. */
  pause() {
    this.save();
    this.#halt();
  }

  #halt() {
    this.#guard.renew();
    // The engine may be at work for another page by now: on the report of this game.
    if (this.thinking) live.stop();
    this.thinking = false;
    this.clock.stop();
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

  isPerson(side: Side): boolean {
    return this.options?.players[side].kind === "person";
  }

  /** The side whose moves the visitor makes now or, while an engine thinks, next. */
  get mySide(): Side | null {
    if (this.isPerson(this.turn)) return this.turn;
    return this.isPerson(other(this.turn)) ? other(this.turn) : null;
  }

  /** Whether two people share the board. */
  get isHotSeat(): boolean {
    return this.isPerson("red") && this.isPerson("black");
  }

  play(move: MoveJson) {
    if (!this.isPerson(this.turn) || this.isOver || this.tree.here !== this.last) return;
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
    if (!this.#isAble) this.clock.stop();
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
      if (await this.#judge()) return;
      const player = options.players[this.turn];
      if (player.kind === "person" || signal.aborted) return;
      const best = await this.#moveOf(player, signal);
      await new Promise((resolve) => setTimeout(resolve, MIN_THINKING - (performance.now() - started)));
      if (signal.aborted || this.isOver || !best) return;
      this.#move(best);
      if (this.isPerson(this.turn)) await this.#judge();
      else void this.#reply();
    } catch (failed) {
      if (!signal.aborted) this.error = (failed as Error).message;
    } finally {
      if (!signal.aborted || this.isPerson(this.turn)) this.thinking = false;
    }
  }

  async #moveOf(player: Player, signal: AbortSignal): Promise<MoveJson | null> {
    const game = this.tree.game(this.last);
    if (player.kind === "rival") {
      const answer = await askRival(player.name, game, 1, signal);
      return answer.lines[0]?.moves[0] ?? null;
    }
    const level = player.kind === "engine" ? player.level : server.about.levels;
    const book = settings.book === "off" ? undefined : settings.book;
    return (await live.think(game, level, this.#thinkingTime(), undefined, book)).best;
  }

  #thinkingTime(): number {
    if (!this.options?.control) return DEFAULT_THINKING;
    const left = this.clock.budget(this.turn) - RESERVE;
    return Math.max(50, Math.min(left / 30 + this.clock.increment * 0.6, left / 2, 20_000));
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
    this.#rate(result);
    this.save();
    if (this.series && this.options) this.#continueSeries(this.series, this.options);
  }

  /** Counts a game against a level for the visitor's rating, unless it was played with odds or help. */
  #rate(result: string) {
    const { players, handicap } = this.options!;
    const side = (["red", "black"] as const).find((side) => players[side].kind === "person");
    const opponent = side && players[other(side)];
    if (opponent?.kind !== "engine" || handicap !== "none" || this.#helped) return;
    if (this.tree.root.fen !== START || this.tree.root.rest.length < MIN_RATED) return;
    const score = result === "1/2-1/2" ? 0.5 : (result === "1-0") === (side === "red") ? 1 : 0;
    playerRating.count(opponent.level, server.about.levels, score);
  }

  /** Counts a finished game of a series and starts the next one after a pause. */
  #continueSeries(series: Series, options: MatchOptions) {
    series.add(this.id, this.tree.result);
    if (series.isOver) return;
    const { players, ...rest } = options;
    const next = { ...rest, players: { red: players.black, black: players.red } };
    const { signal } = this.#guard;
    setTimeout(() => {
      if (!signal.aborted) this.start(next, null, series);
    }, SERIES_PAUSE);
  }

  #end(ending: Ending) {
    if (!this.options || this.isOver) return;
    this.ending = ending;
    const loser = ending === "time" ? this.turn : (this.mySide ?? this.turn);
    live.stop();
    this.#finish(ending === "agreed" ? "1/2-1/2" : loser === "red" ? "0-1" : "1-0");
  }

  resign() {
    this.#end("resigned");
  }

  /** Takes back to the visitor's last turn; reopens a finished game as a new one. */
  takeBack() {
    if (!this.options || this.tree.isEmpty) return;
    this.pause();
    if (this.isOver) this.id = newId();
    this.#helped = true;
    this.tree.result = "*";
    this.ending = null;
    const last = this.last;
    const single = this.isHotSeat || this.isPerson(sideToMove(last.parent!.fen));
    this.tree.remove(single ? last : last.parent!.parent ? last.parent! : last);
    this.tree.here = this.last;
    this.resume();
  }

  async askHint() {
    const { signal } = this.#guard;
    this.#helped = true;
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

  /** Offers the engine a draw; people at one board have agreed. */
  async offerDraw() {
    if (!this.options || !this.mySide) return;
    if (this.isHotSeat) return this.#end("agreed");
    const { signal } = this.#guard;
    const engine = other(this.mySide);
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
    const { id, tree } = this;
    const helped = this.#helped;
    return options && { id, options, ending, left, helped, result: tree.result, record: tree.record() };
  }

  save() {
    const saved = this.#saved();
    store("match", saved);
    // The library keeps games with moves, and their results.
    const state = saved ? saved.record.nodes.length + (saved.result === "*" ? 0 : 0.5) : 0;
    if (!saved || saved.record.nodes.length === 0 || state === this.#kept) return;
    this.#kept = state;
    void library.put(this.id, "game", { record: JSON.parse(JSON.stringify(saved.record)) as RecordJson });
  }
}
