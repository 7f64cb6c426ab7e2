// A series of games between two engines: the table, and all games as one file.

import { writeRecord } from "../api/http";
import { save } from "../download";
import { library } from "../library/library.svelte";
import type { Side } from "./pieces";
import { tagOf, type Player } from "./player";
import { Tree } from "./tree.svelte";

type Outcome = "win" | "draw" | "loss";

export class Series {
  /** The engines; the first one has Red in the first game. */
  readonly names: string[];
  readonly total: number;
  /** The results from the first engine's side. */
  results: Outcome[] = $state([]);
  /** The games in the library. */
  ids: string[] = $state([]);

  constructor(players: Record<Side, Player>, total: number) {
    this.names = [tagOf(players.red), tagOf(players.black)];
    this.total = total;
  }

  get isOver(): boolean {
    return this.results.length >= this.total;
  }

  count(outcome: Outcome): number {
    return this.results.filter((result) => result === outcome).length;
  }

  add(id: string, result: string) {
    // The sides are exchanged after each game.
    const hasRed = this.results.length % 2 === 0;
    const isDraw = result !== "1-0" && result !== "0-1";
    this.results.push(isDraw ? "draw" : (result === "1-0") === hasRed ? "win" : "loss");
    this.ids.push(id);
  }

  /** Saves the finished games as one PGN. */
  async download() {
    const texts: string[] = [];
    for (const id of this.ids) {
      const body = await library.body(id);
      if (!body) continue;
      const tree = new Tree();
      tree.open(body.record);
      texts.push(await (await writeRecord(tree.written(), "pgn", "iccs")).bytes.text());
    }
    save(new Blob([texts.join("\n")]), `${this.names.join("-")}.pgn`);
  }
}
