// Accessibility: axe finds nothing on any page or in any state, and no page overflows on a small phone.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, Visitor, type Setting } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResults {
  violations: { id: string; nodes: { target: string[]; html: string }[] }[];
}

/** What axe finds: the rule and the first elements that break it. */
async function faults({ page }: Visitor): Promise<string[]> {
  // Arriving elements are still transparent. One that is gone again cancels its animation.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate("axe.run()")) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`),
  );
}

const PAGES = ["play", "analyse", "openings", "endgames", "banqi", "games", "puzzles", "learn"];
const WIDTHS: Setting[] = [
  { language: "en", width: "wide" },
  { language: "zh-Hant", width: "phone", dark: true },
];

describe.each(WIDTHS)("axe, $language, $width", (setting) => {
  test("finds nothing on any page or in any state", async () => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    const check = async (state: string) =>
      expect({ state, faults: await faults(visitor) }).toEqual({ state, faults: [] });
    for (const name of PAGES) {
      await page.evaluate((name) => (location.hash = `#/${name}`), name);
      await page.locator("svg.board, .banqi").waitFor();
      // What the page asks for first has arrived.
      await page.waitForTimeout(500);
      await check(name);
      if (setting.width === "phone") {
        await page.setViewportSize({ width: 320, height: 640 });
        const wider = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect({ name, wider }).toEqual({ name, wider: 0 });
        await visitor.shot(`small-${name}`);
        await page.setViewportSize({ width: 390, height: 844 });
      }
    }
    await page.evaluate(() => (location.hash = "#/analyse"));
    const tabs = page.getByRole("tab");
    await tabs.first().waitFor();
    for (let index = 0; index < (await tabs.count()); index++) {
      await tabs.nth(index).click();
      await check(`tab ${await tabs.nth(index).innerText()}`);
    }
    for (const [english, chinese] of [
      ["Settings", "設定"],
      ["Help", "說明"],
    ] as const) {
      await visitor.button(english, chinese).click();
      await check(english);
    }
    await page.keyboard.press("Escape");
    await page.evaluate(() => (location.hash = "#/play"));
    await visitor.startGame();
    await visitor.play("h2e2");
    await check("a running game");
    await visitor.resign();
    await visitor.button("Rematch", "再來一局").waitFor();
    await check("a finished game");
    await visitor.button("Report", "全局報告").click();
    await page.getByRole("table").waitFor({ timeout: 30_000 });
    await check("a report");
    await visitor.button("Analysis settings", "分析設定").click();
    await check("analysis settings");

    const goTo = async (name: string) => {
      await page.evaluate((name) => (location.hash = `#/${name}`), name);
      await page.getByRole("heading", { level: 1, name: titles[name] }).waitFor({ state: "attached" });
    };
    const titles: Record<string, string> = {
      endgames: visitor.says("Endgames", "殘局"),
      banqi: visitor.says("Banqi", "暗棋"),
      puzzles: visitor.says("Puzzles", "習題"),
      learn: visitor.says("Learn", "學棋"),
    };
    await goTo("endgames");
    await visitor.button("Set up", "編輯局面").click();
    await check("an ending being set up");
    await visitor.button("Cancel", "取消").click();
    await visitor.button("Play it out", "走到底").click();
    await check("an ending being played");
    await goTo("banqi");
    await visitor.startGame();
    await page.locator('[data-square="c2"]').click();
    await page.getByText(visitor.says("Your move", "輪到你")).first().waitFor();
    await check("a game of Banqi");
    await goTo("puzzles");
    await visitor.button("Show the solution", "看答案").click();
    await page.waitForTimeout(1000);
    await check("a solution");
    await page.evaluate(() => (location.hash = "#/games"));
    await visitor.tab("My library", "我的棋庫").click();
    await page.locator(".entry").first().click();
    await check("the library");
    await visitor.close();
  }, 300_000);
});
