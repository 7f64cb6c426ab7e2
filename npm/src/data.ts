// The files beside the module: network, book, endgame tables, puzzles. Loaded when they are first needed.

import { Operation } from "./module.ts";

/** A file that the module is supplied with. */
export type Part = "network" | "book" | "tables" | "puzzles";

export const SUPPLY = {
  network: Operation.SupplyNetwork,
  book: Operation.SupplyBook,
  tables: Operation.SupplyTables,
  puzzles: Operation.SupplyPuzzles,
} as const;

/** The names of the files; they contain a hash of the content, so that a cache never goes stale. */
export interface Files {
  wasm: string;
  network: string;
  book: string;
  tables: string;
  puzzles: string;
  /** Their sizes in bytes: what is sent may be compressed. */
  sizes?: Record<Part | "wasm", number>;
}

export type Progress = (part: Part | "wasm", loaded: number, total: number) => void;

/** Where files come from. */
export interface Source {
  files(): Promise<Files>;
  /** The content of a file; `size` is the total for progress, if it is known. */
  bytes(
    name: string,
    onprogress?: (loaded: number, total: number) => void,
    size?: number,
  ): Promise<Uint8Array<ArrayBuffer>>;
}

const modules = new WeakMap<Source, Promise<WebAssembly.Module>>();

/** The module of a source, loaded and compiled once for rules and engine. */
export function compiled(source: Source, onprogress?: Progress): Promise<WebAssembly.Module> {
  let module = modules.get(source);
  if (!module) {
    module = loadPart(source, "wasm", onprogress).then((bytes) => WebAssembly.compile(bytes));
    modules.set(source, module);
    module.catch(() => modules.delete(source));
  }
  return module;
}

/** Loads a file of a source. */
export async function loadPart(source: Source, part: Part | "wasm", onprogress?: Progress) {
  const files = await source.files();
  return source.bytes(
    files[part],
    onprogress && ((loaded, total) => onprogress(part, loaded, total)),
    files.sizes?.[part],
  );
}

/** Files on the web, below an address. */
export function fromWeb(base: URL | string): Source {
  const fetched = async (name: string) => {
    const response = await fetch(new URL(name, base));
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    return response;
  };
  let files: Promise<Files> | null = null;
  return {
    files() {
      files ??= fetched("files.json").then((response) => response.json() as Promise<Files>);
      files.catch(() => (files = null));
      return files;
    },
    async bytes(name, onprogress, size) {
      const response = await fetched(name);
      const total = size ?? Number(response.headers.get("content-length") ?? 0);
      if (!response.body || !onprogress) return new Uint8Array(await response.arrayBuffer());
      const parts: Uint8Array[] = [];
      let loaded = 0;
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        loaded += value.length;
        onprogress(loaded, Math.max(total, loaded));
      }
      const whole = new Uint8Array(loaded);
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
  };
}

/** Files in a folder, under Node. */
export function fromFolder(folder: URL): Source {
  const read = async (name: string) => {
    const { readFile } = await nodeModule<typeof import("node:fs/promises")>("fs/promises");
    return new Uint8Array(await readFile(new URL(name, folder)));
  };
  return {
    files: async () => JSON.parse(new TextDecoder().decode(await read("files.json"))) as Files,
    bytes: (name) => read(name),
  };
}

/** A module of Node; bundlers for browsers must not follow the import. */
export function nodeModule<T>(name: string): Promise<T> {
  return import(/* @vite-ignore */ `node:${name}`) as Promise<T>;
}

export const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);

// Not written into the call: bundlers would take it for a file of theirs.
const OWN_DATA = "../data/";

/** The package's own files. */
export function ownFiles(): Source {
  const folder = new URL(OWN_DATA, import.meta.url);
  return isNode && folder.protocol === "file:" ? fromFolder(folder) : fromWeb(folder);
}
