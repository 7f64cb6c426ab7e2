// The WebAssembly module: numbers and bytes. Its functions are described in crates/wasm/src/{abi,core}.rs.

/** What a call does; the numbers are those of `Operation` in crates/wasm. */
export const Operation = {
  Request: 0,
  SupplyNetwork: 1,
  SupplyBook: 2,
  SupplyTables: 3,
  Line: 4,
  Live: 5,
  SelfCheck: 6,
  KernelCheck: 7,
  SupplyPuzzles: 8,
} as const;
export type Operation = (typeof Operation)[keyof typeof Operation];

/** What a running search is told. */
export const Poll = { Continue: 0, Pause: 1, Stop: 2 } as const;

export interface Host {
  /** Asked now and then by a running search. */
  poll(): number;
  /** Takes a line of the engine. */
  line(text: string): void;
}

interface Exports {
  memory: WebAssembly.Memory;
  chuhe_input(length: number): number;
  chuhe_call(operation: number): number;
  chuhe_output(): number;
  chuhe_step(): number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Milliseconds since 1970, never decreasing. */
export const now = () => performance.timeOrigin + performance.now();

export class Module {
  readonly #exports: Exports;

  private constructor(exports: Exports) {
    this.#exports = exports;
  }

  static async instantiate(compiled: WebAssembly.Module, host: Host): Promise<Module> {
    let memory: WebAssembly.Memory;
    const line = (start: number, length: number) =>
      host.line(decoder.decode(new Uint8Array(memory.buffer, start, length)));
    const imports = { chuhe: { now, poll: () => host.poll(), line } };
    const instance = await WebAssembly.instantiate(compiled, imports);
    const exports = instance.exports as unknown as Exports;
    memory = exports.memory;
    return new Module(exports);
  }

  /** Runs an operation; the result is a copy. */
  call(operation: Operation, input: Uint8Array | string): Uint8Array {
    const bytes = typeof input === "string" ? encoder.encode(input) : input;
    const place = this.#exports.chuhe_input(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, place, bytes.length).set(bytes);
    const length = this.#exports.chuhe_call(operation);
    const start = this.#exports.chuhe_output();
    return new Uint8Array(this.#exports.memory.buffer, start, length).slice();
  }

  /** Runs an operation whose result is a text. */
  text(operation: Operation, input: Uint8Array | string): string {
    return decoder.decode(this.call(operation, input));
  }

  /** Searches for a slice; returns whether more follow. */
  step(): boolean {
    return this.#exports.chuhe_step() !== 0;
  }
}
