import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PositionView } from "../../src/api/types";
import { ask, launch, SETTINGS, Visitor } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const look = (start: string, moves: string[]) =>
  ask<PositionView>("api/position", { game: { start, moves }, language: "en" });

/** The moves that mate at once, and one that does not. */
async function solutions(fen: string): Promise<{ mates: string[]; other: string | null }> {
  const mates: string[] = [];
  let other: string | null = null;
  for (const { move } of (await look(fen, [])).moves) {
    const after = await look(fen, [move]);
    if (["checkmate", "stalemate"].includes(after.verdict.clause ?? "")) mates.push(move);
    else other = move;
  }
  return { mates, other };
}

describe.each(SETTINGS)("puzzles, $language, $width", (setting) => {
  test("a wrong move is refused, the mate is praised", async () => {
    const visitor = await Visitor.open(browser, setting, "#/puzzles");
    const { page } = visitor;
    const start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    await expect.poll(() => visitor.fen()).not.toBe(start);
    await visitor.shot("puzzles");
    const fen = await visitor.fen();
    const { mates, other } = await solutions(fen);
    const input = page.getByPlaceholder(/h2e2/);
    await input.fill(other!);
    await input.press("Enter");
    await page.getByText(visitor.says("Wrong move. Try again.", "不對，再試一次。")).waitFor();
    await expect.poll(() => visitor.fen()).toBe(fen);
    await input.fill(mates[0]!);
    await input.press("Enter");
    await page.getByText(visitor.says("Solved!", "正解！")).waitFor();
    await visitor.shot("puzzles-solved");
    await visitor.button("Next puzzle", "下一題").click();
    await expect.poll(() => visitor.fen()).not.toContain(fen);
    await visitor.close();
  });
});

test("the next puzzle is always another one, and a solution shown does not count as solved", async () => {
  const visitor = await Visitor.open(browser, SETTINGS[0]!, "#/puzzles");
  const { page } = visitor;
  const next = visitor.button("Next puzzle", "下一題");
  const seen: string[] = [];
  await page.getByText("Solved: 0 of").waitFor();
  for (let count = 0; count < 6; count++) {
    await expect.poll(() => visitor.fen()).not.toBe(seen.at(-1));
    seen.push(await visitor.fen());
    await next.click();
  }
  expect(new Set(seen).size).toBe(6);

  const fen = await visitor.fen();
  await visitor.button("Show the solution", "看解答").click();
  await expect.poll(() => visitor.fen()).not.toBe(fen);
  await visitor.button("Again", "重來").click();
  const { mates } = await solutions(fen);
  const input = page.getByPlaceholder(/h2e2/);
  await input.fill(mates[0]!);
  await input.press("Enter");
  await page.getByText("Solved!").waitFor();
  await page.getByText("Solved: 0 of").waitFor();
  await visitor.close();
});
