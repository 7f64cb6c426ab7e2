// Texts in the visitor's language, and names of pieces and points for screen readers.

import type { MoveJson } from "../api/types";
import { ends, file, rank, type Point } from "../board/geometry";
import { squaresOf } from "../game/fen";
import { pieceCharacter, sideOf } from "../game/pieces";
import { settings } from "../settings.svelte";
import { en, type Words } from "./en";
import { hans } from "./hans";
import { hant } from "./hant";

const TABLES: Record<string, Words> = { en, "zh-Hant": hant, "zh-Hans": hans };

export const LANGUAGE_NAMES = { en: "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文" };

export const words = {
  /** The texts of the current language. */
  get t(): Words {
    return TABLES[settings.language] ?? en;
  },
};

const NUMERALS = "零一二三四五六七八九十";

/** Fills the placeholders `{name}` of a text; `{name:zh}` writes a small number as a Chinese numeral. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)(:zh)?\}/g, (gap, name: string, numeral?: string) => {
    const value = values[name] ?? gap;
    return numeral ? (NUMERALS[Number(value)] ?? String(value)) : String(value);
  });
}

const KINDS: Record<string, keyof Words> = {
  K: "general",
  A: "advisor",
  B: "elephant",
  N: "horse",
  R: "chariot",
  C: "cannon",
  P: "soldier",
};

/** "red horse", 紅傌. */
export function spokenPiece(letter: string): string {
  const side = sideOf(letter);
  if (settings.language !== "en") {
    const character = pieceCharacter(letter, settings.language);
    return (side === "red" ? words.t.red : words.t.black).slice(0, 1) + character;
  }
  const kind = KINDS[letter.toUpperCase()];
  return `${side} ${kind ? words.t[kind] : ""}`;
}

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** "red cannon, h two to e two, takes black soldier"; in Chinese the notation is words already. */
export function spokenMove(move: MoveJson, before: string): string {
  if (settings.language !== "en") {
    return settings.language === "zh-Hans" ? move.simplified : move.traditional;
  }
  const squares = squaresOf(before);
  const [from, to] = ends(move.move);
  const taken = squares[to];
  const path = `${spokenPiece(squares[from] ?? "")}, ${spokenPoint(from)} to ${spokenPoint(to)}`;
  return taken ? `${path}, takes ${spokenPiece(taken)}` : path;
}

/** "c two". */
export function spokenPoint(point: Point): string {
  const letter = String.fromCharCode(97 + file(point));
  const number = rank(point);
  return settings.language === "en" ? `${letter} ${NUMBERS[number]}` : `${letter}${number}`;
}
