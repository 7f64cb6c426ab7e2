import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BanqiView } from "../../src/api/types";
import { ask, launch, SETTINGS, Visitor } from "./page";

/** How many plies turned a piece up. */
const flipped = (moves: string[]) => moves.filter((ply) => ply.includes("(")).length;

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

describe.each(SETTINGS)("banqi, $language, $width", (setting) => {
  test("flips, odds, hint, take back and a reload", async () => {
    const visitor = await Visitor.open(browser, setting, "#/banqi");
    const { page } = visitor;
    const cells = async () => (await page.locator(".banqi").getAttribute("data-cells")) ?? "";
    const backs = async () => (await cells()).split("?").length - 1;
    await visitor.startGame();
    await page.getByText(visitor.says("Flip any piece.", "請翻任意一子。")).waitFor();
    await page.locator('[data-square="c2"]').click();
    await page.getByText(visitor.says("You play", "你執")).waitFor();
    // The engine has answered when it is our turn again.
    const myMove = page.getByText(visitor.says("Your move", "輪到你走"));
    await myMove.waitFor({ timeout: 15_000 });
    await visitor.shot("banqi");

    await visitor.button("Hint", "提示").click();
    await page.locator(".hint").first().waitFor({ timeout: 15_000 });
    const before = await cells();
    await page.locator(".hint").first().focus();
    await page.keyboard.press("Enter");
    const second = page.locator(".hint").nth(1);
    if (await second.isVisible()) await second.click();
    await expect.poll(cells).not.toBe(before);
    await myMove.waitFor({ timeout: 15_000 });

    // The page keeps only what was turned up.
    const stored = await page.evaluate(() => localStorage.getItem("chuhe.banqi") ?? "");
    expect(flipped((JSON.parse(stored) as { moves: string[] }).moves)).toBe(32 - (await backs()));

    const down = await backs();
    await page.reload();
    await expect.poll(backs).toBe(down);
    const kept = await cells();
    await visitor.button("Take back", "悔棋").click();
    await expect.poll(cells).not.toBe(kept);
    await page.locator(".kind").first().waitFor();
    await visitor.shot("banqi-taken-back");
    await visitor.close();
  });
});

test("the server names no piece that nobody has seen", async () => {
  let moves: string[] = [];
  for (const square of ["c2", "d3", "a1", "h4"]) {
    const view = await ask<BanqiView>("api/banqi", { game: { moves }, move: square });
    moves = view.played;
    expect(view.cells.split("?").length - 1).toBe(32 - flipped(moves));
  }
  expect(flipped(moves)).toBe(4);
});
