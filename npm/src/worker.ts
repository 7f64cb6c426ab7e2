// The engine's worker: one module, one search at a time. A search runs in slices; between two of them the messages
// that have come are handled. With shared memory (Node, isolated pages) a search pauses exactly when a message waits;
// without, after every SLICE milliseconds.

import { SUPPLY, isNode, nodeModule, type Part } from "./data.ts";
import { Module, Operation, Poll } from "./module.ts";

export type ToWorker =
  | {
      type: "start";
      module: WebAssembly.Module;
      waiting: SharedArrayBuffer | null;
    }
  | { type: "supply"; part: Part; bytes: Uint8Array }
  | { type: "line"; text: string }
  | { type: "live"; text: string }
  | { type: "request"; id: number; request: Uint8Array }
  | { type: "self-check"; id: number; seed: number; games: number };

export type FromWorker =
  | { type: "line"; text: string }
  | { type: "answer"; id: number; output: Uint8Array }
  | { type: "text"; id: number; text: string }
  | { type: "failed"; reason: string };

const SLICE = 60;

interface Port {
  post(message: FromWorker): void;
  listen(handle: (message: ToWorker) => void): void;
}

async function port(): Promise<Port> {
  if (isNode) {
    const { parentPort } = await nodeModule<typeof import("node:worker_threads")>("worker_threads");
    return {
      post: (message) => parentPort?.postMessage(message),
      listen: (handle) => parentPort?.on("message", handle),
    };
  }
  const scope = self as unknown as {
    postMessage(message: FromWorker): void;
    onmessage: (event: MessageEvent<ToWorker>) => void;
  };
  // Messages that came before the first listener wait in the queue of the page that sent them.
  return {
    post: (message) => scope.postMessage(message),
    listen: (handle) => (scope.onmessage = (event) => handle(event.data)),
  };
}

const { post, listen } = await port();
let module: Module | null = null;
/** How many messages have been sent to us and not handled. */
let waiting: Int32Array | null = null;
let sliceEnd = 0;
let scheduled = false;

function slice() {
  scheduled = false;
  sliceEnd = performance.now() + SLICE;
  if (module?.step()) schedule();
}

// Gives way to waiting messages between two slices, without the delay of a timer. Not through a channel in Node, which
// takes a thousand messages of one port before it looks at another.
const defer = isNode ? () => setImmediate(slice) : deferInBrowser();

function deferInBrowser(): () => void {
  const channel = new MessageChannel();
  channel.port2.onmessage = slice;
  return () => channel.port1.postMessage(null);
}

function schedule() {
  if (scheduled) return;
  scheduled = true;
  defer();
}

function poll(): number {
  const pauses = waiting ? Atomics.load(waiting, 0) > 0 : performance.now() >= sliceEnd;
  return pauses ? Poll.Pause : Poll.Continue;
}

async function start(compiled: WebAssembly.Module, shared: SharedArrayBuffer | null) {
  waiting = shared && new Int32Array(shared);
  module = await Module.instantiate(compiled, {
    poll,
    line: (text) => post({ type: "line", text }),
  });
}

function handle(module: Module, message: Exclude<ToWorker, { type: "start" }>) {
  switch (message.type) {
    case "supply": {
      const fault = module.text(SUPPLY[message.part], message.bytes);
      if (fault) post({ type: "failed", reason: `${message.part}: ${fault}` });
      break;
    }
    case "line":
      module.call(Operation.Line, message.text);
      schedule();
      break;
    case "live":
      module.call(Operation.Live, message.text);
      schedule();
      break;
    case "request":
      post({
        type: "answer",
        id: message.id,
        output: module.call(Operation.Request, message.request),
      });
      break;
    case "self-check": {
      const text = module.text(Operation.SelfCheck, `${message.seed} ${message.games}`);
      post({ type: "text", id: message.id, text });
      break;
    }
  }
}

// Messages are handled in order, though the first one takes a while.
let last: Promise<void> = Promise.resolve();
listen((message) => {
  last = last.then(async () => {
    if (waiting) Atomics.sub(waiting, 0, 1);
    if (message.type === "start") await start(message.module, message.waiting);
    else if (module) handle(module, message);
  });
});
