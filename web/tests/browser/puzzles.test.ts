import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PositionView, Puzzle } from "../../src/api/types";
import { ask, fetched, launch, SETTINGS, Visitor, WIDTHS } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

/** The puzzle on the board, and a move that is not its solution. */
async function puzzleOf(fen: string): Promise<{ solution: string[]; wrong: string }> {
  const board = fen.split(" ").slice(0, 2).join(" ");
  const all = await fetched<Puzzle[]>("api/puzzles");
  const { solution, mate } = all.find((puzzle) => puzzle.fen === board)!;
  const view = await ask<PositionView>("api/position", { game: { start: fen, moves: [] }, language: "en" });
  // Where mate is asked for, a move that does not even check is no second solution.
  const others = view.moves.filter(({ move }) => move !== solution[0]);
  const checks = await Promise.all(
    others.map(async ({ move }) => {
      const game = { start: fen, moves: [move] };
      return (await ask<PositionView>("api/position", { game, language: "en" })).check;
    }),
  );
  const wrong = others.find((_, place) => mate === null || !checks[place])!;
  return { solution, wrong: wrong.move };
}

/** Plays the solver's moves; the page answers with the defence. */
async function solve(visitor: Visitor, solution: string[]) {
  const input = visitor.page.getByPlaceholder(/h2e2/);
  const own = solution.filter((_, ply) => ply % 2 === 0);
  for (const [place, move] of own.entries()) {
    const before = await visitor.fen();
    await input.fill(move);
    await input.press("Enter");
    if (place + 1 === own.length) return;
    const isOurTurnAgain = async () => {
      const fen = await visitor.fen();
      return fen !== before && fen.split(" ")[1] === before.split(" ")[1];
    };
    await expect.poll(isOurTurnAgain).toBe(true);
  }
}

describe.each(SETTINGS)("puzzles, $language, $width", (setting) => {
  test("a wrong move is refused, the solution is praised", async () => {
    const visitor = await Visitor.open(browser, setting, "#/puzzles");
    const { page } = visitor;
    const start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    await expect.poll(() => visitor.fen()).not.toBe(start);
    await visitor.shot("puzzles");
    const fen = await visitor.fen();
    const { solution, wrong } = await puzzleOf(fen);
    const input = page.getByPlaceholder(/h2e2/);
    await input.fill(wrong);
    await input.press("Enter");
    await page.getByText(visitor.says("Wrong move. Try again.", "不對，再試一次。")).waitFor();
    await expect.poll(() => visitor.fen()).toBe(fen);
    await solve(visitor, solution);
    await page.getByText(visitor.says("Solved!", "正解！")).waitFor();
    await visitor.shot("puzzles-solved");
    await visitor.button("Next puzzle", "下一題").click();
    await expect.poll(() => visitor.fen()).not.toContain(fen);
    await visitor.close();
  });
});

test.each(WIDTHS)(
  "the next puzzle is always another one, and a solution shown does not count as solved, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/puzzles");
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
    await solve(visitor, (await puzzleOf(fen)).solution);
    await page.getByText("Solved!").waitFor();
    await page.getByText("Solved: 0 of").waitFor();
    await visitor.close();
  },
);

test.each(WIDTHS)(
  "a solver has a rating and a streak, and reviews what was failed, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/puzzles");
    const { page } = visitor;
    const figure = async (name: string) =>
      Number(
        await page.locator("dl div", { hasText: name }).first().locator("dd").innerText().then(parseFloat),
      );
    await page.getByText(/Solved: 0 of [1-9]/).waitFor();
    const start = await figure("Your rating");
    await solve(visitor, (await puzzleOf(await visitor.fen())).solution);
    await page.getByText("Solved!").waitFor();
    const better = await figure("Your rating");
    expect(better).toBeGreaterThan(start);
    expect(await figure("Streak")).toBe(1);

    const solved = await visitor.fen();
    await visitor.button("Next puzzle", "下一題").click();
    await expect.poll(() => visitor.fen()).not.toBe(solved);
    const failed = await visitor.fen();
    const { wrong, solution } = await puzzleOf(failed);
    const input = page.getByPlaceholder(/h2e2/);
    await input.fill(wrong);
    await input.press("Enter");
    await page.getByText("Wrong move. Try again.").waitFor();
    expect(await figure("Your rating")).toBeLessThan(better);
    expect(await figure("Streak")).toBe(0);
    expect(await figure("Best streak")).toBe(1);
    await visitor.button("Next puzzle", "下一題").click();
    await expect.poll(() => visitor.fen()).not.toBe(failed);

    // It is kept, and what was failed can be tried again.
    await page.reload();
    await visitor.button("Review failed puzzles (1)", "重做錯題（1）").click();
    await expect.poll(() => visitor.fen()).toBe(failed);
    await solve(visitor, solution);
    await page.getByText("Solved!").waitFor();
    await expect.poll(() => page.getByText("Review failed puzzles").count()).toBe(0);
    await visitor.close();
  },
);
