// Two clocks, of which at most one runs.

import { other, type Side } from "./pieces";

export interface TimeControl {
  /** For the whole game; 0 for none. */
  minutes: number;
  /** Seconds added after each move. */
  increment: number;
  /** Longest time of one move in seconds (步時); 0 or absent for none. */
  perMove?: number;
}

export class Clock {
  /** Milliseconds left, brought up to date while a clock runs. */
  left: Record<Side, number> = $state({ red: 0, black: 0 });
  running: Side | null = $state(null);
  /** Milliseconds left for the current move; null without a limit. */
  leftForMove: number | null = $state(null);
  #control: TimeControl = { minutes: 0, increment: 0 };
  #since = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #onflag: (side: Side) => void;

  constructor(onflag: (side: Side) => void) {
    this.#onflag = onflag;
  }

  set(control: TimeControl, left?: Record<Side, number>) {
    this.stop();
    const all = control.minutes * 60_000;
    this.#control = control;
    this.left = left ?? { red: all, black: all };
    this.leftForMove = this.#perMove;
  }

  get increment(): number {
    return this.#control.increment * 1000;
  }

  get #perMove(): number | null {
    return this.#control.perMove ? this.#control.perMove * 1000 : null;
  }

  /** What a side has for its current move at most. */
  budget(side: Side): number {
    const limits = [this.#control.minutes > 0 ? this.left[side] : null, this.leftForMove ?? this.#perMove];
    return Math.min(...limits.map((limit) => limit ?? Infinity));
  }

  /** Lets the clock of a side run. */
  start(side: Side) {
    this.stop();
    this.running = side;
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#tick(), 100);
  }

  /** A side has moved: it gets its increment, and the other clock runs. */
  press(side: Side) {
    this.#tick();
    this.left[side] += this.increment;
    this.leftForMove = this.#perMove;
    this.start(other(side));
  }

  stop() {
    if (this.running) this.#tick();
    clearInterval(this.#timer);
    this.running = null;
  }

  #tick() {
    const side = this.running;
    if (!side) return;
    const now = performance.now();
    const spent = now - this.#since;
    this.#since = now;
    if (this.#control.minutes > 0) this.left[side] = Math.max(0, this.left[side] - spent);
    if (this.leftForMove !== null) this.leftForMove = Math.max(0, this.leftForMove - spent);
    if (this.budget(side) === 0) {
      clearInterval(this.#timer);
      this.running = null;
      this.#onflag(side);
    }
  }
}

/** `12:05`, and tenths of seconds when there is little left. */
export function clockText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const minutes = Math.floor(seconds / 60);
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  return `${minutes}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;
}
