// Nothing is lost silently: destructive acts can be undone, tabs follow each other, reports stay, refusals are understood.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { address, launch, SETTINGS, Visitor, WIDTHS } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const ENDING = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1";

async function paste(visitor: Visitor, text: string) {
  await visitor.tab("Open", "開啟").click();
  await visitor.page.getByRole("textbox").last().fill(text);
  await visitor.button("Read", "讀取").click();
}

test.each(WIDTHS)("opening a position and deleting moves can be undone, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  await visitor.play("h2e2");
  const before = await visitor.fen();
  await paste(visitor, ENDING);
  await expect.poll(() => visitor.fen()).toBe(ENDING);
  await visitor.button("Undo", "復原").click();
  await expect.poll(() => visitor.fen()).toBe(before);

  await visitor.button("Delete from here", "刪除此後").click();
  await expect.poll(() => visitor.fen()).not.toBe(before);
  await visitor.button("Undo", "復原").click();
  await expect.poll(() => visitor.fen()).toBe(before);
  await visitor.close();
});

test.each(WIDTHS)(
  "playing from the analysis keeps a running game until another is started, and then undoes it, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    await visitor.startGame();
    await visitor.play("c3c4");
    await expect.poll(() => page.locator(".move button").count()).toBe(2);
    const game = await visitor.fen();

    const toPlay = async () => {
      await page.goto(`${address}#/analyse`);
      await page.getByRole("button", { name: "Play", exact: true }).click();
    };
    await toPlay();
    await visitor.button("Back to the running game", "回到進行中的對局").click();
    await expect.poll(() => visitor.fen()).toBe(game);

    await toPlay();
    await visitor.startGame();
    await expect.poll(() => visitor.fen()).not.toBe(game);
    await visitor.button("Undo", "復原").click();
    await expect.poll(() => visitor.fen()).toBe(game);
    await visitor.close();
  },
);

test.each(WIDTHS)("two tabs show the same study and the same game, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const second = await visitor.context.newPage();
  await second.goto(`${address}#/analyse`);
  const fenOf = (page: typeof second) => page.locator("svg.board").getAttribute("data-fen");
  await visitor.play("h2e2");
  await expect.poll(async () => (await fenOf(second)) === (await visitor.fen())).toBe(true);

  await visitor.page.goto(`${address}#/play`);
  await second.goto(`${address}#/play`);
  await visitor.startGame();
  await visitor.play("c3c4");
  await expect.poll(() => visitor.page.locator(".move button").count()).toBe(2);
  await expect.poll(async () => (await fenOf(second)) === (await visitor.fen())).toBe(true);
  await visitor.close();
});

test.each(WIDTHS)("a report stays when the tab changes and after a reload, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const { page } = visitor;
  await paste(visitor, "1. 炮二平五 馬8進7 2. 炮五進四 馬7進5 *");
  await visitor.tab("Report", "全局報告").click();
  await visitor.button("Analyse the whole game", "分析全局").click();
  await page.getByText("accuracy").waitFor({ timeout: 30_000 });
  await page
    .getByRole("button", { name: /^2\. C5\+4/ })
    .first()
    .waitFor();
  await visitor.tab("Why", "評估").click();
  await visitor.tab("Report", "全局報告").click();
  await page.getByText("accuracy").waitFor();
  await page.reload();
  await visitor.tab("Report", "全局報告").click();
  await page.getByText("accuracy").waitFor();
  expect(await page.locator(".curve").getAttribute("d")).toMatch(/L.*L.*L/);
  await visitor.close();
});

test.each(WIDTHS)("a mistake of the report is retried, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const { page } = visitor;
  await paste(visitor, "1. 炮二平五 馬8進7 2. 炮五進四 馬7進5 *");
  await visitor.tab("Report", "全局報告").click();
  await page.getByRole("combobox", { name: "Effort" }).selectOption("quick");
  await visitor.button("Analyse the whole game", "分析全局").click();
  await page.getByText("Turning points").waitFor({ timeout: 30_000 });
  await page.getByText("in the opening").waitFor();
  // The report says what the mistake loses.
  await page.locator(".why").getByText("Black is up a cannon for a soldier").first().waitFor();
  await visitor.shot("report");
  await page.getByRole("button", { name: /^Retry the mistakes/ }).click();
  const task = page.getByText("C5+4?? was played. Find a better move for Red.");
  await task.waitFor();
  // Task and board are in sight together.
  const [board, text] = [await page.locator("svg.board").boundingBox(), await task.boundingBox()];
  expect(board!.y).toBeGreaterThanOrEqual(0);
  expect(text!.y + text!.height).toBeLessThanOrEqual(page.viewportSize()!.height);
  await expect
    .poll(async () => (await visitor.press("e2"), page.locator(".target, .ring-target").count()))
    .toBeGreaterThan(0);
  await visitor.press("e6");
  await page.getByText("No better. Try again.").waitFor();
  await visitor.shot("report-retry");
  await visitor.button("Show the solution", "看解答").click();
  await page.getByText("The report's line:").waitFor();
  await visitor.button("Back to the report", "回到報告").click();
  await page.getByText("Turning points").waitFor();
  await visitor.close();
});

