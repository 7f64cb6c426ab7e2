// Undo for destructive acts: the last one, offered in a strip at the bottom of the page.

import type { Words } from "./words/en";

interface Offer {
  /** What happened. */
  text: keyof Words;
  restore: () => void;
}

class Undo {
  offer: Offer | null = $state.raw(null);

  /** Announces an act that `restore` takes back. */
  announce(text: keyof Words, restore: () => void) {
    this.offer = { text, restore };
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
