// Stale guard: drops the answers to superseded requests.

export class StaleGuard {
  #controller = new AbortController();

  /** The signal of the current request; aborted once it is superseded. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Supersedes the current request and returns the signal of the next one. */
  renew(): AbortSignal {
    this.#controller.abort();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }
}

/** Passes on the outcome of a request until the returned function is called: return it from an `$effect`. */
export function untilStale<T>(
  request: Promise<T>,
  onvalue: (value: T) => void,
  onerror: (error: Error) => void,
): () => void {
  let stale = false;
  request.then(
    (value) => {
      if (!stale) onvalue(value);
    },
    (error: Error) => {
      if (!stale) onerror(error);
    },
  );
  return () => (stale = true);
}
