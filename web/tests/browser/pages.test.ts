import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, Visitor, type Setting } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const NAMES = {
  play: "对弈",
  analyse: "分析",
  openings: "开局",
  endgames: "残局",
  banqi: "暗棋",
  games: "棋谱",
  puzzles: "习题",
};

/** Characters that only traditional Chinese has; none may stand on a page in simplified Chinese. */
const TRADITIONAL = /[對開殘譜習題設說選語記標紅隨機級執計時讓馬車勝認輸]/;
const WIDTHS: Setting[] = [
  { language: "zh-Hans", width: "phone", dark: true },
  { language: "zh-Hans", width: "wide" },
];

describe.each(WIDTHS)("all pages, $language, $width", (setting) => {
  test("are named, fit the window, and have a name for everything that can be pressed", async () => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    for (const [name, title] of Object.entries(NAMES)) {
      await page.evaluate((name) => (location.hash = `#/${name}`), name);
      await page.getByRole("heading", { level: 1, name: title }).waitFor({ state: "attached" });
      await page.locator("svg.board, .banqi").waitFor();
      const faults = await page.evaluate((pattern) => {
        const traditional = new RegExp(pattern);
        const unnamed = [...document.querySelectorAll<HTMLElement>("button, input, select, textarea")]
          .filter((element) => element.offsetParent !== null)
          .filter((element) => {
            const labels = "labels" in element ? [...((element.labels as NodeList | null) ?? [])] : [];
            const texts = [element.ariaLabel, element.title, element.innerText];
            return ![...texts, ...labels.map((label) => label.textContent)].some((text) => text?.trim());
          })
          .map((element) => `no name: ${element.outerHTML.slice(0, 90)}`);
        const labels = [...document.querySelectorAll<HTMLElement>("nav, button, label, h2, h3, legend, p")]
          .filter((element) => !element.closest(".moves, .list, .entry, .book tbody"))
          .map((element) => element.innerText ?? "")
          .filter((text) => traditional.test(text))
          .map((text) => `not simplified: ${text.slice(0, 60)}`);
        const wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
        return [...unnamed, ...labels, ...(wider > 0 ? [`${wider} points too wide`] : [])];
      }, TRADITIONAL.source);
      expect({ name, faults }).toEqual({ name, faults: [] });
      await visitor.shot(`page-${name}`);
    }
    await visitor.close();
  });
});