test.each(WIDTHS)(
  "analysing a game puts another study away, and undo brings it back, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/analyse");
    const { page } = visitor;
    await visitor.play("h2e2");
    const before = await visitor.fen();
    await page.goto(`${address}#/games`);
    await page.locator(".entry").first().click();
    await page.locator(".move button").first().waitFor();
    await visitor.button("Analyse game", "分析此局").click();
    await page.locator(".line").first().waitFor();
    await expect.poll(() => visitor.fen()).not.toBe(before);
    await visitor.button("Undo", "復原").click();
    await expect.poll(() => visitor.fen()).toBe(before);
    await visitor.close();
  },
);

test.each(WIDTHS)(
  "a record that is still being read does not call back a visitor who has left, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/analyse");
    const { page } = visitor;
    // The server reads it, and takes its time.
    await page.route(`${address}core/**`, (route) => route.abort());
    await page.reload();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(`${address}api/read*`, async (route) => {
      await held;
      await route.continue();
    });
    const read = page.waitForRequest(/api\/read/);
    await paste(visitor, ENDING);
    await read;
    await page.evaluate(() => (location.hash = "#/learn"));
    await page.getByRole("heading", { level: 1, name: "Learn" }).waitFor({ state: "attached" });
    const answer = page.waitForResponse(/api\/read/);
    release();
    await answer;
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => location.hash)).toMatch(/^#\/learn/);
    // What was asked for is there.
    await page.evaluate(() => (location.hash = "#/analyse"));
    await expect.poll(() => visitor.fen()).toBe(ENDING);
    visitor.forgive();
    await visitor.close();
  },
);

const FAULTY = "1. 炮二平五 馬8進7 (1... 炮9平5) 2. 馬二進五 車9平8 *";

test.each([
  { setting: SETTINGS[0]!, warning: "Not all of it could be read" },
  { setting: SETTINGS[3]!, warning: "有些內容無法讀取" },
])("an illegal move does not spoil a record, $setting.language", async ({ setting, warning }) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const { page } = visitor;
  await paste(visitor, FAULTY);
  await page.getByText(warning).waitFor();
  // Both the main line and the branch are cut, each with its place.
  const text = await page.getByText(warning).innerText();
  expect(text.split("; ")).toHaveLength(2);
  if (setting.language === "zh-Hant") expect(text).not.toMatch(/[a-z]{4}/);
  await expect.poll(() => page.locator(".move button").count()).toBe(2);
  await visitor.close();
});

test.each(WIDTHS)("what the server says is in the visitor's language, $width", async ({ width }) => {
  const visitor = await Visitor.open(browser, { language: "zh-Hant", width }, "#/analyse");
  const { page } = visitor;
  await paste(visitor, "4k4/9/9/9/9/9/9/9/9/4K4 w");
  await page.getByText("FEN 有誤：將帥在 e 路上照面").waitFor();
  // What a written format cannot hold.
  await paste(visitor, '[Annotator "甲"]\n\n1. 炮二平五 {好} 馬8進7 *');
  await expect.poll(() => page.locator(".move button").count()).toBe(2);
  await visitor.tab("Save", "儲存").click();
  await page.getByRole("combobox").last().selectOption("chn");
  const download = page.waitForEvent("download");
  await visitor.button("Download", "下載").click();
  await download;
  await page.getByText(/評註/).last().waitFor();
  visitor.forgive();
  await visitor.close();

  const other = await Visitor.open(browser, { language: "zh-Hans", width }, "#/games?since=abc");
  await other.page.getByText("“abc”不是日期；例如 2014 或 2014.06.28").waitFor();
  await other.page.goto(`${address}#/endgames`);
  await other.page.getByRole("button", { name: "编辑局面", exact: true }).click();
  const fen = other.page.getByLabel("FEN");
  await fen.fill("2bak4/4a4/4b4/9/9/9/9/9/2CNR4/4K4 w");
  await fen.press("Enter");
  await other.page.getByRole("button", { name: "采用此局面", exact: true }).click();
  await other.page.getByText(/建立 \S+ 需要 \d+ MB 内存/).waitFor();
  other.forgive();
  await other.close();
});
