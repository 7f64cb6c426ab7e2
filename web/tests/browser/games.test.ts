import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GamesAnswer } from "../../src/api/types";
import { ask, launch, SETTINGS, Visitor, WIDTHS } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

describe.each(SETTINGS)("games, $language, $width", (setting) => {
  test("games are searched, opened and clicked through; so is a match", async () => {
    const visitor = await Visitor.open(browser, setting, "#/games");
    const { page } = visitor;
    const all = await ask<GamesAnswer>("api/games", { skip: 0, most: 25 });
    expect(all.total).toBeGreaterThan(5);
    await expect.poll(() => page.locator(".entry").count()).toBe(Math.min(25, all.total));

    const wanted = all.games[0]!.red!;
    const found = await ask<GamesAnswer>("api/games", { player: wanted, skip: 0, most: 25 });
    await page.getByLabel(visitor.says("Player", "棋手")).fill(wanted);
    await visitor.button("Search", "搜尋").click();
    await expect.poll(() => page.locator(".entry").count()).toBe(found.total);
    await page.locator(".entry").first().click();
    await page.locator(".move button").first().waitFor();
    await visitor.button("Next move", "前進").click();
    await visitor.button("Next move", "前進").click();
    await expect.poll(() => visitor.fen()).toMatch(/ w - - /);
    await visitor.shot("games");

    // The same position is found again.
    await page.getByLabel(visitor.says("Player", "棋手")).fill("");
    await page.getByLabel(visitor.says("with the position on the board", "含棋盤上的局面")).check();
    await visitor.button("Search", "搜尋").click();
    const same = await ask<GamesAnswer>("api/games", { fen: await visitor.fen(), skip: 0, most: 25 });
    expect(same.total).toBeGreaterThan(0);
    await expect.poll(() => page.locator(".entry").count()).toBe(Math.min(25, same.total));

    await visitor.tab("Files and matches", "檔案與對抗賽").click();
    await page.getByRole("button", { name: "match.jsonl" }).click();
    await page.getByText("+1 =1 −0").waitFor();
    await page.getByRole("button", { name: /2\. old – new/ }).click();
    await page.getByRole("heading", { name: "old – new" }).waitFor();
    await visitor.button("Go to end", "到結尾").click();
    await expect.poll(() => visitor.fen()).toMatch(/ w - - 4 3/);
    await visitor.shot("games-match");
    await visitor.button("Analyse game", "分析此局").click();
    await page.locator(".line").first().waitFor();
    await visitor.close();
  });
});

test.each(WIDTHS)("a player is found in either script, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/games");
  const { page } = visitor;
  const find = async (name: string, count: number) => {
    await page.getByLabel("Player").fill(name);
    await visitor.button("Search", "搜尋").click();
    await expect.poll(() => page.locator(".entry").count()).toBe(count);
  };
  await find("棋謀", 4);
  await find("nobody", 0);
  await find("棋谋", 4);
  await visitor.close();
});
