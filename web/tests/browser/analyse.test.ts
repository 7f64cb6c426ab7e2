import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { address, launch, SETTINGS, SHOTS, Visitor, WIDTHS } from "./page";
import { PROGRAM } from "./program";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const GAME = `[Red "甲"]
[Black "乙"]
1. 炮二平五 馬8進7 (1... 炮8平5 2. 馬二進三) 2. 馬二進三 {好棋} 車9平8 3. 車一平二 炮8進4 4. 車二進一 *`;

describe.each(SETTINGS)("analysing, $language, $width", (setting) => {
  test("from the first line to the report and the file", async () => {
    const visitor = await Visitor.open(browser, setting, "#/analyse");
    const { page } = visitor;
    await page.locator(".line").first().waitFor();
    await visitor.play("b2e2");
    await page.locator(".line").nth(2).waitFor();
    await visitor.shot("analyse-lines");

    await visitor.tab("Open", "開啟").click();
    await page.getByRole("textbox").last().fill(GAME);
    await visitor.button("Read", "讀取").click();
    await page.getByText("甲 – 乙").waitFor();
    expect(await page.locator(".variation").count()).toBe(1);
    await page.getByText("好棋").first().waitFor();

    await visitor.button("Go to end", "到結尾").click();
    await expect.poll(() => visitor.fen()).toMatch(/ b - - /);
    await visitor.tab("Why", "評估").click();
    await page.getByRole("button", { name: visitor.says("Placement", "位置") }).click();
    await expect.poll(() => page.locator(".lit").count()).toBeGreaterThan(10);
    await visitor.shot("analyse-why");

    await page.getByText(visitor.says("The network disagrees by", "神經網路的看法相差")).waitFor();
    await visitor.tab("Ending", "殘局庫").click();
    await page.getByText(visitor.says("Too many pieces for a table.", "棋子太多，沒有殘局庫。")).waitFor();
    await visitor.button("Go to start", "回到開頭").click();
    await visitor.tab("Book", "開局庫").click();
    await page.locator("#tab-panel .bar").first().waitFor();
    await visitor.shot("analyse-book");

    await visitor.tab("Report", "全局報告").click();
    await page.getByRole("combobox", { name: visitor.says("Effort", "分析力度") }).selectOption("quick");
    await visitor.button("Analyse the whole game", "分析全局").click();
    await page.getByRole("table").waitFor({ timeout: 30_000 });
    await page.getByText(visitor.says("accuracy", "準確度")).waitFor();
    await page.getByText(visitor.says("Central Cannon", "中炮局")).first().waitFor();
    expect(await page.locator(".curve").getAttribute("d")).toMatch(/L.*L.*L/);
    await visitor.shot("analyse-report");
    await expectReportPage(visitor);

    await visitor.tab("Save", "儲存").click();
    const download = page.waitForEvent("download");
    await page.getByRole("combobox").last().selectOption("xqf");
    await visitor.button("Download", "下載").click();
    expect((await download).suggestedFilename()).toBe("甲-乙.xqf");
    const picture = page.waitForEvent("download");
    await visitor.button("Picture", "圖片").click();
    expect((await picture).suggestedFilename()).toBe("甲-乙-0.png");
    await visitor.close();
  });
});

/** The report saved as a page: names, moves and accuracy, and on paper a sentence for each mistake. */
async function expectReportPage(visitor: Visitor) {
  const download = visitor.page.waitForEvent("download");
  await visitor.button("Save as web page", "存成網頁").click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe("甲-乙.html");
  const folder = mkdtempSync(join(tmpdir(), "chuhe-"));
  await saved.saveAs(join(folder, "report.html"));
  const paper = await visitor.context.newPage();
  const errors: string[] = [];
  paper.on("pageerror", (error) => errors.push(error.message));
  await paper.goto(`file://${join(folder, "report.html")}`);
  await paper.getByRole("heading", { name: "甲 – 乙" }).waitFor();
  await paper.getByText(visitor.says("accuracy", "準確度")).waitFor();
  expect(await paper.locator("#moves li[data-ply]").count()).toBe(7);
  await paper.locator("#moves li[data-ply]").first().getByText(visitor.says("C2=5", "炮二平五")).waitFor();
  expect(await paper.locator("#mistakes").isVisible()).toBe(false);
  await paper.emulateMedia({ media: "print" });
  expect(await paper.locator("nav").isVisible()).toBe(false);
  // The report counts as many marked moves as the paper explains.
  const marked = await paper.locator("#moves .mark:not(:empty)").count();
  expect(await paper.locator("#mistakes li").count()).toBe(marked);
  const { language, width } = visitor.setting;
  await paper.screenshot({ path: `${SHOTS}report-paper-${language}-${width}.png`, fullPage: true });
  expect(errors).toEqual([]);
  await paper.close();
  rmSync(folder, { recursive: true });
}

