// Trouble with the browser's storage, shown in a strip at the bottom of the page.

class Trouble {
  storage: "storageFull" | "storageForbidden" | null = $state(null);

  /** Notes why something could not be stored. */
  note(error: unknown) {
    const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
    this.storage = isFull ? "storageFull" : "storageForbidden";
  }
}

export const trouble = new Trouble();
