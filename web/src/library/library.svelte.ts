// The visitor's library: games and studies with their scores and reports, in the browser's database. Tabs tell each
// other about changes; the whole library can be exported to one file and imported again.

import type { RecordJson } from "../api/types";
import type { StoredReport } from "../game/report.svelte";
import type { TreeNode } from "../game/tree.svelte";
import { load, replaceStored } from "../storage";
import { trouble } from "../trouble.svelte";
import { undo } from "../undo.svelte";
import { allHeads, bodyOf, deleteEntry, putEntries } from "./database";
import { titleOf } from "./title";

export type Kind = "game" | "study";

/** What lists show of an entry. */
export interface Head {
  id: string;
  kind: Kind;
  /** Chosen by the visitor; null for a title made of the tags. */
  name: string | null;
  /** Values of the tags, for titles and searches. */
  red: string;
  black: string;
  event: string;
  result: string;
  plies: number;
  hasReport: boolean;
  /** Milliseconds since 1970. */
  changed: number;
}

/** A game with everything that is known about it. */
export interface Body {
  record: RecordJson;
  /** The scores of the root and of all nodes in preorder. */
  scores?: TreeNode["score"][];
  report?: StoredReport | null;
}

/** The file of an exported library. */
interface LibraryFile {
  chuhe: "library";
  version: 1;
  entries: { head: Head; body: Body }[];
  puzzles: unknown;
}

export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => (byte % 36).toString(36)).join("");

function headOf(id: string, kind: Kind, name: string | null, { record, report }: Body): Head {
  const tag = (wanted: string) => record.tags.find(([known]) => known === wanted)?.[1] ?? "";
  return {
    id,
    kind,
    name,
    red: tag("Red"),
    black: tag("Black"),
    event: tag("Event"),
    result: record.result,
    plies: record.nodes.length,
    hasReport: report != null,
    changed: Date.now(),
  };
}

class Library {
  /** Latest change first; null while loading. */
  heads: Head[] | null = $state.raw(null);
  /** Entries that could not be stored; they last as long as the page. */
  readonly #unsaved = new Map<string, [Head, Body]>();
  readonly #channel = new BroadcastChannel("chuhe.library");

  constructor() {
    this.#channel.onmessage = () => void this.refresh();
    addEventListener("beforeunload", (event) => {
      // The browser asks before it closes the page.
      if (this.#unsaved.size > 0) event.preventDefault();
    });
    void this.refresh();
  }

  async refresh() {
    const stored = await allHeads().catch((error: unknown) => {
      trouble.note(error);
      return this.heads ?? [];
    });
    const heads = new Map(stored.map((head) => [head.id, head]));
    for (const [head] of this.#unsaved.values()) heads.set(head.id, head);
    this.heads = [...heads.values()].sort((one, other) => other.changed - one.changed);
  }

  async #announce() {
    this.#channel.postMessage("changed");
    await this.refresh();
  }

  /** Stores entries. Where that fails, the page says so and keeps them itself. */
  async #put(entries: [Head, Body][]) {
    try {
      await putEntries(entries);
      for (const [{ id }] of entries) this.#unsaved.delete(id);
    } catch (error) {
      for (const entry of entries) this.#unsaved.set(entry[0].id, entry);
      trouble.note(error);
    }
    await this.#announce();
  }

  /** Tries again to store what could not be stored, after room was made. */
  async #retry() {
    if (this.#unsaved.size === 0) return;
    try {
      for (const [id, entry] of [...this.#unsaved]) {
        await putEntries([entry]);
        this.#unsaved.delete(id);
      }
      trouble.clear();
    } catch (error) {
      trouble.note(error);
    }
  }

  head(id: string): Head | null {
    return this.heads?.find((head) => head.id === id) ?? null;
  }

  async body(id: string): Promise<Body | null> {
    const unsaved = this.#unsaved.get(id);
    if (unsaved) return unsaved[1];
    return bodyOf(id).catch((error: unknown) => {
      trouble.note(error);
      return null;
    });
  }

  /** Stores a game, or what became of it. */
  async put(id: string, kind: Kind, body: Body) {
    const known = this.head(id);
    const head = headOf(id, known?.kind ?? kind, known?.name ?? null, body);
    await this.#put([[head, body]]);
  }

  /** Stores imported games. */
  async add(bodies: [id: string, body: Body][]) {
    await this.#put(bodies.map(([id, body]) => [headOf(id, "game", null, body), body]));
  }

  async rename(id: string, name: string) {
    const [head, body] = [this.head(id), await this.body(id)];
    if (head && body) await this.#put([[{ ...head, name: name.trim() || null }, body]]);
  }

  async remove(id: string) {
    const [head, body] = [this.head(id), await this.body(id)];
    if (!head) return;
    const wasUnsaved = this.#unsaved.delete(id);
    try {
      await deleteEntry(id);
      await this.#retry();
    } catch (error) {
      trouble.note(error);
      if (!wasUnsaved) return;
      // Without a database the list of the page is the only one.
      this.heads = this.heads?.filter((known) => known.id !== id) ?? null;
    }
    await this.#announce();
    undo.announce("entryDeleted", () => {
      if (body) void this.#put([[head, body]]);
    });
  }

  /** The entries whose texts contain all words of a search. */
  found(search: string): Head[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return (this.heads ?? []).filter((head) => {
      const text = [titleOf(head), head.red, head.black, head.event, head.result].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  /** The whole library and the results of puzzles as one file. */
  async exported(): Promise<Blob> {
    const entries: LibraryFile["entries"] = [];
    for (const head of this.heads ?? []) {
      const body = await this.body(head.id);
      if (body) entries.push({ head, body });
    }
    const file: LibraryFile = { chuhe: "library", version: 1, entries, puzzles: load("puzzles") };
    return new Blob([JSON.stringify(file)], { type: "application/json" });
  }

  /** Adds the entries of an exported file; of an entry in both, the later one stays. Returns how many were added. */
  async imported(text: string): Promise<number> {
    const file = JSON.parse(text) as Partial<LibraryFile>;
    if (file.chuhe !== "library" || !Array.isArray(file.entries)) throw new Error("not a library");
    const added = file.entries.filter(({ head }) => (this.head(head.id)?.changed ?? 0) < head.changed);
    await this.#put(added.map(({ head, body }) => [head, body]));
    if (file.puzzles && !load("puzzles")) replaceStored("puzzles", file.puzzles);
    return added.length;
  }
}

export const library = new Library();
