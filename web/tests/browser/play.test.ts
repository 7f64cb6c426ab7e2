import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, SETTINGS, Visitor, WIDTHS } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

describe.each(SETTINGS)("playing, $language, $width", (setting) => {
  test("from the first click to the result", async () => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    await visitor.shot("play-new");
    await page.getByRole("combobox").first().selectOption("10+5");
    await visitor.startGame();
    await visitor.play("h2e2");
    // The engine has moved when it is Red's turn again.
    await expect.poll(() => visitor.fen()).toMatch(/ w - - /);
    await expect.poll(() => page.locator(".move button").count()).toBe(2);
    const played = await visitor.fen();
    await visitor.shot("play-game");

    await page.reload();
    await expect.poll(() => visitor.fen()).toBe(played);

    await visitor.button("Hint", "提示").click();
    await page.locator(".arrow").waitFor({ timeout: 15_000 });
    await visitor.button("Take back", "悔棋").click();
    await expect.poll(() => page.locator(".move button").count()).toBe(0);

    await visitor.resign();
    await page.getByText(visitor.says("Black wins: You resigned.", "黑方勝：你認輸了。")).waitFor();
    await visitor.shot("play-result");
    await visitor.button("Analyse game", "分析此局").click();
    await page.locator(".line").first().waitFor();
    await visitor.close();
  });
});

test.each(WIDTHS)(
  "the engine begins when the visitor is Black, and gives a horse if asked, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    await page.getByRole("radio", { name: "Black" }).check();
    await page.getByRole("combobox", { name: "Engine gives odds" }).selectOption("horse");
    await visitor.startGame();
    await expect.poll(() => visitor.fen()).toMatch(/ b - - /);
    expect((await visitor.fen()).split(" ")[0]!.match(/N/g)).toHaveLength(1);
    // The board is turned: Black's general stands below Red's.
    const below = await page.getByRole("img", { name: "black general" }).boundingBox();
    const above = await page.getByRole("img", { name: "red general" }).boundingBox();
    expect(below!.y).toBeGreaterThan(above!.y);
    await visitor.close();
  },
);

test.each(WIDTHS)("the engine varies its openings by the book, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/play");
  const { page } = visitor;
  await page.getByRole("radio", { name: "Black" }).check();
  // The weaker levels would vary without a book.
  await page.getByRole("slider").fill("10");
  const first = new Set<string>();
  // The likeliest move has a chance of 39 %, so that sixteen games with the same move would be a fault.
  for (let game = 0; game < 16 && first.size < 2; game++) {
    await visitor.startGame();
    await expect.poll(() => visitor.fen()).toMatch(/ b - - /);
    first.add(await page.locator(".move button").first().innerText());
    await visitor.button("New game", "新對局").click();
  }
  expect(first.size).toBeGreaterThan(1);
  // The moves of the stories' book.
  expect(["P3+1", "C2=5", "H2+3", "E3+5"]).toEqual(expect.arrayContaining([...first]));
  await visitor.close();
});

test.each(WIDTHS)(
  "a draw offer in an equal game is refused and the game goes on, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    await visitor.startGame();
    await visitor.button("Offer draw", "提和").click();
    await page.getByText("The engine declines the draw.").waitFor({ timeout: 15_000 });
    await visitor.play("h2e2");
    await visitor.close();
  },
);

