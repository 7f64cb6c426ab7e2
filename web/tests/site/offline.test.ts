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
  // Network, book, tables and puzzles.
  await vi.waitUntil(async () => (await cached()) === 4, { timeout: 60_000, interval: 200 });
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

test("the collection says in the visitor's language that it wants the program", async () => {
  await open("games");
  const says = (text: string) => visitor.page.getByText(text).first().waitFor();
  await says("This needs the program: run `chuhe serve` on your own machine.");
  await visitor.page.evaluate(() => {
    const saved = JSON.parse(localStorage.getItem("chuhe.settings") ?? "{}") as object;
    localStorage.setItem("chuhe.settings", JSON.stringify({ ...saved, language: "zh-Hant" }));
  });
  await open("games");
  await says("這項功能需要本機程式：請執行 chuhe serve。");
});

test("the app can be installed", async () => {
  const manifest = await visitor.page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]")!;
    return (await (await fetch(link.href)).json()) as { icons: { src: string; sizes: string }[] };
  });
  const sizes = await visitor.page.evaluate(
    async (icons) => {
      const drawn = icons.map(async ({ src }) => {
        const picture = new Image();
        picture.src = src;
        await picture.decode();
        return `${picture.naturalWidth}x${picture.naturalHeight}`;
      });
      return Promise.all(drawn);
    },
    manifest.icons.filter(({ src }) => src.endsWith(".png")),
  );
  expect(sizes).toEqual(["192x192", "512x512", "512x512"]);
});