const [english] = SETTINGS;

test("the keyboard walks, turns, switches and copies", async () => {
  const visitor = await Visitor.open(browser, english!, "#/analyse");
  const { page } = visitor;
  await visitor.tab("Open", "開啟").click();
  await page.getByRole("textbox").last().fill(GAME);
  await visitor.button("Read", "讀取").click();
  await page.getByText("甲 – 乙").waitFor();
  await page.locator("h1").evaluate(() => (document.activeElement as HTMLElement).blur());
  const start = await visitor.fen();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const main = await visitor.fen();
  await page.keyboard.press("ArrowDown");
  expect(await visitor.fen()).not.toBe(main);
  await page.keyboard.press("ArrowUp");
  expect(await visitor.fen()).toBe(main);
  await page.keyboard.press("Home");
  expect(await visitor.fen()).toBe(start);
  await page.keyboard.press("c");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(start);
  await page.keyboard.press("n");
  await page.getByRole("button", { name: "H2-E2" }).first().waitFor();
  await page.keyboard.press(" ");
  await page.getByText("Engine off. Press space to start it.").waitFor();
  await page.keyboard.press("?");
  await page.getByText("show threats").waitFor();
  await visitor.close();
});

test("a dropped file is opened and a bad text is refused where it stands", async () => {
  const visitor = await Visitor.open(browser, english!, "#/analyse");
  const { page } = visitor;
  const files = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["1-0\th2e2 h9g7\n0-1\tb0c2 b9c7 h2e2\n"], "games.txt"));
    return data;
  });
  await page.dispatchEvent("body", "drop", { dataTransfer: files });
  await page.getByText("Games in the file").waitFor();
  await page.locator("select[size]").selectOption("1");
  await expect.poll(() => page.locator(".move button").count()).toBe(3);

  await page
    .getByRole("textbox")
    .last()
    .fill("rnbakabnr/9/1c5c1/p1p1p1p1pp/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
  await visitor.button("Read", "讀取").click();
  await page.getByText("rank 6 ('p1p1p1p1pp') covers 10 files instead of 9").waitFor();
  visitor.forgive();
  await visitor.close();
});

test.each(WIDTHS)("a position is set up by hand and its faults are told, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const { page } = visitor;
  await visitor.tab("Set up", "編輯局面").click();
  await visitor.button("Clear", "清空").click();
  await page.getByText("the generals face each other on file e").waitFor();
  visitor.forgive();
  await page.locator(".tools").getByRole("button", { name: "red soldier" }).click();
  await visitor.press("e5");
  await expect.poll(() => visitor.fen()).toContain("/4P4/");
  await visitor.shot("analyse-setup");
  await visitor.button("Use this position", "採用此局面").click();
  await page.locator(".line").first().waitFor();
  await visitor.close();
});

test.each(WIDTHS)("the referee warns of a chase and then rules, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const { page } = visitor;
  const round = "g6h6 g2h2 h6g6 h2g2";
  const line = (moves: string) => `position fen 3k5/9/9/6c2/9/9/9/6R2/9/5K3 b moves ${moves}`;
  await visitor.tab("Open", "開啟").click();
  const openAtEnd = async (moves: string) => {
    await page.getByRole("textbox").last().fill(line(moves));
    await visitor.button("Read", "讀取").click();
    // Until the server has read the game, the end would be that of the game before.
    await expect.poll(() => page.locator(".move button").count()).toBe(moves.split(" ").length);
    await visitor.button("Go to end", "到結尾").click();
  };
  await openAtEnd(round);
  await page.getByText("If the position repeats again:").waitFor();
  await openAtEnd(`${round} ${round}`);
  await page.getByText("Black wins: Red chases the same piece with every move.").waitFor();
  await visitor.button("Show moves", "逐著說明").click();
  await page.getByText("chase: chariot h2 on cannon h6").first().waitFor();
  await visitor.shot("analyse-referee");
  await visitor.close();
});

test.each(WIDTHS)("another engine is compared with ours, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const { page } = visitor;
  await page.locator(".line").first().waitFor();
  await page.getByLabel("Compare with").selectOption("Rival");
  // Its lines stand below ours, one by one.
  await page.locator(".theirs .line").nth(2).waitFor({ timeout: 20_000 });
  await visitor.shot("analyse-rival");
  await visitor.close();
});