test("a move can be dragged, typed and made with the keyboard", async () => {
  const visitor = await Visitor.open(browser, SETTINGS[0]!, "#/analyse");
  const { page } = visitor;
  await expect.poll(async () => (await visitor.drag("h2e2"), visitor.fen())).toMatch(/ b - - /);
  const input = page.getByPlaceholder(/Type a move/);
  await input.fill("馬8進7");
  await input.press("Enter");
  await expect.poll(() => visitor.fen()).toMatch(/ w - - /);
  await input.fill("R1=7");
  await input.press("Enter");
  await page.getByText("Not a legal move here.").waitFor();
  await input.fill("");

  // h0g2 by keyboard: from the middle to the horse, lift it, put it down.
  await page.locator("svg.board").focus();
  await page.keyboard.press("Enter");
  for (const key of [
    "ArrowRight",
    "ArrowRight",
    "ArrowRight",
    "ArrowDown",
    "ArrowDown",
    "ArrowDown",
    "ArrowDown",
  ])
    await page.keyboard.press(key);
  // The horse can be selected as soon as the page knows its moves.
  await expect
    .poll(async () => (await page.keyboard.press("Enter"), page.locator(".target").count()))
    .toBeGreaterThan(0);
  for (const key of ["ArrowUp", "ArrowUp", "ArrowLeft"]) await page.keyboard.press(key);
  await page.keyboard.press("Enter");
  await expect.poll(() => visitor.fen()).toMatch(/ b - - 3 2/);
  await page.getByRole("img", { name: "red horse, g two" }).waitFor();
  await visitor.close();
});

/** A visitor who uses nothing but keys. */
function keyboardOf({ page }: Visitor) {
  // The cursor of the board, which appears in the middle.
  let at = "e4";
  const goTo = async (point: string) => {
    const [files, ranks] = [0, 1].map((index) => point.charCodeAt(index) - at.charCodeAt(index));
    for (let step = 0; step < Math.abs(files!); step++)
      await page.keyboard.press(files! > 0 ? "ArrowRight" : "ArrowLeft");
    for (let step = 0; step < Math.abs(ranks!); step++)
      await page.keyboard.press(ranks! > 0 ? "ArrowUp" : "ArrowDown");
    at = point;
  };
  return {
    /** Tabs to a button, or to the choice with this value. */
    async tabTo(name: string) {
      const focused = () =>
        page.evaluate(() => {
          const element = document.activeElement;
          return element instanceof HTMLInputElement ? element.value : (element?.textContent?.trim() ?? "");
        });
      for (let count = 0; count < 60 && (await focused()) !== name; count++) await page.keyboard.press("Tab");
      expect(await focused()).toBe(name);
    },
    /** Tabs to a button and presses it. */
    async pressButton(name: string) {
      await this.tabTo(name);
      await page.keyboard.press("Enter");
    },
    /** Starts the game; the focus goes to the board. */
    async start() {
      await this.pressButton("Start game");
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.classList.contains("board")))
        .toBe(true);
      await page.keyboard.press("Enter");
    },
    async play(move: string) {
      await goTo(move.slice(0, 2));
      await expect
        .poll(async () => (await page.keyboard.press("Enter"), page.locator(".target").count()))
        .toBeGreaterThan(0);
      await goTo(move.slice(2));
      await page.keyboard.press("Enter");
    },
  };
}

test("a game is played with the keyboard alone, from the first key to the result", async () => {
  const visitor = await Visitor.open(browser, SETTINGS[0]!, "#/play");
  const { page } = visitor;
  const keyboard = keyboardOf(visitor);
  await keyboard.start();
  await keyboard.play("h2e2");
  await expect.poll(() => page.locator(".move button").count()).toBe(2);
  await keyboard.play("h0g2");
  await expect.poll(() => page.locator(".move button").count()).toBe(4);
  await keyboard.pressButton("Resign");
  await keyboard.pressButton("Really resign?");
  await page.getByText("Black wins: You resigned.").waitFor();
  await keyboard.pressButton("Rematch");
  await expect.poll(() => visitor.fen()).toMatch(/ b - - /);
  await visitor.close();
});

test("two people play to checkmate with the keyboard alone", async () => {
  const visitor = await Visitor.open(browser, SETTINGS[0]!, "#/play");
  const { page } = visitor;
  const keyboard = keyboardOf(visitor);
  await keyboard.tabTo("engine");
  await page.keyboard.press("ArrowDown");
  await keyboard.start();
  // Two cannons on the middle file.
  const moves = ["h2e2", "a6a5", "e2e6", "a5a4", "b2b4", "i6i5", "b4e4"];
  for (const [ply, move] of moves.entries()) {
    await keyboard.play(move);
    await expect.poll(() => page.locator(".move button").count()).toBe(ply + 1);
  }
  await page
    .getByText(/Red wins: checkmate/i)
    .first()
    .waitFor();
  await visitor.close();
});

