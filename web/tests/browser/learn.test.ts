import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, SETTINGS, Visitor, WIDTHS } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

/** The moves that solve each task, by lesson. Black replies in between. */
const SOLUTIONS: string[][][] = [
  [["a0a6", "a6g6"], ["a0a6", "a6e6"]],
  [["c2g2", "g2g6"], ["c2c7"]],
  [["b0c2", "c2e3"], ["c2e1", "e1f3", "f3d4"]],
  [["c0e2", "e2g4"]],
  [["f0e1", "e1d2"]],
  [["e3e4", "e4e5", "e5f5"]],
  [["e0e1", "e1f1"], ["a1d1"]],
  [["a1a9"], ["a2f2"]],
  [["b1b9"], ["a1a8"]],
  [["h2h1"]],
]; // prettier-ignore

describe.each([SETTINGS[0]!, SETTINGS[3]!])("learning, $language, $width", (setting) => {
  test("the ten lessons are solved one after the other, and wrong moves are taken back", async () => {
    const visitor = await Visitor.open(browser, setting, "#/learn/9");
    const { page } = visitor;
    const input = page.getByPlaceholder(/h2e2/);
    const type = async (move: string) => {
      // The box comes back when it is the visitor's turn.
      await input.fill(move);
      const before = await visitor.fen();
      await input.press("Enter");
      await expect.poll(() => visitor.fen()).not.toBe(before);
    };
    await type("a8a7");
    await page.getByText(visitor.says("Not that. Try again.", "不對，再試一次。")).waitFor();
    await expect.poll(() => visitor.fen()).toContain("3k5/R8");
    await page.evaluate(() => (location.hash = "#/learn"));
    await page.getByRole("heading", { name: /^1\./ }).waitFor();
    // A phone of the story does half of them.
    const lessons = setting.width === "phone" ? SOLUTIONS.slice(0, 4) : SOLUTIONS;
    for (const [index, steps] of lessons.entries()) {
      for (const [number, moves] of steps.entries()) {
        for (const move of moves) await type(move);
        const isLast = number === steps.length - 1;
        if (!isLast) await visitor.button("Next task", "下一題").click();
      }
      await page.getByText(visitor.says("Lesson finished.", "本課完成。")).waitFor();
      if (index === 2) await visitor.shot("learn");
      if (index + 1 < lessons.length) await visitor.button("Next lesson", "下一課").click();
      await page.getByRole("heading", { name: `${Math.min(index + 2, lessons.length)}. ` }).waitFor();
    }
    expect(await page.locator(".done").count()).toBe(lessons.length);
    await visitor.close();
  }, 180_000);
});

test.each(WIDTHS)("basic mates and classical endings are exercises, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/learn");
  const { page } = visitor;
  await page.getByRole("link", { name: "Mate in 1", exact: true }).click();
  await page.getByRole("heading", { name: /^Mate in 1 for/ }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "Iron bolt 鐵門閂" }).click();
  await expect.poll(() => page.getByLabel("Theme").inputValue()).toBe("iron-bolt");
  await page.getByText(/Solved: 0 of \d{2,3}$/).waitFor();
  await page.evaluate(() => (location.hash = "#/learn"));
  await page.getByRole("link", { name: "A horse against an advisor" }).click();
  await page.locator(".chip").first().waitFor();
  await visitor.close();
});
