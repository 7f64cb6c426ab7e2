// Training with puzzles: rating, streaks, what was solved and what is to be reviewed. Stored in the browser.

import type { Puzzle } from "../api/types";
import { hashOf } from "../hash";
import { load, onStored, store } from "../storage";
import { rated, UNRATED, type Rating } from "./glicko";

interface Saved {
  rating: Rating;
  streak: number;
  best: number;
  /** By id: whether the first try solved the puzzle. */
  results: Record<string, boolean>;
  /** Ids of failed puzzles that were not solved since, oldest first. */
  review: string[];
}

/** Candidates for the next puzzle: those nearest to the solver's rating. */
const CANDIDATES = 12;
/** How sure the rating of a puzzle is. */
const PUZZLE_DEVIATION = 90;

export const puzzleId = (puzzle: Puzzle): string => hashOf(puzzle.fen);

export class Training {
  rating: Rating = $state.raw(UNRATED);
  streak: number = $state(0);
  best: number = $state(0);
  results: Record<string, boolean> = $state.raw({});
  review: string[] = $state.raw([]);
  /** Puzzles offered since the page was opened, so that skipped ones do not come back at once. */
  readonly #offered = new Set<Puzzle>();

  constructor() {
    this.#take(load<Saved>("puzzles"));
    // Puzzles solved with earlier versions.
    for (const fen of load<string[]>("solved") ?? []) this.results = { [hashOf(fen)]: true, ...this.results };
  }

  /** Takes over what other tabs and imports change, for the lifetime of the component. */
  follow() {
    $effect(() => onStored<Saved>("puzzles", (saved) => this.#take(saved)));
  }

  #take(saved: Saved | null) {
    if (!saved?.rating) return;
    ({ rating: this.rating, streak: this.streak, best: this.best } = saved);
    [this.results, this.review] = [saved.results, saved.review];
  }

  isSolved(puzzle: Puzzle): boolean {
    const id = puzzleId(puzzle);
    return id in this.results && !this.review.includes(id);
  }

  isNew(puzzle: Puzzle): boolean {
    return !(puzzleId(puzzle) in this.results);
  }

  /** Counts a first try; later ones only clear the review. */
  record(puzzle: Puzzle, isSolved: boolean) {
    const id = puzzleId(puzzle);
    if (!(id in this.results)) {
      const opponent = { rating: puzzle.rating, deviation: PUZZLE_DEVIATION };
      this.rating = rated(this.rating, opponent, isSolved ? 1 : 0);
      this.results = { ...this.results, [id]: isSolved };
      this.streak = isSolved ? this.streak + 1 : 0;
      this.best = Math.max(this.best, this.streak);
    }
    const others = this.review.filter((known) => known !== id);
    this.review = isSolved ? others : [...others, id];
    const { rating, streak, best, results, review } = this;
    store("puzzles", { rating, streak, best, results, review });
  }

  /** A new puzzle near the solver's rating, at random; when there are none, the one failed longest ago, or any. */
  next(puzzles: Puzzle[], current: Puzzle | null): Puzzle | null {
    const others = puzzles.filter((puzzle) => puzzle !== current);
    const distance = (puzzle: Puzzle) => Math.abs(puzzle.rating - this.rating.rating);
    const isFresh = (puzzle: Puzzle) => this.isNew(puzzle) && !this.#offered.has(puzzle);
    const fresh = shuffled(others.filter(isFresh))
      .sort((one, other) => distance(one) - distance(other))
      .slice(0, CANDIDATES);
    const next = pick(fresh) ?? this.nextFailed(puzzles, current) ?? pick(others) ?? current;
    if (next) this.#offered.add(next);
    return next;
  }

  /** The puzzle failed longest ago. */
  nextFailed(puzzles: Puzzle[], current: Puzzle | null): Puzzle | null {
    const failed = this.review.map((id) => puzzles.find((puzzle) => puzzleId(puzzle) === id));
    return failed.find((puzzle) => puzzle && puzzle !== current) ?? null;
  }
}

const pick = <T>(items: T[]): T | undefined => items[Math.floor(Math.random() * items.length)];

function shuffled<T>(items: T[]): T[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
}