test.each(WIDTHS)(
  "a premove is played after the engine's reply, and a takeback drops it, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    // At full strength and outside the book the engine thinks long enough for a premove.
    await page.getByRole("slider").fill("10");
    await visitor.startGame();
    await visitor.play("i0i1");
    await visitor.press("a3");
    await visitor.press("a4");
    expect(await page.locator(".premove").count()).toBe(2);
    await expect.poll(() => page.locator(".move button").count()).toBeGreaterThanOrEqual(3);
    await expect.poll(() => visitor.fen()).toMatch(/^[^ ]*\/P8\/2P1P1P1P\//);
    await expect.poll(() => visitor.fen()).toMatch(/ w - - /);
    await visitor.playAnything();
    await visitor.press("b0");
    await visitor.press("c2");
    await visitor.button("Take back", "悔棋").click();
    await expect.poll(() => visitor.fen()).toMatch(/ w - - /);
    await page.waitForTimeout(800);
    expect(await page.locator(".premove").count()).toBe(0);
    expect(await visitor.fen()).toMatch(/ w - - /);
    await visitor.close();
  },
);

test.each(WIDTHS)(
  "the focus is on the board after the start, and moves are read out in words, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    await visitor.startGame();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.classList.contains("board")))
      .toBe(true);
    await visitor.play("h2e2");
    await page.getByText("Last move: red cannon, h two to e two").waitFor({ state: "attached" });
    await visitor.close();
  },
);

test("a phone shows the opponent above the board, one's own clock and the buttons below it, without scrolling", async () => {
  const visitor = await Visitor.open(browser, SETTINGS[1]!, "#/play");
  const { page } = visitor;
  await page.getByRole("combobox").first().selectOption("10+5");
  await visitor.startGame();
  const board = (await page.locator("svg.board").boundingBox())!;
  const clocks = page.getByRole("timer");
  const [above, below] = [(await clocks.first().boundingBox())!, (await clocks.last().boundingBox())!];
  expect(above.y).toBeLessThan(board.y);
  expect(below.y).toBeGreaterThan(board.y + board.height);
  expect(below.y + below.height).toBeLessThan(844);
  const buttons = [visitor.button("Take back", "悔棋"), visitor.button("Resign", "認輸")];
  for (const button of buttons) expect(await visitor.isInSight(button)).toBe(true);
  await visitor.shot("play-clocks");

  await page.setViewportSize({ width: 844, height: 390 });
  const landscape = (await page.locator("svg.board").boundingBox())!;
  expect(landscape.y + landscape.height).toBeLessThanOrEqual(390);
  const panel = (await page.locator("aside").boundingBox())!;
  expect(panel.x).toBeGreaterThanOrEqual(landscape.x + landscape.width);
  for (const button of buttons) expect(await visitor.isInSight(button)).toBe(true);
  for (const clock of await clocks.all())
    if (await clock.isVisible()) expect(await visitor.isInSight(clock)).toBe(true);
  await visitor.shot("play-landscape");
  await visitor.close();
});

test("a phone starts a game without scrolling, and on its side shows both clocks", async () => {
  const visitor = await Visitor.open(browser, SETTINGS[1]!, "#/play");
  const { page } = visitor;
  const start = visitor.button("Start game", "開始對局");
  expect(await visitor.isInSight(start)).toBe(true);
  await visitor.shot("play-new");
  await page.setViewportSize({ width: 844, height: 390 });
  expect(await visitor.isInSight(start)).toBe(true);
  await visitor.shot("play-new-landscape");
  await page.getByRole("combobox").first().selectOption("10+5");
  // The panel was scrolled to its end.
  await page.locator("aside").evaluate((panel) => panel.scrollTo({ top: panel.scrollHeight }));
  await start.click();
  const clocks = page.getByRole("timer").locator("visible=true");
  await expect.poll(() => clocks.count()).toBe(2);
  for (const clock of await clocks.all()) expect(await visitor.isInSight(clock)).toBe(true);
  await visitor.shot("play-begun-landscape");
  await visitor.close();
});

