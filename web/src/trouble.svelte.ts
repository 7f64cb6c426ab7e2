// Trouble with the browser's storage, shown in a strip at the bottom of the page.

type Kind = "storageFull" | "storageForbidden";

class Trouble {
  storage: Kind | null = $state(null);
  /** What the visitor has read and closed; it is not told with every move again. */
  #dismissed: Kind | null = null;

  /** Notes why something could not be stored. */
  note(error: unknown) {
    const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
    const kind = isFull ? "storageFull" : "storageForbidden";
    if (kind !== this.#dismissed) this.storage = kind;
  }

  /** Closes the strip. */
  dismiss() {
    this.#dismissed = this.storage;
    this.storage = null;
  }

  /** Everything is stored again. */
  clear() {
    [this.storage, this.#dismissed] = [null, null];
  }
}

export const trouble = new Trouble();
