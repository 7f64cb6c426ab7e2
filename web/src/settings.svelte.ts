// The visitor's preferences, stored in the browser.

import { load, store } from "./storage";

export type Language = "en" | "zh-Hant" | "zh-Hans";
export type Notation = "chinese" | "wxf" | "iccs";
export type PieceSet = "chinese" | "simplified" | "western";
export type EnginePlace = "auto" | "local" | "server";
export type Theme = "auto" | "light" | "dark";
export type BookUse = "off" | "level" | "best" | "varied";
export type BoardTheme = "wood" | "paper" | "contrast";
/** Rules of repetition: World, Asian and Chinese federations, and perpetual check alone. */
export type Rules = "wxf" | "axf" | "cxa" | "computer";

export const LANGUAGES: Language[] = ["en", "zh-Hant", "zh-Hans"];
export const NOTATIONS: Notation[] = ["chinese", "wxf", "iccs"];
export const PIECE_SETS: PieceSet[] = ["chinese", "simplified", "western"];
export const ENGINE_PLACES: EnginePlace[] = ["auto", "local", "server"];
export const THEMES: Theme[] = ["auto", "light", "dark"];
export const BOOK_USES: BookUse[] = ["level", "best", "varied", "off"];
export const BOARD_THEMES: BoardTheme[] = ["wood", "paper", "contrast"];
export const RULES: Rules[] = ["wxf", "axf", "cxa", "computer"];

function preferredLanguage(): Language {
  for (const tag of navigator.languages) {
    if (/^zh-(Hant|TW|HK|MO)/i.test(tag)) return "zh-Hant";
    if (/^zh/i.test(tag)) return "zh-Hans";
    if (/^en/i.test(tag)) return "en";
  }
  return "en";
}

class Settings {
  language: Language = $state(preferredLanguage());
  /** Null until chosen: the default depends on the language. */
  chosenNotation: Notation | null = $state(null);
  pieces: PieceSet = $state("chinese");
  theme: Theme = $state("auto");
  board: BoardTheme = $state("wood");
  sound: boolean = $state(true);
  arrows: boolean = $state(true);
  lines: number = $state(3);
  /** Threads of an analysis on the server, as far as it allows and has them. */
  threads: number = $state(1);
  /** Transposition table of an analysis in mebibytes; 0 for the usual one. */
  hash: number = $state(0);
  /** The last depth of an analysis; 0 for none. */
  depth: number = $state(0);
  /** Where the engine runs; automatic: on the server while it answers. */
  engine: EnginePlace = $state("auto");
  /** How the opponent plays from the opening book. */
  book: BookUse = $state("level");
  /** The rules of repetition that endgames are judged by. */
  rules: Rules = $state("wxf");

  constructor() {
    const saved = load<Record<string, unknown>>("settings") ?? {};
    if (LANGUAGES.includes(saved.language as Language)) this.language = saved.language as Language;
    if (NOTATIONS.includes(saved.notation as Notation)) this.chosenNotation = saved.notation as Notation;
    if (PIECE_SETS.includes(saved.pieces as PieceSet)) this.pieces = saved.pieces as PieceSet;
    if (THEMES.includes(saved.theme as Theme)) this.theme = saved.theme as Theme;
    if (BOARD_THEMES.includes(saved.board as BoardTheme)) this.board = saved.board as BoardTheme;
    if (typeof saved.sound === "boolean") this.sound = saved.sound;
    if (ENGINE_PLACES.includes(saved.engine as EnginePlace)) this.engine = saved.engine as EnginePlace;
    if (typeof saved.arrows === "boolean") this.arrows = saved.arrows;
    if (BOOK_USES.includes(saved.book as BookUse)) this.book = saved.book as BookUse;
    if (RULES.includes(saved.rules as Rules)) this.rules = saved.rules as Rules;
    // Before there was a choice of policy.
    if (saved.book === false) this.book = "off";
    if (Number.isInteger(saved.threads)) this.threads = Math.max(saved.threads as number, 1);
    if (Number.isInteger(saved.hash)) this.hash = Math.max(saved.hash as number, 0);
    if (Number.isInteger(saved.depth)) this.depth = Math.max(saved.depth as number, 0);
    if (Number.isInteger(saved.lines)) this.lines = Math.min(Math.max(saved.lines as number, 1), 5);
  }

  get notation(): Notation {
    return this.chosenNotation ?? (this.language === "en" ? "wxf" : "chinese");
  }

  nextNotation() {
    const index = NOTATIONS.indexOf(this.notation);
    this.chosenNotation = NOTATIONS[(index + 1) % NOTATIONS.length] ?? "wxf";
  }

  /** Stores changes and applies those that concern the whole page. */
  follow() {
    $effect(() => {
      store("settings", {
        language: this.language,
        notation: this.chosenNotation,
        pieces: this.pieces,
        theme: this.theme,
        board: this.board,
        sound: this.sound,
        arrows: this.arrows,
        lines: this.lines,
        threads: this.threads,
        hash: this.hash,
        depth: this.depth,
        engine: this.engine,
        book: this.book,
        rules: this.rules,
      });
      document.documentElement.lang = this.language;
      document.documentElement.dataset.theme = this.theme;
      document.documentElement.dataset.board = this.board;
    });
  }
}

export const settings = new Settings();