describe.each([SETTINGS[0]!, SETTINGS[3]!])("two people, $language, $width", (setting) => {
  test("share a board; illegal moves are explained, captures shown, and a rematch swaps sides", async () => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    await page.getByRole("radio", { name: visitor.says("Two people", "雙人同機") }).check();
    await page.getByRole("combobox").first().selectOption("own");
    await page.getByRole("spinbutton", { name: visitor.says("Minutes per side", "局時") }).fill("5");
    await page.getByRole("spinbutton", { name: visitor.says("Limit per move", "步時") }).fill("30");
    await visitor.shot("play-own-control");
    await visitor.startGame();

    await visitor.play("h2e2");
    await expect.poll(() => page.getByRole("timer").first().innerText()).toMatch(/5:00|4:5\d/);
    await page
      .getByRole("timer")
      .first()
      .getByText(/0:(2\d|30)/)
      .waitFor();
    // The other side moves on the same board.
    await visitor.play("h9g7");
    const explains = async (from: string, to: string, english: string, chinese: string) => {
      await visitor.select(from);
      await visitor.press(to);
      await page.getByText(visitor.says(english, chinese)).waitFor();
    };
    await explains("h0", "f1", "The horse's leg is blocked at g0.", "馬腿在 g0 被蹩住。");
    await explains("e2", "e9", "the cannon must jump exactly one piece", "炮吃子須隔一子");
    await visitor.shot("play-illegal");
    await visitor.play("e2e6");
    await page.locator(".captured svg:visible").first().waitFor();
    expect(await page.locator(".rounds .move button").count()).toBe(3);
    await visitor.shot("play-two-people");
    await visitor.button("Take back", "悔棋").click();
    await expect.poll(() => page.locator(".rounds .move button").count()).toBe(2);

    // A new game needs no resignation, and the old one can be called back.
    const fen = await visitor.fen();
    await visitor.button("New game", "新對局").click();
    await page.getByText(visitor.says("The game was put away", "對局已收起")).waitFor();
    await visitor.button("Undo", "復原").click();
    await expect.poll(() => visitor.fen()).toBe(fen);
    await visitor.button("Agree a draw", "議和").click();
    await page.getByText(visitor.says("Draw agreed.", "雙方議和。")).first().waitFor();
    await visitor.button("Rematch", "再來一局").click();
    await expect.poll(() => page.locator(".move button").count()).toBe(0);
    await visitor.close();
  });
});

test.each(WIDTHS)(
  "two engines play a series, which is counted and saved as one file, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    await page.getByRole("radio", { name: "Engine against engine" }).check();
    await page.locator("select").nth(1).selectOption("1");
    await page.locator("select").nth(2).selectOption("Rival");
    await page.getByRole("spinbutton", { name: "Games" }).fill("2");
    // So little time that the first game is soon over.
    await page.getByRole("combobox").first().selectOption("own");
    await page.getByRole("spinbutton", { name: "Minutes per side" }).fill("0.05");
    await page.getByRole("spinbutton", { name: "Limit per move" }).fill("0");
    await visitor.startGame();
    await page.getByText("Chuhe 1 – Rival").waitFor();
    await page.getByText("1 / 2").waitFor({ timeout: 30_000 });
    await visitor.shot("play-series");
    const download = page.waitForEvent("download");
    await visitor.button("Download (PGN)", "下載 (PGN)").click();
    expect((await download).suggestedFilename()).toBe("Chuhe 1-Rival.pgn");
    // One width sees the end of the series.
    if (setting.width === "wide") await page.getByText("2 / 2").waitFor({ timeout: 30_000 });
    await visitor.close();
  },
);

