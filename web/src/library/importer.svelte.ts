// Imports game files and folders into the library, one file after the other, until it is stopped.

import { readBatch, said } from "../api/http";
import { live } from "../api/live.svelte";
import { local } from "../api/local.svelte";
import type { BatchAnswer, RecordJson } from "../api/types";
import { hashOf } from "../hash";
import { server } from "../server.svelte";
import { words } from "../words/words.svelte";
import { library, type Body } from "./library.svelte";

/** Larger files are not read, for the page's sake. */
const MAX_LOCAL_BYTES = 64 << 20;

/** Bytes of a file that may be read: the core takes more than the server. */
export const maxFileBytes = () =>
  local.answers("POST /api/read", live.connected) ? MAX_LOCAL_BYTES : server.about.body_bytes;

export interface Failure {
  name: string;
  reason: string;
}

class Importer {
  running: boolean = $state(false);
  /** Files read, and files in all. */
  done: number = $state(0);
  total: number = $state(0);
  /** Games read so far. */
  games: number = $state(0);
  failures: Failure[] = $state.raw([]);
  /** Whether an import has ended since the page was opened. */
  isOver: boolean = $state(false);

  async run(files: File[]) {
    if (this.running || files.length === 0) return;
    [this.running, this.isOver, this.failures] = [true, false, []];
    [this.done, this.total, this.games] = [0, files.length, 0];
    for (const file of files) {
      if (!this.running) break;
      await this.#read(file).catch((error: Error) => this.#fail(file.name, error.message));
      this.done++;
    }
    [this.running, this.isOver] = [false, true];
  }

  /** Ends the import after the games that are being read; what has been read stays. */
  stop() {
    this.running = false;
  }

  #fail(name: string, reason: string) {
    this.failures = [...this.failures, { name, reason }];
  }

  async #read(file: File) {
    if (file.size > maxFileBytes()) throw new Error(words.t.tooLarge);
    if (file.name.endsWith(".json")) {
      const added = await library.imported(await file.text()).catch(() => null);
      if (added !== null) return void (this.games += added);
    }
    let more = true;
    for (let number = 0; more && this.running;) {
      const batch = await readBatch(file, file.name, number);
      const bodies: Body[] = [];
      for (const [index, { record, error }] of batch.games.entries()) {
        if (record) bodies.push({ record: named(record, file.name) });
        // One bad game does not spoil the others; a bad file has only one.
        else if (error) this.#fail(placeIn(file, number + index, batch), said(error));
      }
      await library.add(bodies.map((body) => [idOf(body.record), body]));
      this.games += bodies.length;
      number += batch.games.length;
      more = batch.more;
    }
  }
}

/** A game in a file that may have several. */
function placeIn(file: File, number: number, { games, more }: BatchAnswer): string {
  const isOnly = number === 0 && games.length === 1 && !more;
  return isOnly ? file.name : `${file.name}, ${number + 1}`;
}

/** The same game has the same id, so that importing a folder again adds only what is new. */
function idOf({ tags, start, nodes }: RecordJson): string {
  return `i${hashOf(JSON.stringify([tags, start, nodes.map((node) => node.move)]))}`;
}

/** A game without players is found by the name of its file. Unknown players are not the visitor, as in own games. */
function named(record: RecordJson, file: string): RecordJson {
  const tags = record.tags.filter(([tag, value]) => !["Red", "Black"].includes(tag) || value !== "?");
  const isKnown = tags.some(([tag, value]) => ["Red", "Black", "Event"].includes(tag) && value);
  return { ...record, tags: isKnown ? tags : [...tags, ["Event", file]] };
}

/** The files of a drop, those inside folders too. Must be called while the event is handled. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files];
  return (await Promise.all(entries.map(filesBelow))).flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith(".")) return [];
  if (entry.isFile)
    return [
      await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
    ];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  for (;;) {
    // A folder is listed in parts, the last of which is empty.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return files;
    for (const below of part) files.push(...(await filesBelow(below)));
  }
}

export const importer = new Importer();
