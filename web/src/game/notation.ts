// Move notation.

import type { MoveJson } from "../api/types";
import { settings } from "../settings.svelte";

export function moveText(move: MoveJson): string {
  switch (settings.notation) {
    case "chinese":
      return settings.language === "zh-Hans" ? move.simplified : move.traditional;
    case "wxf":
      return move.wxf;
    case "iccs":
      return `${move.move.slice(0, 2)}-${move.move.slice(2)}`.toUpperCase();
  }
}

/** Parses a typed move in any notation; null if it is unknown or ambiguous. */
export function parseMove(text: string, legal: MoveJson[]): MoveJson | null {
  const plain = (word: string) =>
    word
      .toLowerCase()
      .replace(/[\s-]/g, "")
      .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));
  const signs = (word: string) => word.toUpperCase().replace(/\s/g, "").replace(/\./g, "=");
  const found = legal.filter(
    (move) =>
      plain(move.move) === plain(text) ||
      signs(move.wxf) === signs(text) ||
      plain(move.traditional) === plain(text) ||
      plain(move.simplified) === plain(text),
  );
  return found.length === 1 ? found[0]! : null;
}
