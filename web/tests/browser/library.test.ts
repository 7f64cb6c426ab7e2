// Nothing is ever lost: games and studies are kept in the browser's library; links restore the place.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { address, launch, SETTINGS, Visitor, WIDTHS, type Setting } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const BOTH = [SETTINGS[0]!, SETTINGS[3]!];

async function paste(visitor: Visitor, text: string) {
  await visitor.tab("Open", "開啟").click();
  await visitor.page.getByRole("textbox").last().fill(text);
  await visitor.button("Read", "讀取").click();
}

/** Goes to the library once it has so many entries. */
async function toLibrary(visitor: Visitor, count: number) {
  await visitor.page.evaluate(() => (location.hash = "#/games"));
  await visitor.tab("My library", "我的棋庫").click();
  await expect.poll(() => visitor.page.locator(".entry").count()).toBe(count);
}

describe.each(BOTH)("the library, $language, $width", (setting) => {
  test("keeps games and studies; they are named, found, deleted, exported and imported", async () => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    await visitor.startGame();
    await visitor.play("c3c4");
    await expect.poll(() => page.locator(".move button").count()).toBe(2);
    await visitor.resign();
    await visitor.button("Rematch", "再來一局").waitFor();

    await page.evaluate(() => (location.hash = "#/analyse"));
    await visitor.play("h2e2");
    await visitor.tab("Comment", "評註").click();
    await page.getByRole("textbox").last().fill("central cannon");
    // Another game on the board: the study with its comment stays in the library.
    await paste(visitor, "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
    await expect.poll(() => visitor.fen()).toContain("3k5/");
    await toLibrary(visitor, 2);

    await page.locator(".entry", { hasText: visitor.says("Study", "分析") }).click();
    await page.getByText("central cannon").waitFor();
    await visitor.button("Rename", "重新命名").click();
    await page.getByRole("textbox", { name: visitor.says("Name", "名稱"), exact: true }).fill("My 中炮");
    await visitor.button("Rename", "重新命名").click();
    await page.locator(".entry", { hasText: "My 中炮" }).waitFor();
    const search = page.getByPlaceholder(visitor.says("Search the library", "搜尋棋庫"));
    await search.fill("中炮");
    await expect.poll(() => page.locator(".entry").count()).toBe(1);
    await visitor.shot("library");
    await search.fill("");

    const exported = page.waitForEvent("download");
    await visitor.button("Export all", "全部匯出").click();
    const buffer = readFileSync(await (await exported).path());
    expect(JSON.parse(buffer.toString()).entries).toHaveLength(2);

    await visitor.button("Delete", "刪除").click();
    await expect.poll(() => page.locator(".entry").count()).toBe(1);
    await visitor.button("Undo", "復原").click();
    await expect.poll(() => page.locator(".entry").count()).toBe(2);
    // Opened again, the comment is there and the address names the entry.
    await visitor.button("Analyse game", "分析此局").click();
    await page.getByText("central cannon").first().waitFor();
    await page.reload();
    await page.getByText("central cannon").first().waitFor();
    await visitor.close();

    // Another browser has an empty library and takes the file.
    const other = await Visitor.open(browser, setting, "#/games");
    await other.tab("My library", "我的棋庫").click();
    await other.page.getByText(other.says("are kept here", "保存在這裡")).waitFor();
    await other.page
      .locator("input[type=file]")
      .first()
      .setInputFiles({ name: "library.json", mimeType: "application/json", buffer });
    await other.page.getByText(other.says("Games added: 2", "已加入 2 局")).waitFor();
    await expect.poll(() => other.page.locator(".entry").count()).toBe(2);
    await other.close();
  });
});

