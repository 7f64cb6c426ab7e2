// Names of openings in the visitor's language.

import type { NameJson } from "../api/types";
import { settings } from "../settings.svelte";

/** The characters of opening names that are written in another way in simplified Chinese. */
const SIMPLER: Record<string, string> = {
  兌: "兑", 兩: "两", 單: "单", 宮: "宫", 對: "对", 橫: "横", 緩: "缓", 見: "见", 車: "车", 轉: "转",
  進: "进", 過: "过", 開: "开", 順: "顺", 頭: "头", 風: "风", 飛: "飞", 馬: "马",
}; // prettier-ignore

/** The name of a position of opening theory, in the visitor's language. */
export function positionName(name: NameJson): string {
  if (settings.language === "en") return name.english;
  return settings.language === "zh-Hant" ? name.traditional : name.simplified;
}

/** The same in the other language: Chinese for readers of English, English for readers of Chinese. */
export function otherName(name: NameJson): string {
  return settings.language === "en" ? name.traditional : name.english;
}

export function openingName({ chinese, english }: { chinese: string; english: string }): string {
  if (settings.language === "en") return english;
  if (settings.language === "zh-Hant") return chinese;
  return [...chinese].map((character) => SIMPLER[character] ?? character).join("");
}
