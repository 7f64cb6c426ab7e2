// A game that can be played and taken back, as users of ffish.js and chess.js know it.

import { ChuheError } from "./request.ts";
import type { Language, Rules } from "./rules.ts";
import type { BanqiView, MoveJson, PositionView } from "./types.ts";

export interface GameOptions {
  /** The start position as FEN; the usual one by default. */
  start?: string;
  language?: Language;
  /** The repetition rules: `wxf`, `axf` or `cxa`. */
  rules?: string;
}

/** A game of Xiangqi. */
export class Game {
  readonly #rules: Rules;
  readonly #options: GameOptions;
  readonly #moves: string[] = [];
  #view: PositionView;

  constructor(rules: Rules, options: GameOptions = {}) {
    this.#rules = rules;
    this.#options = options;
    this.#view = this.#seen();
  }

  #seen(): PositionView {
    const { start, language, rules } = this.#options;
    return this.#rules.position({ start, moves: this.#moves }, language, rules);
  }

  get fen(): string {
    return this.#view.fen;
  }

  get turn(): PositionView["side"] {
    return this.#view.side;
  }

  /** The moves played, as coordinates. */
  get moves(): readonly string[] {
    return this.#moves;
  }

  /** The legal moves in every notation; none after the end. */
  get legalMoves(): readonly MoveJson[] {
    return this.isOver ? [] : this.#view.moves;
  }

  get isCheck(): boolean {
    return this.#view.check !== null;
  }

  get isOver(): boolean {
    return this.#view.verdict.clause !== null;
  }

  /** `1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on. */
  get result(): string {
    const results: Record<string, string> = { red_wins: "1-0", black_wins: "0-1", draw: "1/2-1/2" };
    return results[this.#view.verdict.result] ?? "*";
  }

  /** The referee's verdict in words, with the repeated moves and their reasons. */
  get verdict(): PositionView["verdict"] {
    return this.#view.verdict;
  }

  /** Plays a move in any notation: `h2e2`, `C2=5`, `馬8進7`, `马8进7`. */
  play(move: string): MoveJson {
    // Black's digits are written in full width.
    const plain = (text: string) => text.normalize("NFKC");
    const found = this.legalMoves.find(({ move: coordinates, wxf, traditional, simplified }) =>
      [coordinates, wxf, traditional, simplified].some((text) => plain(text) === plain(move)),
    );
    if (!found) throw new ChuheError(this.#refusal(move));
    this.#moves.push(found.move);
    this.#view = this.#seen();
    return found;
  }

  /** Why a move is illegal. */
  #refusal(move: string): string {
    if (this.isOver) return "the game is over";
    try {
      this.#rules.position({ start: this.#options.start, moves: [...this.#moves, move] });
    } catch (error) {
      return (error as Error).message;
    }
    return `'${move}' is not legal here`;
  }

  /** Takes the last move back; returns it, or nothing at the start. */
  takeBack(): string | undefined {
    const move = this.#moves.pop();
    if (move !== undefined) this.#view = this.#seen();
    return move;
  }

  /** The line for an engine. */
  get uci(): string {
    const place = this.#options.start ? `fen ${this.#options.start}` : "startpos";
    return `position ${place}${this.#moves.length > 0 ? ` moves ${this.#moves.join(" ")}` : ""}`;
  }
}

/** A game of Banqi: a square flips the piece on it, two squares are a move. */
export class BanqiGame {
  readonly #rules: Rules;
  #moves: string[] = [];
  #view: BanqiView;

  constructor(rules: Rules) {
    this.#rules = rules;
    this.#view = rules.banqi();
  }

  /** Board, legal moves, what may lie face down, result. */
  get view(): BanqiView {
    return this.#view;
  }

  /** The moves played, with the pieces that were turned up. */
  get moves(): readonly string[] {
    return this.#moves;
  }

  /** Plays a legal move; a flip turns up a random piece of those that are left. */
  play(move: string): BanqiView {
    this.#view = this.#rules.banqi(this.#moves, move);
    this.#moves = this.#view.played;
    return this.#view;
  }

  /** Takes the last move back. A flip turned back may show another piece the next time. */
  takeBack(): BanqiView {
    this.#moves = this.#moves.slice(0, -1);
    this.#view = this.#rules.banqi(this.#moves);
    return this.#view;
  }
}
