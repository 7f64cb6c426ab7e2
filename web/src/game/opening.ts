// Names of openings in the visitor's language.

import { settings } from "../settings.svelte";

/** The characters of opening names that are written in another way in simplified Chinese. */
const SIMPLER: Record<string, string> = {
  兌: "兑", 兩: "两", 單: "单", 宮: "宫", 對: "对", 橫: "横", 緩: "缓", 見: "见", 車: "车", 轉: "转",
  進: "进", 過: "过", 開: "开", 順: "顺", 頭: "头", 風: "风", 飛: "飞", 馬: "马",
}; // prettier-ignore

export function openingName({ chinese, english }: { chinese: string; english: string }): string {
  if (settings.language === "en") return english;
  if (settings.language === "zh-Hant") return chinese;
  return [...chinese].map((character) => SIMPLER[character] ?? character).join("");
}
