// The static site after one visit, with the network cut off.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { launch, SETTINGS, Visitor } from "../browser/page";

let browser: Browser;
let visitor: Visitor;
beforeAll(async () => {
  browser = await launch();
  visitor = await Visitor.open(browser, SETTINGS[0]!, "#/play");
  const cached = () =>
    visitor.page.evaluate(async () => {
      const cache = await caches.open("chuhe-data");
      return (await cache.keys()).length;
    });
  await vi.waitUntil(async () => (await cached()) === 3, { timeout: 60_000, interval: 200 });
  await visitor.context.setOffline(true);
}, 120_000);
afterAll(async () => {
  await visitor.close();
  await browser.close();
});

async function open(page: string) {
  await visitor.page.goto(`${visitor.page.url().split("#")[0]}#/${page}`);
  await visitor.page.reload();
  await visitor.page.locator("svg.board, .banqi").waitFor();
}

test("a game is played against the engine in the browser", async () => {
  await open("play");
  await visitor.button("Start game", "開始對局").click();
  await visitor.play("h2e2");
  await expect.poll(() => visitor.fen(), { timeout: 40_000 }).toMatch(/ w - - /);
  await visitor.shot("site-play");
});

test("a position is analysed and explained", async () => {
  await open("analyse");
  await visitor.page.locator(".line").first().waitFor({ timeout: 40_000 });
  await visitor.tab("Why", "評估").click();
  await visitor.page.getByText("Network:").waitFor({ timeout: 20_000 });
  await visitor.shot("site-analyse");
});

test("the book and the endings are there", async () => {
  await open("openings");
  await expect.poll(() => visitor.page.locator("tbody tr").count()).toBeGreaterThan(2);
  await open("endgames");
  await visitor.page.getByRole("button", { name: "Horse against an advisor" }).click();
  await visitor.page.locator(".chip").first().waitFor();
  await visitor.shot("site-endgames");
});

test("Banqi and puzzles are there", async () => {
  await open("banqi");
  await visitor.button("Start game", "開始對局").click();
  await visitor.page.locator('[data-square="c2"]').click();
  await visitor.page.getByText("Your move").waitFor({ timeout: 30_000 });
  await open("puzzles");
  const start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
  await expect.poll(() => visitor.fen()).not.toBe(start);
});

test("the collection says that it wants the program", async () => {
  await open("games");
  await visitor.page
    .getByText(/chuhe serve/)
    .first()
    .waitFor();
});
