import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, SETTINGS, Visitor } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

describe.each(SETTINGS)("banqi, $language, $width", (setting) => {
  test("flips, odds, hint, take back and a reload", async () => {
    const visitor = await Visitor.open(browser, setting, "#/banqi");
    const { page } = visitor;
    // Nothing that the browser is told may name a piece that nobody has seen.
    const told: { cells: string; played: string[] }[] = [];
    page.on("response", async (response) => {
      if (response.url().endsWith("/api/banqi")) told.push(await response.json().catch(() => null));
    });
    const cells = async () => (await page.locator(".banqi").getAttribute("data-cells")) ?? "";
    const backs = async () => (await cells()).split("?").length - 1;
    await visitor.button("Start game", "開始對局").click();
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

    const down = await backs();
    await page.reload();
    await expect.poll(backs).toBe(down);
    const kept = await cells();
    await visitor.button("Take back", "悔棋").click();
    await expect.poll(cells).not.toBe(kept);
    await page.locator(".kind").first().waitFor();
    await visitor.shot("banqi-taken-back");

    expect(told.length).toBeGreaterThan(3);
    for (const view of told.filter(Boolean)) {
      const flipped = view.played.filter((ply) => ply.includes("(")).length;
      expect(view.cells.split("?").length - 1).toBe(32 - flipped);
    }
    await visitor.close();
  });
});