describe.each(BOTH)("importing, $language, $width", (setting) => {
  test("a folder goes into the library once, with a word on what could not be read, and can be stopped", async () => {
    const folder = mkdtempSync(join(tmpdir(), "chuhe-"));
    mkdirSync(join(folder, "1999"));
    const game = (red: string, moves: string) => `[Red "${red}"]\n[Black "?"]\n\n1. ${moves} *\n`;
    writeFileSync(
      join(folder, "two.pgn"),
      game("胡榮華", "炮二平五 馬8進7") + "\n" + game("呂欽", "兵七進一"),
    );
    writeFileSync(join(folder, "1999", "one.txt"), "馬二進三 卒7進1");
    writeFileSync(join(folder, "bad.xqf"), "no game at all");
    const visitor = await Visitor.open(browser, setting, "#/games");
    const { page } = visitor;
    await visitor.tab("My library", "我的棋庫").click();
    for (let time = 0; time < 2; time++) {
      await page.locator("input[webkitdirectory]").setInputFiles(folder);
      await page.getByText(visitor.says("Games added: 3", "已加入 3 局")).waitFor();
      await expect.poll(() => page.locator(".entry").count()).toBe(3);
    }
    await page.getByText(visitor.says("Could not be read: 1", "無法讀取：1")).click();
    await page.getByText("bad.xqf").waitFor();
    await page.locator(".entry", { hasText: "one.txt" }).waitFor();
    await page.getByText("胡榮華 – ?").waitFor();
    await visitor.shot("library-import");

    // Many files, dropped on the page: the import is stopped and keeps what it has.
    await page.evaluate((text) => {
      const transfer = new DataTransfer();
      for (let index = 0; index < 300; index++)
        transfer.items.add(new File([`[Event "${index}"]\n\n${text}`], `${index}.pgn`));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
    }, "1. 炮二平五 馬8進7 *\n");
    await visitor.button("Stop", "停止").click();
    await expect.poll(() => page.locator("progress").count()).toBe(0);
    const count = await page.locator(".entry").count();
    expect(count).toBeGreaterThanOrEqual(3);
    expect(count).toBeLessThan(303);
    visitor.forgive();
    await visitor.close();
    rmSync(folder, { recursive: true });
  });
});

test.each(WIDTHS)("a file with thousands of games is imported at once, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/games");
  const { page } = visitor;
  await expect.poll(() => page.locator("html").getAttribute("data-core")).not.toBeNull();
  await visitor.tab("My library", "我的棋庫").click();
  const moves = "1. 炮二平五 馬8進7 2. 馬二進三 車9平8 3. 車一平二 炮8進4 4. 兵三進一 炮2平5 *";
  const games = Array.from({ length: 3000 }, (_, number) => `[Event "Game ${number}"]\n\n${moves}\n`);
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({ name: "many.pgn", mimeType: "text/plain", buffer: Buffer.from(games.join("\n")) });
  await page.getByText("Games added: 3000").waitFor({ timeout: 30_000 });
  await expect.poll(() => page.locator("progress").count()).toBe(0);
  // The list stays short, and every game is found.
  expect(await page.locator(".entry").count()).toBe(100);
  await visitor.button("Show more (2900)", "顯示更多（2900）").waitFor();
  await page.getByPlaceholder("Search the library").fill("Game 2999");
  await expect.poll(() => page.locator(".entry").count()).toBe(1);
  await page.locator(".entry").click();
  await expect.poll(() => page.locator(".move button").count()).toBe(8);
  await visitor.close();
});

