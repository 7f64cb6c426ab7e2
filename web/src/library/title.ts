// Titles of games and studies.

import { settings } from "../settings.svelte";
import { filled, words } from "../words/words.svelte";
import type { Head } from "./library.svelte";

/** The engine in the records of the visitor's games. */
const LEVEL = /^Chuhe (\d+)$/;

function playerName(player: string, opponent: string, isOwn: boolean): string {
  const [, level] = LEVEL.exec(player) ?? [];
  if (level) return filled(words.t.chuheLevel, { n: level });
  const isVisitor = player === "?" && (isOwn || LEVEL.test(opponent));
  return isVisitor ? words.t.you : player || "?";
}

/** The players of a record by their tags, or null if they are unknown. In the visitor's own games `?` is the visitor. */
export function playersOf(red: string, black: string, isOwn: boolean): string | null {
  const isUnknown = (player: string) => player === "" || player === "?";
  if (isUnknown(red) && isUnknown(black)) return isOwn && red && black ? words.t.twoPeople : null;
  return `${playerName(red, black, isOwn)} – ${playerName(black, red, isOwn)}`;
}

/** The visitor's name for an entry, or the players, or the kind. */
export function titleOf({ name, red, black, kind }: Pick<Head, "name" | "red" | "black" | "kind">): string {
  const isGame = kind === "game";
  return name || playersOf(red, black, isGame) || (isGame ? words.t.kindGame : words.t.kindStudy);
}

/** The date of a record in the visitor's language; what is unknown of it is left out. */
export function dateText(date: string): string {
  const [, year, month, day] = /^(\d{4})\.(\d\d)\.(\d\d)$/.exec(date) ?? [];
  if (!year) return date.replace(/\.?\?+/g, "");
  const time = new Date(Number(year), Number(month) - 1, Number(day));
  return time.toLocaleDateString(settings.language, { dateStyle: "medium" });
}
