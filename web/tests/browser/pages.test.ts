import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, Visitor, WIDTHS, type Setting } from "./page";

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
  learn: "学棋",
};

/** Characters that only traditional Chinese has; none may stand on a page in simplified Chinese. */
const TRADITIONAL = /[對開殘譜習題設說選語記標紅隨機級執計時讓馬車勝認輸]/;
const SIMPLIFIED: Setting[] = [
  { language: "zh-Hans", width: "phone", dark: true },
  { language: "zh-Hans", width: "wide" },
];

describe.each(SIMPLIFIED)("all pages, $language, $width", (setting) => {
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
        const root = document.documentElement;
        const higher = matchMedia("(min-width: 900px)").matches ? root.scrollHeight - root.clientHeight : 0;
        const tooWide = wider > 0 ? [`${wider} points too wide`] : [];
        const tooHigh = higher > 0 ? [`${higher} points too high`] : [];
        return [...unnamed, ...labels, ...tooWide, ...tooHigh];
      }, TRADITIONAL.source);
      expect({ name, faults }).toEqual({ name, faults: [] });
      await visitor.shot(`page-${name}`);
    }
    await visitor.close();
  });
});

test.each(WIDTHS)(
  "menus close on a click outside and on Escape, and the content can be skipped to, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    const sheet = page.locator("header .drop");
    for (const name of ["Settings", "Help"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await sheet.waitFor();
      await page.mouse.click(200, 600);
      await sheet.waitFor({ state: "detached" });
      await page.getByRole("button", { name, exact: true }).click();
      await sheet.waitFor();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
    }
    await page.reload();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await visitor.close();
  },
);

test.each(WIDTHS)("the arrow keys move between tabs, and pages keep their state, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const { page } = visitor;
  await page.getByRole("tab", { name: "Why" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Book", selected: true }).waitFor();
  await page.evaluate(() => (location.hash = "#/openings"));
  await page.getByRole("heading", { level: 1, name: "Openings" }).waitFor({ state: "attached" });
  await visitor.play("h2e2");
  const fen = await visitor.fen();
  await page.evaluate(() => (location.hash = "#/play"));
  await page.getByRole("heading", { level: 1, name: "Play" }).waitFor({ state: "attached" });
  await page.goBack();
  await expect.poll(() => visitor.fen()).toBe(fen);
  await visitor.close();
});

test("the app can be installed", async () => {
  const visitor = await Visitor.open(browser, { language: "en", width: "phone" }, "#/play");
  const { page } = visitor;
  const session = await visitor.context.newCDPSession(page);
  const { errors } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A fresh profile counts as incognito, where nothing is installed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual(
    [],
  );
  await visitor.close();
});