test("a visitor draws arrows and circles", async () => {
  const visitor = await Visitor.open(browser, SETTINGS[0]!, "#/games");
  const { page } = visitor;
  const [from, to] = [await visitor.place("h2"), await visitor.place("e2")];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(to.x, to.y);
  await page.mouse.up({ button: "right" });
  await page.locator("svg.board .arrow").waitFor();
  await page.mouse.click(to.x, to.y, { button: "right" });
  await page.locator("circle.drawn").waitFor();
  await visitor.shot("drawn");
  await visitor.press("e5");
  await expect.poll(() => page.locator("circle.drawn, svg.board .arrow").count()).toBe(0);
  await visitor.close();
});

test.each(WIDTHS)("a visitor reads coordinates on a board of high contrast, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const { page } = visitor;
  const ground = () =>
    page.locator("svg.board").evaluate((board) => getComputedStyle(board).getPropertyValue("--board"));
  const before = await ground();
  await visitor.button("Settings", "設定").click();
  await page.getByLabel("Notation").selectOption("iccs");
  await page.getByLabel("Board", { exact: true }).selectOption("contrast");
  await visitor.shot("contrast");
  await page.keyboard.press("Escape");
  expect(await ground()).not.toBe(before);
  for (const name of ["a", "i", "0", "9"])
    await page.locator("svg.board text").getByText(name, { exact: true }).first().waitFor();
  await visitor.play("h2e2");
  await page.getByRole("button", { name: "H2-E2" }).first().waitFor();
  await visitor.close();
});

/** Plays a game of three rounds against the weakest level and resigns. */
async function loseQuickly(visitor: Visitor, withHint = false) {
  const { page } = visitor;
  await page.getByRole("slider").fill("1");
  await visitor.startGame();
  for (let round = 1; round <= 3; round++) {
    await visitor.playAnything();
    await expect.poll(() => page.locator(".move button").count()).toBe(2 * round);
  }
  if (withHint) {
    await visitor.button("Hint", "提示").click();
    await page.locator(".arrow").waitFor();
  }
  await visitor.resign();
}

test.each(WIDTHS)("games against levels rate the visitor, unless there was help, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/play");
  const { page } = visitor;
  await page.locator(".rating", { hasText: /^\d+$/ }).waitFor();
  await loseQuickly(visitor);
  await visitor.button("New game", "新對局").click();
  const rating = page.getByText(/^Your rating: \d+ ± \d+ \(games without help: 1\)$/);
  await rating.waitFor();
  const text = await rating.innerText();
  expect(Number(/\d+/.exec(text))).toBeLessThan(1500);
  await loseQuickly(visitor, true);
  await visitor.button("New game", "新對局").click();
  expect(await rating.innerText()).toBe(text);
  await page.reload();
  expect(await rating.innerText()).toBe(text);
  await visitor.close();
});

test.each([SETTINGS[0]!, SETTINGS[3]!])(
  "a finished game is reported with one click, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/play");
    const { page } = visitor;
    await visitor.startGame();
    await visitor.play("c3c4");
    await expect.poll(() => page.locator(".move button").count()).toBe(2);
    await visitor.resign();
    await visitor.button("Report", "全局報告").click();
    await page.getByRole("table").waitFor({ timeout: 45_000 });
    await page.getByText(visitor.says("accuracy", "準確度")).first().waitFor();
    await visitor.shot("play-report");
    await visitor.close();
  },
);

test.each(WIDTHS)("sounds are played, and are silent when they are switched off, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/analyse");
  const { page } = visitor;
  await page.evaluate(() => {
    const start = OscillatorNode.prototype.start;
    Object.assign(window, { tones: 0 });
    OscillatorNode.prototype.start = function (when) {
      (window as unknown as { tones: number }).tones++;
      start.call(this, when);
    };
  });
  const tones = () => page.evaluate(() => (window as unknown as { tones: number }).tones);
  await visitor.play("h2e2");
  await expect.poll(tones).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByLabel("Sounds").uncheck();
  await page.keyboard.press("Escape");
  const before = await tones();
  await visitor.play("h9g7");
  await page.waitForTimeout(300);
  expect(await tones()).toBe(before);
  await visitor.close();
});
