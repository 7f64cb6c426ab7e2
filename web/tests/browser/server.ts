// The server of all stories: the real program on a free port.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { PROGRAM, serve } from "./program";

declare module "vitest" {
  export interface ProvidedContext {
    address: string;
  }
}

/** A journal of a match, as `chuhe match --resume` writes it: two games between two engines. */
function journal(): string {
  const game = (number: number, red: string, black: string, outcome: string) => ({
    game: number,
    pair: 1,
    red,
    black,
    limits: ["20 ms", "20 ms"],
    date: "2026.11.16",
    outcome,
    termination: "rules",
    reason: "checkmate",
    start: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    opening_plies: 1,
    moves: ["h2e2", "h9g7", "h0g2", "i9h9"].map((move) => ({ move, score: 12, depth: 5, us: 20_000 })),
    excused: 0,
  });
  const lines = [
    { journal: 1, conditions: "" },
    game(1, "new", "old", "1-0"),
    game(2, "old", "new", "1/2-1/2"),
  ];
  return lines.map((line) => JSON.stringify(line) + "\n").join("");
}

export default async function start(project: TestProject): Promise<() => void> {
  const home = mkdtempSync(join(tmpdir(), "chuhe-"));
  const at = (name: string) => join(home, name);
  const chuhe = (...words: string[]) => execFileSync(PROGRAM, words, { stdio: "pipe" });
  const games = "../docs/examples/printed-games.pgn";
  chuhe("games", "import", games, "--db", at("games.db"));
  chuhe("book", "build", games, "--out", at("stories.book"));
  // A small starter collection.
  chuhe("games", "make", at("starter.games"), "--games", "4", "--nodes", "100");
  mkdirSync(at("records"));
  writeFileSync(at("records/match.jsonl"), journal());
  // Our own engine over UCI serves as the rival.
  const settings = {
    engines: 2,
    hash: 32,
    tables: at("tables"),
    book: at("stories.book"),
    games: at("games.db"),
    starter: at("starter.games"),
    records: [at("records")],
  };
  const toml = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  const limits = "[limits]\nanalysis_hash = 128\n";
  const rival = `[[rivals]]\nname = "Rival"\nprogram = ${JSON.stringify(PROGRAM)}\n`;
  writeFileSync(at("settings.toml"), toml.join("") + limits + rival);
  const server = await serve("0", "--settings", at("settings.toml"));
  project.provide("address", server.address);
  return () => {
    server.process.kill();
    rmSync(home, { recursive: true, force: true });
  };
}
