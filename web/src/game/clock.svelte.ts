// Two clocks, of which at most one runs.

import { other, type Side } from "./pieces";

export interface TimeControl {
  minutes: number;
  increment: number;
}

export class Clock {
  /** Milliseconds left, brought up to date while a clock runs. */
  left: Record<Side, number> = $state({ red: 0, black: 0 });
  running: Side | null = $state(null);
  #increment = 0;
  #since = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #onflag: (side: Side) => void;

  constructor(onflag: (side: Side) => void) {
    this.#onflag = onflag;
  }

  set(control: TimeControl, left?: Record<Side, number>) {
    this.stop();
    const all = control.minutes * 60_000;
    this.left = left ?? { red: all, black: all };
    this.#increment = control.increment * 1000;
  }

  get increment(): number {
    return this.#increment;
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
    this.left[side] += this.#increment;
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
    this.left[side] = Math.max(0, this.left[side] - (now - this.#since));
    this.#since = now;
    if (this.left[side] === 0) {
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
