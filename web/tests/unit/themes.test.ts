import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { themeName } from "../../src/words/themes";

test("every theme of a puzzle has a name", () => {
  const source = readFileSync(new URL("../../../crates/puzzles/src/theme.rs", import.meta.url), "utf8");
  const keys = [...source.matchAll(/^ {4}\w+, "([\w-]+)";$/gm)].map((match) => match[1]!);
  expect(keys.length).toBeGreaterThan(20);
  for (const key of keys)
    for (const language of ["en", "zh-Hant", "zh-Hans"]) expect(themeName(key, language)).not.toBe(key);
});
