import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, SETTINGS, Visitor } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

describe.each(SETTINGS)("openings, $language, $width", (setting) => {
  test("a line of the book is followed and played on against the engine", async () => {
    const visitor = await Visitor.open(browser, setting, "#/openings");
    const { page } = visitor;
    const rows = page.locator(".book tbody button");
    await rows.first().waitFor();
    expect(await page.locator(".bar").count()).toBeGreaterThan(0);
    await visitor.shot("openings");
    // The central cannon, by its name in either notation.
    await page
      .getByRole("button", { name: visitor.says("C2=5", "炮二平五"), exact: true })
      .first()
      .click();
    await page.getByText(visitor.says("Central Cannon", "中炮局"), { exact: true }).first().waitFor();
    await expect.poll(() => rows.count()).toBeGreaterThan(0);
    await rows.first().click();
    await expect.poll(() => visitor.fen()).toMatch(/ w - - /);
    await visitor.shot("openings-line");
    const fen = await visitor.fen();
    await visitor.button("Play from here", "由此對弈").click();
    await visitor.button("Start game", "開始對局").click();
    await expect.poll(() => visitor.fen()).toBe(fen);
    await visitor.close();
  });
});
