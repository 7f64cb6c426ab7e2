// The local core: Chuhe's WebAssembly module in the page and in a worker. It answers what needs no server, and
// searches where there is none.

import { fromWeb, type Part } from "../../../npm/src/data";
import { Engine } from "../../../npm/src/engine";
import { Rules } from "../../../npm/src/rules";
import type { Answer } from "../../../npm/src/request";
import type { ClientMessage, ServerMessage } from "./types";

/** Whether this build has the module. */
export const HAS_CORE: boolean = __CORE__;
/** Whether these are static files, without a server behind them. */
export const IS_STATIC: boolean = __STATIC__;

/** Requests that the page's own copy of the rules answers at once. */
const AT_ONCE = new Set([
  "POST /api/position",
  "POST /api/read",
  "POST /api/read/batch",
  "POST /api/write",
  "POST /api/banqi",
]);
/** Requests that take longer or need a file: the worker answers them. A server is asked first; it may have more. */
const IN_WORKER: Record<string, Part | null> = {
  "POST /api/banqi/think": null,
  "POST /api/explain": "network",
  "POST /api/opening": "book",
  "POST /api/endgame": "tables",
  "GET /api/endings": "tables",
  "GET /api/longest": "tables",
  "GET /api/puzzles": "puzzles",
};
/** Larger records are read in the worker, so that the page does not stutter. */
const LARGE = 100_000;

class Local {
  /** What is being loaded while somebody waits for it, and how much of it has come. */
  loading: { part: Part | "wasm"; share: number } | null = $state(null);
  /** The module cannot be loaded, until the server is back. */
  broken: boolean = $state(false);

  readonly #source = fromWeb(new URL("core/", document.baseURI));
  #rules: Promise<Rules> | null = null;
  #hasRules = false;
  #engine: Promise<Engine> | null = null;
  #onmessage: (message: ServerMessage) => void = () => {};
  #waiting = 0;
  #lastMessage = 0;

  /** Whether the core should answer a request rather than the server. */
  answers(target: string, connected: boolean): boolean {
    if (!HAS_CORE || this.broken) return false;
    if (IS_STATIC || !connected) return AT_ONCE.has(target) || target in IN_WORKER;
    return this.#hasRules && AT_ONCE.has(target);
  }

  #loadedRules(): Promise<Rules> {
    this.#rules ??= Rules.load(this.#source);
    this.#rules.then(
      () => (this.#hasRules = true),
      () => (this.#rules = null),
    );
    return this.#rules;
  }

  #startedEngine(): Promise<Engine> {
    this.#engine ??= Engine.start({
      source: this.#source,
      worker: () => new Worker(new URL("../../../npm/src/worker.ts", import.meta.url), { type: "module" }),
      onprogress: (part, loaded, total) => {
        const isSeen = this.#waiting > 0 && loaded < total;
        this.loading = isSeen ? { part, share: loaded / total } : null;
      },
    });
    this.#engine.then(
      (engine) => (engine.online = (line) => this.#onmessage(JSON.parse(line) as ServerMessage)),
      () => (this.#engine = null),
    );
    return this.#engine;
  }

  /** Shows progress while the work goes on. */
  async #awaited<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    try {
      return await work();
    } finally {
      this.#waiting--;
      if (this.#waiting === 0) this.loading = null;
    }
  }

  /** Loads everything while the page is idle, so that it goes on when the server is lost. */
  async warm(): Promise<void> {
    await this.#loadedRules();
    const engine = await this.#startedEngine();
    await Promise.all([engine.ready(), engine.supply("puzzles")]);
    document.documentElement.dataset.core = "ready";
  }

  /** Answers a request. */
  answer(target: string, query: unknown, body: Uint8Array | string): Promise<Answer> {
    return this.#awaited(async () => {
      if (AT_ONCE.has(target) && body.length < LARGE)
        return (await this.#loadedRules()).request(target, query, body);
      const engine = await this.#startedEngine();
      const part = IN_WORKER[target];
      if (part) await engine.supply(part);
      return engine.request(target, query, body);
    });
  }

  /** Sends a message to the engine, as to the server's live socket. */
  send(message: ClientMessage, onmessage: (message: ServerMessage) => void): Promise<void> {
    this.#onmessage = onmessage;
    const number = ++this.#lastMessage;
    return this.#awaited(async () => {
      const engine = await this.#startedEngine();
      // A report judges by book and tables, a player may use the book; an analysis is only better with tables.
      if (message.type === "report") await engine.ready();
      else if (message.type === "think" && message.book) await engine.supply("book").catch(() => {});
      if (message.type !== "stop") void engine.supply("tables").catch(() => {});
      // A later message may have overtaken this one while files were loaded.
      if (number === this.#lastMessage) await engine.sendLive(message);
    });
  }
}

export const local = new Local();
