// Moves in the notation that the visitor has chosen.

import type { SpelledMove } from "../api/types";
import { settings } from "../settings.svelte";

export function moveText(move: SpelledMove): string {
  switch (settings.notation) {
    case "chinese":
      return settings.language === "zh-Hans" ? move.simplified : move.traditional;
    case "wxf":
      return move.wxf;
    case "iccs":
      return `${move.move.slice(0, 2)}-${move.move.slice(2)}`.toUpperCase();
  }
}

/** The move that somebody has typed, in any notation; nothing if it is none or not clear. */
export function moveTyped(text: string, legal: SpelledMove[]): SpelledMove | null {
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
