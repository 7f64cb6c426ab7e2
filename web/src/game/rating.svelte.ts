// The visitor's rating from games against the engine's levels (Glicko-2), on the scale of the levels. Stored in the browser.

import { load, onStored, store } from "../storage";
import { rated, UNRATED, type Rating } from "./glicko";
import { levelRating } from "./levels";

interface Saved {
  rating: Rating;
  games: number;
}

/** How sure the rating of a level is. */
const LEVEL_DEVIATION = 60;

class PlayerRating {
  rating: Rating = $state.raw(UNRATED);
  games: number = $state(0);

  constructor() {
    this.#take(load<Saved>("rating"));
    onStored<Saved>("rating", (saved) => this.#take(saved));
  }

  #take(saved: Saved | null) {
    if (saved?.rating) ({ rating: this.rating, games: this.games } = saved);
  }

  /** Counts a finished game: 1 for a win, 0.5 for a draw, 0 for a loss. */
  count(level: number, levels: number, score: number) {
    const opponent = { rating: levelRating(level, levels), deviation: LEVEL_DEVIATION };
    this.rating = rated(this.rating, opponent, score);
    this.games++;
    store("rating", { rating: this.rating, games: this.games });
  }
}

export const playerRating = new PlayerRating();
