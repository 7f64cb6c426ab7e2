// Titles of entries of the library.

import { words } from "../words/words.svelte";
import type { Head } from "./library.svelte";

/** The visitor's name for an entry, or the players, or the kind. */
export function titleOf({ name, red, black, kind }: Pick<Head, "name" | "red" | "black" | "kind">): string {
  if (name) return name;
  const players = [red, black].map((player) => (player === "?" ? words.t.you : player));
  if (red || black) return players.map((player) => player || "?").join(" – ");
  return kind === "game" ? words.t.kindGame : words.t.kindStudy;
}