test.each(WIDTHS)(
  "an analysis has the depth, the threads and the hash that were chosen, within the server's limits, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/analyse");
    const { page } = visitor;
    await visitor.button("Analysis settings", "分析設定").click();
    await page.getByLabel("Threads").selectOption("2");
    await page.getByLabel("Stop at depth").selectOption("8");
    const sizes = await page.getByLabel("Hash").locator("option").allInnerTexts();
    expect(sizes[0]).toBe("16 MB");
    expect(sizes.at(-1)).toBe("128 MB");
    const asked = page
      .waitForEvent("websocket")
      .then((socket) =>
        socket.waitForEvent("framesent", (frame) => String(frame.payload).includes('"hash":128')),
      );
    await page.getByLabel("Hash").selectOption("128");
    await visitor.shot("analyse-settings");
    await visitor.play("h2e2");
    await page.locator(".figures").getByText("depth 8").waitFor();
    await page.waitForTimeout(700);
    await page.locator(".figures").getByText("depth 8").waitFor();
    // The choice is kept.
    await page.reload();
    await asked;
    await visitor.button("Analysis settings", "分析設定").click();
    expect(await page.getByLabel("Hash").inputValue()).toBe("128");
    expect(await page.getByLabel("Stop at depth").inputValue()).toBe("8");
    await visitor.close();
  },
);

/** Twelve games; the last one has three plies, the others two. */
function twelveGames(format: "pgn" | "cbl"): Buffer {
  const text = Array.from({ length: 12 }, (_, index) => {
    const moves = index === 11 ? "炮二平五 馬8進7 2. 馬二進三" : "炮二平五 馬8進7";
    return `[Event "Round ${index + 1}"]\n[Red "甲"]\n[Black "乙"]\n\n1. ${moves} *\n`;
  }).join("\n");
  if (format === "pgn") return Buffer.from(text);
  const folder = mkdtempSync(join(tmpdir(), "chuhe-"));
  writeFileSync(join(folder, "games.pgn"), text);
  execFileSync(PROGRAM, ["convert", join(folder, "games.pgn"), join(folder, "games.cbl")], { stdio: "pipe" });
  const bytes = readFileSync(join(folder, "games.cbl"));
  rmSync(folder, { recursive: true });
  return bytes;
}

describe.each(WIDTHS)("a file with several games, $width", (setting) => {
  test.each(["pgn", "cbl"] as const)(
    "%s: its list is in sight, and the chosen game is opened",
    async (format) => {
      const visitor = await Visitor.open(browser, setting, "#/analyse");
      const { page } = visitor;
      await visitor.tab("Open", "開啟").click();
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: `games.${format}`, mimeType: "", buffer: twelveGames(format) });
      const list = page.locator("select[size]");
      await list.waitFor();
      await visitor.shot(`analyse-file-${format}`);
      expect(await visitor.isInSight(list)).toBe(true);
      expect(await list.locator("option").count()).toBe(12);
      await expect.poll(() => page.locator(".move button").count()).toBe(2);
      await list.selectOption({ index: 11 });
      await expect.poll(() => page.locator(".move button").count()).toBe(3);
      await page.getByText("甲 – 乙").first().waitFor();
      await visitor.close();
    },
  );
});

test.each(WIDTHS)("one search runs, and its lines are one tab stop each, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const { page } = visitor;
  const searches: string[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      if (String(payload).includes('"analyse"')) searches.push(String(payload));
    }),
  );
  // The server's limits come late.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`${address}api/about`, async (route) => {
    await held;
    await route.continue();
  });
  // A search that ends has lines that stay as they are.
  await page.evaluate(() => localStorage.setItem("chuhe.settings", JSON.stringify({ depth: 8 })));
  await page.reload();
  await page.locator(".figures").getByText("depth 8").waitFor();
  const stops = page.locator('.line button[tabindex="0"]');
  expect(await stops.count()).toBe(3);
  expect(await page.locator(".line button:not([tabindex])").count()).toBe(0);
  await stops.first().focus();
  await page.keyboard.press("ArrowRight");
  const place = () =>
    page.evaluate(() => {
      const button = document.activeElement;
      return button?.matches(".line button") ? [...button.parentElement!.children].indexOf(button) : null;
    });
  expect(await place()).toBe(1);
  // The limits change nothing, and the search is not started again.
  release();
  await page.getByLabel("Compare with").waitFor();
  await page.waitForTimeout(300);
  expect(await place()).toBe(1);
  expect(searches).toHaveLength(1);
  await visitor.close();
});
