// Undo for destructive acts: the last one, offered in a strip at the bottom of the page.

import type { Words } from "./words/en";

interface Offer {
  /** What happened. */
  text: keyof Words;
  restore: () => void;
}

/** How long an offer stays, in milliseconds. What it restores is in the library afterwards, too. */
const OFFER_TIME = 30_000;

class Undo {
  offer: Offer | null = $state.raw(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Announces an act that `restore` takes back. */
  announce(text: keyof Words, restore: () => void) {
    this.offer = { text, restore };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.dismiss(), OFFER_TIME);
  }

  apply() {
    const offer = this.offer;
    this.offer = null;
    offer?.restore();
  }

  dismiss() {
    this.offer = null;
  }
}

export const undo = new Undo();