test.each([
  { here: SETTINGS[0]!, there: SETTINGS[1]! },
  { here: SETTINGS[1]!, there: SETTINGS[0]! },
])(
  "links open the same place elsewhere, and Back and Forward restore it, $here.width",
  async ({ here, there }) => {
    const visitor = await Visitor.open(browser, here, "#/analyse");
    const { page } = visitor;
    const link = () => page.evaluate(() => location.href);
    await paste(visitor, "1. 炮二平五 馬8進7 2. 馬二進三 車9平8 *");
    await page.locator(".move button").first().waitFor();
    await visitor.button("Next move", "前進").click();
    const first = await visitor.fen();
    await expect.poll(link).toContain("at=1");
    const shared = await link();
    expect(shared.length).toBeLessThan(address.length + 60);
    await paste(visitor, "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
    await expect.poll(link).toContain("fen=3k5");
    await page.goBack();
    await expect.poll(() => visitor.fen()).toBe(first);
    await page.goForward();
    await expect.poll(() => visitor.fen()).toContain("4R4");

    await page.evaluate(() => (location.hash = "#/endgames"));
    await page.getByRole("button", { name: "Two soldiers against two advisors" }).click();
    const soldiers = (await visitor.fen()).split(" ")[0]!;
    await page.getByRole("button", { name: "Horse against an elephant" }).click();
    await expect.poll(() => visitor.fen()).not.toContain(soldiers);
    await page.goBack();
    await expect.poll(() => visitor.fen()).toContain(soldiers);
    await page.getByRole("heading", { name: "Two soldiers against two advisors" }).waitFor();

    await page.evaluate(() => (location.hash = "#/openings"));
    await page.getByRole("heading", { level: 1, name: "Openings" }).waitFor({ state: "attached" });
    await visitor.play("c3c4");
    await expect.poll(link).toMatch(/#\/openings\?.*moves=/);
    const opening = { link: await link(), fen: await visitor.fen() };

    await page.evaluate(() => (location.hash = "#/games"));
    await page.locator(".entry").nth(1).click();
    await expect.poll(link).toMatch(/#\/games\/\d+$/);
    await page.locator(".move button").first().waitFor();
    const game = await page.locator("h2").first().innerText();
    await page.locator(".entry").nth(2).click();
    await expect.poll(() => page.locator("h2").first().innerText()).not.toBe(game);
    await page.goBack();
    await expect.poll(() => page.locator("h2").first().innerText()).toBe(game);
    const gameLink = await link();

    await page.evaluate(() => (location.hash = "#/puzzles"));
    await expect.poll(link).toMatch(/#\/puzzles\/\w+$/);
    const puzzle = { link: await link(), fen: await visitor.fen() };
    await visitor.close();

    const other = await Visitor.open(browser, there, shared.slice(address.length));
    await expect.poll(() => other.fen()).toBe(first);
    await other.page.goto(puzzle.link);
    await expect.poll(() => other.fen()).toBe(puzzle.fen);
    await other.page.goto(opening.link);
    await expect.poll(() => other.fen()).toBe(opening.fen);
    await other.page.goto(gameLink);
    await other.page.getByRole("heading", { name: game }).waitFor();
    await other.page.goto(`${address}#/analyse?moves=!!`);
    await other.page.getByText("The link is damaged.").waitFor();
    await other.close();
  },
);

describe.each(WIDTHS)("storage, $width", (setting) => {
  test("that is full or forbidden is announced, and pages keep what they have", async () => {
    for (const [name, text] of [
      ["QuotaExceededError", "The browser's storage is full"],
      ["SecurityError", "does not let this page store anything"],
    ] as const) {
      const visitor = await Visitor.open(browser, setting, "#/play");
      const { page } = visitor;
      await page.evaluate((name) => {
        Storage.prototype.setItem = () => {
          throw new DOMException("no", name);
        };
      }, name);
      await page.getByRole("radio", { name: "Two people" }).check();
      await visitor.startGame();
      await visitor.play("h2e2");
      await page.getByText(text).waitFor();
      await visitor.button("Close", "關閉").click();
      // What was closed is not said again with every move.
      await visitor.play("h9g7");
      expect(await page.getByText(text).count()).toBe(0);
      const fen = await visitor.fen();
      await page.evaluate(() => (location.hash = "#/learn"));
      await expect.poll(() => visitor.fen()).not.toBe(fen);
      await page.evaluate(() => (location.hash = "#/play"));
      await expect.poll(() => visitor.fen()).toBe(fen);
      await visitor.close();
    }
  });

  test("has no room for the library: games last as long as the page, and are stored once there is room", async () => {
    const visitor = await Visitor.open(browser, setting, "#/analyse");
    const { page } = visitor;
    const session = await visitor.context.newCDPSession(page);
    const setRoom = (quotaSize?: number) =>
      session.send("Storage.overrideQuotaForOrigin", { origin: new URL(address).origin, quotaSize });
    await setRoom(1);
    await paste(visitor, '[Red "甲"]\n[Black "乙"]\n\n1. 炮二平五 馬8進7 *');
    await expect.poll(() => page.locator(".move button").count()).toBe(2);
    await paste(visitor, '[Red "丙"]\n[Black "丁"]\n\n1. 馬二進三 卒7進1 2. 車一進一 *');
    const strip = page.getByRole("alert").getByText("The browser's storage is full");
    await strip.waitFor();
    await visitor.shot("library-full");
    await toLibrary(visitor, 2);
    await page.locator(".entry", { hasText: "丙 – 丁" }).click();
    await expect.poll(() => page.locator(".move button").count()).toBe(3);
    const exported = page.waitForEvent("download");
    await visitor.button("Export all", "全部匯出").click();
    const file = JSON.parse(readFileSync(await (await exported).path()).toString()) as {
      entries: { body: { record: { nodes: unknown[] } } }[];
    };
    expect(file.entries.map(({ body }) => body.record.nodes.length).sort()).toEqual([2, 3]);
    // The page does not go without a question.
    const question = page.waitForEvent("dialog");
    await page.evaluate(() => void setTimeout(() => location.reload()));
    expect((await question).type()).toBe("beforeunload");
    await (await question).dismiss();

    // The visitor makes room.
    await setRoom();
    await page.locator(".entry", { hasText: "甲 – 乙" }).click();
    await visitor.button("Delete", "刪除").click();
    await strip.waitFor({ state: "detached" });
    await expect.poll(() => page.locator(".entry").count()).toBe(1);
    await page.reload();
    await visitor.tab("My library", "我的棋庫").click();
    await page.locator(".entry", { hasText: "丙 – 丁" }).click();
    await expect.poll(() => page.locator(".move button").count()).toBe(3);
    await visitor.close();
  });

  test("refuses the library: it is said at once, and games last as long as the page", async () => {
    const visitor = await Visitor.open(browser, setting, "#/analyse");
    const { page } = visitor;
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("no", "SecurityError");
      };
    });
    await page.reload();
    await page.getByRole("alert").getByText("does not let this page store anything").waitFor();
    await visitor.button("Close", "關閉").click();
    await paste(visitor, '[Red "甲"]\n[Black "乙"]\n\n1. 炮二平五 馬8進7 *');
    await expect.poll(() => page.locator(".move button").count()).toBe(2);
    await paste(visitor, "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
    await expect.poll(() => visitor.fen()).toContain("3k5/");
    await toLibrary(visitor, 1);
    await page.locator(".entry", { hasText: "甲 – 乙" }).click();
    await expect.poll(() => page.locator(".move button").count()).toBe(2);
    await visitor.button("Delete", "刪除").click();
    await expect.poll(() => page.locator(".entry").count()).toBe(0);
    await visitor.button("Undo", "復原").click();
    await expect.poll(() => page.locator(".entry").count()).toBe(1);
    await visitor.close();
  });
});

test.each([
  { setting: SETTINGS[0]!, title: /^You – Chuhe, level 3 [A-Z][a-z]{2} \d{1,2}, \d{4} · 0-1$/ },
  { setting: SETTINGS[3]!, title: /^你 – 楚河（3 級） \d{4}年\d{1,2}月\d{1,2}日 · 0-1$/ },
  {
    setting: { language: "zh-Hans", width: "phone" } as Setting,
    title: /^你 – 楚河（3 级） \d{4}年\d{1,2}月\d{1,2}日 · 0-1$/,
  },
])(
  "an own game is titled by its players, the level and the date, $setting.language",
  async ({ setting, title }) => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    const press = (...names: string[]) =>
      page.getByRole("button", { name: new RegExp(`^(${names.join("|")})$`) }).click();
    await page.getByRole("slider").fill("3");
    await press("Start game", "開始對局", "开始对局");
    await visitor.play("c3c4");
    await expect.poll(() => page.locator(".move button").count()).toBe(2);
    await press("Resign", "認輸", "认输");
    await press("Really resign\\?", "確定認輸？", "确定认输？");
    await press("Analyse game", "分析此局");
    const heading = page.locator("p.title");
    const text = async () => (await heading.innerText()).replace(/\s+/g, " ").trim();
    await expect.poll(text).toMatch(title);
    await visitor.shot("analyse-own-game");
    if (setting.width === "phone") {
      await page.setViewportSize({ width: 844, height: 390 });
      expect(await visitor.isInSight(heading)).toBe(true);
      expect((await heading.boundingBox())!.height).toBeGreaterThan(12);
      await page.setViewportSize({ width: 390, height: 844 });
    }
    await page.reload();
    await expect.poll(text).toMatch(title);
    // The library and its preview say the same.
    await page.evaluate(() => (location.hash = "#/games?source=library"));
    const players = (await page.locator(".entry .who").innerText()).trim();
    expect(title.source).toContain(players.slice(0, 5));
    await page.locator(".entry").click();
    await page.getByRole("heading", { level: 2, name: players }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 2, name: players }).waitFor();
    await visitor.close();
  },
);
