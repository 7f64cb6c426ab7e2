// Rules, notation, records and verdicts, answered at once on the caller's thread.

import { SUPPLY, compiled, loadPart, ownFiles, type Part, type Source } from "./data.ts";
import { Module, Operation, Poll } from "./module.ts";
import { ask, framed, json, ChuheError, type Answer } from "./request.ts";
import type {
  BanqiView,
  EndgameView,
  Ending,
  Explanation,
  ExploredPosition,
  GameJson,
  PositionView,
  Puzzle,
  ReadAnswer,
  WrittenGame,
} from "./types.ts";

export type Language = "en" | "zh-Hant" | "zh-Hans";

export class Rules {
  readonly #module: Module;
  readonly #source: Source;
  readonly #supplied = new Map<Part, Promise<void>>();

  private constructor(module: Module, source: Source) {
    this.#module = module;
    this.#source = source;
  }

  /** Loads the module, without network, book, tables and puzzles. */
  static async load(source: Source = ownFiles()): Promise<Rules> {
    const module = await Module.instantiate(await compiled(source), {
      poll: () => Poll.Continue,
      line: () => {},
    });
    const rules = new Rules(module, source);
    // Code is compiled when it first runs. The first question is asked here, so that a visitor's is answered at once.
    rules.position();
    return rules;
  }

  /** Loads a file, once: the book for openings, tables for endgames, the network for `explain`. */
  supply(part: Part): Promise<void> {
    let supplied = this.#supplied.get(part);
    if (!supplied) {
      supplied = this.#load(part);
      supplied.catch(() => this.#supplied.delete(part));
      this.#supplied.set(part, supplied);
    }
    return supplied;
  }

  async #load(part: Part) {
    const fault = this.#module.text(SUPPLY[part], await loadPart(this.#source, part));
    if (fault) throw new ChuheError(fault);
  }

  /** Answers a request of the web app; see docs/http.md. */
  request(target: string, query?: unknown, body?: Uint8Array | string): Answer {
    return ask(this.#module, framed(target, query, body));
  }

  /** Compares the network's SIMD kernels with scalar code; returns the names of the instruction sets. */
  kernelCheck(): string[] {
    return this.#module.text(Operation.KernelCheck, "").split(" ");
  }

  #post<T>(target: string, body: unknown): T {
    return json<T>(this.request(target, undefined, JSON.stringify(body)));
  }

  /** The last position of a game: legal moves in all notations, check, the referee's verdict. */
  position(game: GameJson = { moves: [] }, language: Language = "en", rules?: string): PositionView {
    return this.#post("POST /api/position", { game, language, rules });
  }

  /** The hand-written evaluation, term by term, and the network's. Needs the network. */
  explain(fen: string): Explanation {
    return this.#post("POST /api/explain", { fen });
  }

  /** The book's moves and the opening's name. Needs the book. */
  opening(game: GameJson): ExploredPosition {
    return this.#post("POST /api/opening", { game });
  }

  /** The result of every legal move. Needs the tables. */
  endgame(game: GameJson): EndgameView {
    return this.#post("POST /api/endgame", { game });
  }

  /** Classical endings by name. Needs the tables. */
  endings(): Ending[] {
    return json(this.request("GET /api/endings"));
  }

  /** Mates, wins and defences with their solutions. Needs the puzzles. */
  puzzles(): Puzzle[] {
    return json(this.request("GET /api/puzzles"));
  }

  /** Reads a record in any format, or a FEN. */
  read(record: Uint8Array | string, name = "", game = 0): ReadAnswer {
    return json(this.request("POST /api/read", { name, game }, record));
  }

  /** Writes a record: `pgn`, `xqf` … */
  write(game: WrittenGame, format: string, style = "iccs"): Answer {
    const answer = this.request("POST /api/write", { format, style }, JSON.stringify(game));
    if (answer.status !== 200) json(answer);
    return answer;
  }

  /** A game of Banqi, after a move if one is given. */
  banqi(moves: string[] = [], move?: string): BanqiView {
    return this.#post("POST /api/banqi", { game: { moves }, move });
  }
}
