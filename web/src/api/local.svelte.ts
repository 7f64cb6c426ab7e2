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

/** Requests that the core answers, and the file that each needs. */
const NEEDS: Record<string, Part | null> = {
  "POST /api/position": null,
  "POST /api/read": null,
  "POST /api/write": null,
  "POST /api/banqi": null,
  "POST /api/banqi/think": null,
  "GET /api/puzzles": null,
  "POST /api/explain": "network",
  "POST /api/opening": "book",
  "POST /api/endgame": "tables",
  "GET /api/endings": "tables",
  "GET /api/longest": "tables",
};
/** Those that take long enough to make the page stutter: the worker answers them. */
const SLOW = new Set(["POST /api/banqi/think", "POST /api/explain", "GET /api/longest"]);
/** Those that a server answers from the visitor's own files, if there is one. */
const OWN_FILES = new Set(["POST /api/opening", "POST /api/endgame", "GET /api/endings", "GET /api/longest"]);

/** Whether the core should answer a request. */
export function answersLocally(target: string, connected: boolean): boolean {
  if (!HAS_CORE || !(target in NEEDS)) return false;
  return IS_STATIC || !connected || !OWN_FILES.has(target);
}

class Local {
  /** What is being loaded, and how much of it has come. */
  loading: { part: Part | "wasm"; share: number } | null = $state(null);

  readonly #source = fromWeb(new URL("core/", document.baseURI));
  #rules: Promise<Rules> | null = null;
  #engine: Promise<Engine> | null = null;
  #onmessage: (message: ServerMessage) => void = () => {};

  #loadedRules(): Promise<Rules> {
    this.#rules ??= Rules.load(this.#source);
    this.#rules.catch(() => (this.#rules = null));
    return this.#rules;
  }

  #startedEngine(): Promise<Engine> {
    this.#engine ??= Engine.start({
      source: this.#source,
      worker: () => new Worker(new URL("../../../npm/src/worker.ts", import.meta.url), { type: "module" }),
      onprogress: (part, loaded, total) => {
        this.loading = loaded < total ? { part, share: loaded / total } : null;
      },
    });
    this.#engine.then(
      (engine) => (engine.online = (line) => this.#onmessage(JSON.parse(line) as ServerMessage)),
      () => (this.#engine = null),
    );
    return this.#engine;
  }

  /** Answers a request. */
  async answer(target: string, query: unknown, body: Uint8Array | string): Promise<Answer> {
    const part = NEEDS[target] ?? null;
    if (SLOW.has(target)) {
      const engine = await this.#startedEngine();
      if (part) await engine.supply(part);
      return engine.request(target, query, body);
    }
    const rules = await this.#loadedRules();
    if (part) await rules.supply(part);
    return rules.request(target, query, body);
  }

  /** Sends a message to the engine, as to the server's live socket. */
  async send(message: ClientMessage, onmessage: (message: ServerMessage) => void): Promise<void> {
    this.#onmessage = onmessage;
    const engine = await this.#startedEngine();
    // A report judges by book and tables; a search is only better with tables.
    if (message.type === "report") await engine.ready();
    else if (message.type !== "stop") void engine.supply("tables").catch(() => {});
    await engine.sendLive(message);
  }
}

export const local = new Local();
