import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, SETTINGS, Visitor, WIDTHS } from "./page";

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
    await visitor.startGame();
    await expect.poll(() => visitor.fen()).toBe(fen);
    await visitor.close();
  });
});

test.each([SETTINGS[1]!, SETTINGS[3]!])(
  "a phone plays from the book without scrolling, $language",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/openings");
    const { page } = visitor;
    const buttons = [visitor.button("Play from here", "由此對弈"), visitor.button("Analyse", "分析")];
    await page.locator(".book tbody button").first().waitFor();
    for (const button of buttons) expect(await visitor.isInSight(button)).toBe(true);
    await page.setViewportSize({ width: 844, height: 390 });
    for (const button of buttons) expect(await visitor.isInSight(button)).toBe(true);
    await visitor.shot("openings-landscape");
    await page.setViewportSize({ width: 390, height: 844 });
    await visitor.play("h2e2");
    const fen = await visitor.fen();
    await buttons[0]!.click();
    await visitor.startGame();
    await visitor.button("Resign", "認輸").waitFor();
    expect(await visitor.fen()).toBe(fen);
    await visitor.close();
  },
);

// One language each is enough: the words are checked above.
describe.each(WIDTHS)("games and names, $width", (setting) => {
  const { width } = setting;
  test("names are in the visitor's script", async () => {
    const visitor = await Visitor.open(browser, { language: "zh-Hans", width }, "#/openings");
    const { page } = visitor;
    await page.getByRole("button", { name: "相三进五", exact: true }).first().click();
    await page.getByText("飞相局", { exact: true }).first().waitFor();
    await visitor.shot("openings-names");
    await visitor.close();
  });

  test("games are counted, chosen by their source and opened", async () => {
    const visitor = await Visitor.open(browser, setting, "#/openings");
    const { page } = visitor;
    const counts = () =>
      page
        .locator(".book tbody tr td:nth-child(4)")
        .evaluateAll((cells) =>
          cells.map((cell) => parseInt(cell.textContent)).reduce((sum, count) => sum + (count || 0), 0),
        );
    await page.locator(".entry").first().waitFor();
    const both = await counts();
    const choose = (english: string, chinese: string) =>
      page.getByRole("button", { name: visitor.says(english, chinese) }).click();
    await choose("Chuhe's games", "楚河對局");
    await expect.poll(counts).toBe(4);
    await choose("My collection", "我的棋譜");
    await expect.poll(counts).toBe(both - 4);
    // The choice outlasts the page.
    await page.reload();
    await page.locator(".entry").first().waitFor();
    expect(await counts()).toBe(both - 4);
    await visitor.shot("openings-games");
    await page.locator(".entry").first().click();
    await expect.poll(() => page.url()).toContain("#/analyse");
    await expect.poll(() => page.locator(".moves button, .moves a").count()).toBeGreaterThan(10);
    await visitor.close();
  });

  test("a line says how it got its name, and any page asks the book by a key", async () => {
    const visitor = await Visitor.open(browser, { language: "zh-Hant", width }, "#/analyse");
    const { page } = visitor;
    for (const move of ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7"]) await visitor.play(move);
    await page.keyboard.press("b");
    await expect.poll(() => page.url()).toContain("#/openings");
    await page
      .getByText(visitor.says("Central Cannon vs Screen Horses", "中炮對屏風馬"), { exact: true })
      .first()
      .waitFor();
    await page.getByText(visitor.says("How did this line get its name?", "此佈局因何得名？")).click();
    await page.getByText(visitor.says("like the two leaves of a screen", "如屏風兩扇")).waitFor();
    await visitor.shot("openings-origin");
    await page.goBack();
    await expect.poll(() => page.url()).toContain("#/analyse");
    await visitor.button("what does the book say here?", "開局庫怎麼說？").click();
    await page.locator(".book table").waitFor();
    await visitor.close();
  });
});
