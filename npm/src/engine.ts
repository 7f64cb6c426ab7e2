// The engine in a worker: UCI lines in and out, as with any engine, or the live messages of Chuhe's web app.

import {
  compiled,
  isNode,
  loadPart,
  nodeModule,
  ownFiles,
  type Part,
  type Progress,
  type Source,
} from "./data.ts";
import { framed, json, unframed, type Answer } from "./request.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

// Not written into the call: bundlers would take it for a file of theirs.
const OWN_WORKER = "./worker.js";

interface AnyWorker {
  postMessage(message: ToWorker): void;
  terminate(): void;
}

export interface EngineOptions {
  /** Where the files are; the package's own by default. */
  source?: Source;
  /** Starts the worker; for bundlers that want to see its address. */
  worker?: () => Worker;
  onprogress?: Progress;
  /** Whether the worker is told of messages through shared memory; where there is any, by default. */
  shared?: boolean;
}

/** An engine in a worker of its own. */
export class Engine {
  /** Takes the engine's lines. */
  online: (line: string) => void = () => {};
  /** Takes what went wrong in the worker. */
  onfailed: (reason: string) => void = () => {};

  readonly #worker: AnyWorker;
  readonly #source: Source;
  readonly #waiting: Int32Array | null;
  readonly #onprogress: Progress | undefined;
  readonly #answers = new Map<number, (answer: FromWorker) => void>();
  readonly #supplied = new Map<Part, Promise<void>>();
  #lastId = 0;

  private constructor(
    worker: AnyWorker,
    source: Source,
    waiting: Int32Array | null,
    onprogress?: Progress,
  ) {
    this.#worker = worker;
    this.#source = source;
    this.#waiting = waiting;
    this.#onprogress = onprogress;
  }

  /** Starts an engine. It has no network yet: `ready` or the first `send` loads it. */
  static async start(options: EngineOptions = {}): Promise<Engine> {
    const source = options.source ?? ownFiles();
    const module = await compiled(source, options.onprogress);
    const shares = options.shared ?? typeof SharedArrayBuffer !== "undefined";
    const memory = shares ? new SharedArrayBuffer(4) : null;
    const waiting = memory && new Int32Array(memory);
    let engine: Engine | null = null;
    const worker = await startWorker(options.worker, (message) => engine?.receive(message));
    engine = new Engine(worker, source, waiting, options.onprogress);
    engine.#post({ type: "start", module, waiting: memory });
    return engine;
  }

  #post(message: ToWorker) {
    // The worker sees this in the middle of a search, and the message itself after it has paused.
    if (this.#waiting && message.type !== "start") Atomics.add(this.#waiting, 0, 1);
    this.#worker.postMessage(message);
  }

  private receive(message: FromWorker) {
    if (message.type === "line") this.online(message.text);
    else if (message.type === "failed") this.onfailed(message.reason);
    else {
      this.#answers.get(message.id)?.(message);
      this.#answers.delete(message.id);
    }
  }

  /** Loads a file into the engine, once. */
  supply(part: Part): Promise<void> {
    let supplied = this.#supplied.get(part);
    if (!supplied) {
      supplied = loadPart(this.#source, part, this.#onprogress).then((bytes) =>
        this.#post({ type: "supply", part, bytes }),
      );
      supplied.catch(() => this.#supplied.delete(part));
      this.#supplied.set(part, supplied);
    }
    return supplied;
  }

  /** Loads everything that the engine plays best with: network, book and tables. */
  async ready(): Promise<void> {
    await Promise.all([this.supply("network"), this.supply("book"), this.supply("tables")]);
  }

  /** Sends a line: `uci`, `position startpos moves h2e2`, `go movetime 1000`, `stop` … */
  async send(line: string): Promise<void> {
    await this.supply("network");
    this.#post({ type: "line", text: line });
  }

  /** Sends a message of the live socket; see docs/http.md. */
  async sendLive(message: unknown): Promise<void> {
    await this.supply("network");
    this.#post({ type: "live", text: JSON.stringify(message) });
  }

  /** Sends lines and waits for one that starts with `end` or matches it; returns all lines up to it. */
  async ask(lines: string[], end: string | RegExp): Promise<string[]> {
    const received: string[] = [];
    const before = this.online;
    const done = new Promise<void>((resolve) => {
      this.online = (line) => {
        received.push(line);
        before(line);
        if (typeof end === "string" ? line.startsWith(end) : end.test(line)) resolve();
      };
    });
    for (const line of lines) await this.send(line);
    await done;
    this.online = before;
    return received;
  }

  /** A request, answered in the worker; see docs/http.md. */
  async request(target: string, query?: unknown, body?: Uint8Array | string): Promise<Answer> {
    const answer = await this.#answer((id) => ({
      type: "request",
      id,
      request: framed(target, query, body),
    }));
    if (answer.type !== "answer") throw new Error("the worker answered something else");
    return unframed(answer.output);
  }

  /** The same for JSON. */
  async json<T>(target: string, query?: unknown, body?: unknown): Promise<T> {
    return json<T>(await this.request(target, query, body === undefined ? undefined : JSON.stringify(body)));
  }

  /** The digest of random games, which the native program computes alike. */
  async selfCheck(seed: number, games: number): Promise<string> {
    await this.supply("network");
    const answer = await this.#answer((id) => ({
      type: "self-check",
      id,
      seed,
      games,
    }));
    return answer.type === "text" ? answer.text : "";
  }

  #answer(message: (id: number) => ToWorker): Promise<FromWorker> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.#post(message(id));
    });
  }

  /** Ends the worker. */
  quit() {
    this.#worker.terminate();
  }
}

async function startWorker(
  make: (() => Worker) | undefined,
  receive: (message: FromWorker) => void,
): Promise<AnyWorker> {
  if (isNode) {
    const { Worker: NodeWorker } = await nodeModule<typeof import("node:worker_threads")>("worker_threads");
    const worker = new NodeWorker(new URL(OWN_WORKER, import.meta.url));
    worker.on("message", receive);
    return {
      postMessage: (message) => worker.postMessage(message),
      terminate: () => void worker.terminate(),
    };
  }
  const worker = make?.() ?? new Worker(new URL(OWN_WORKER, import.meta.url), { type: "module" });
  worker.onmessage = (event: MessageEvent<FromWorker>) => receive(event.data);
  return worker;
}
