import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EndgameView } from "../../src/api/types";
import { ask, launch, SETTINGS, Visitor, WIDTHS } from "./page";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const look = (fen: string) => ask<EndgameView>("api/endgame", { game: { start: fen, moves: [] } });

describe.each(SETTINGS)("endgames, $language, $width", (setting) => {
  test("an ending is picked, its table built, and it is played out against the best defence", async () => {
    const visitor = await Visitor.open(browser, setting, "#/endgames");
    const { page } = visitor;
    await visitor.page
      .getByRole("button", { name: visitor.says("Horse against an advisor", "單馬對單士") })
      .click();
    // The first visitor finds no table and builds it; the others find it there. Not all tables: nobody else could build any.
    const build = page.getByRole("button", { name: /^(Build \(|建立)/ });
    await page.locator(".chip").or(build).first().waitFor();
    if (await build.isVisible()) {
      await visitor.shot("endgames-missing");
      await build.click();
    }
    await page.locator(".chip").first().waitFor({ timeout: 30_000 });
    const view = await look(await visitor.fen());
    expect(await page.locator(".chip").count()).toBe(view.moves.length);
    await page.getByText(visitor.says("Longest win", "最長勝局")).waitFor();
    await visitor.shot("endgames");

    await visitor.button("Play it out", "走到底").click();
    await expect.poll(() => page.locator(".chip").count()).toBe(0);
    const start = await visitor.fen();
    const bad = view.moves.find((move) => move.result !== "win");
    await visitor.play(bad!.move);
    await page.getByText(visitor.says("That throws away the win", "勝機已失")).waitFor();
    await visitor.shot("endgames-let-go");
    await visitor.button("Take back", "悔棋").click();
    await expect.poll(() => visitor.fen()).toBe(start);
    for (let round = 0; round < 2; round++) {
      const { moves } = await look(await visitor.fen());
      await visitor.play(moves[0]!.move);
      await page.getByText(visitor.says("Correct.", "正確。")).waitFor();
      // The defence has answered when it is the visitor's turn again.
      await expect.poll(() => visitor.fen()).toMatch(/ w - - /);
    }
    await visitor.shot("endgames-played");
    // Once more from the start, still against the defence.
    await visitor.button("Again", "重來").click();
    await expect.poll(() => visitor.fen()).toBe(start);
    await visitor.button("Take back", "悔棋").waitFor();
    expect(await page.locator(".chip").count()).toBe(0);
    await visitor.close();
  });
});

test.each(WIDTHS)(
  "an ending is set up by hand, and one that is too large is refused with the reason, $width",
  async (setting) => {
    const visitor = await Visitor.open(browser, setting, "#/endgames");
    const { page } = visitor;
    await visitor.button("Set up", "編輯局面").click();
    const fen = page.getByLabel("FEN");
    await fen.fill("3k5/4a4/9/9/9/9/9/9/4N4/4K4 w");
    await fen.press("Enter");
    await visitor.button("Use this position", "採用此局面").click();
    await expect.poll(() => visitor.fen()).toContain("4N4");
    await page.locator(".chip").first().waitFor({ timeout: 30_000 });
    await page.locator(".chip").first().click();
    await expect.poll(() => visitor.fen()).toMatch(/ b - - /);

    await visitor.button("Set up", "編輯局面").click();
    await fen.fill("2bak4/4a4/4b4/9/9/9/9/9/2CNR4/4K4 w");
    await fen.press("Enter");
    await visitor.button("Use this position", "採用此局面").click();
    await page.getByText("MB of memory to build").waitFor();
    await visitor.shot("endgames-refused");
    await visitor.close();
  },
);

test.each(WIDTHS)("zugzwangs and wins of a length are found and opened, $width", async (setting) => {
  const visitor = await Visitor.open(browser, setting, "#/endgames?fen=4k4/9/9/9/4N4/9/4p4/9/9/3K5_w");
  const { page } = visitor;
  const found = page.getByRole("region", { name: "Find" }).getByRole("listitem").getByRole("button");
  await visitor.button("Zugzwangs", "逼走劣著").click();
  await found.first().waitFor({ timeout: 30_000 });
  expect(await found.count()).toBe(6);
  await found.first().click();
  const fen = await visitor.fen();
  const [moved, passed] = await Promise.all([
    look(fen),
    look(fen.replace(/ [wb] /, (side) => (side === " w " ? " b " : " w "))),
  ]);
  const worth = { win: 1, draw: 0, loss: -1, unknown: NaN } as Record<string, number>;
  expect(worth[moved.value!.result]).toBeLessThan(-worth[passed.value!.result]!);

  await page.getByLabel("Wins in").fill("5");
  await visitor.button("Find", "尋找").click();
  await found.filter({ hasText: "in 5 moves" }).first().waitFor();
  await found.first().click();
  await expect.poll(async () => (await look(await visitor.fen())).value?.plies).toBe(9);
  await visitor.close();
});

test.each(WIDTHS)(
  "the repetition rules are chosen, and the table that knows them is built, $width",
  async (setting) => {
    const fen = "4k4/9/9/9/4N4/9/4p4/9/9/3K5 w";
    const visitor = await Visitor.open(browser, setting, `#/endgames?fen=${fen.replace(" ", "_")}`);
    const { page } = visitor;
    await page.locator(".chip").first().waitFor({ timeout: 30_000 });
    await page.getByLabel("Repetition rules").selectOption("cxa");
    // The first visitor finds a table without repetition rules and builds the other; the others find it there.
    const build = page.getByRole("button", { name: /^Build for these rules/ });
    const judged = page.getByText("Repetition rules: Chinese (CXA).");
    const isJudged = async () => {
      // The button comes and goes while the answer for the new rules is on its way.
      if (await build.isVisible()) await build.click({ timeout: 1000 }).catch(() => null);
      return judged.isVisible();
    };
    await expect.poll(isJudged, { timeout: 30_000 }).toBe(true);
    await visitor.shot("endgames-rules");
    const answer = await ask<EndgameView>("api/endgame", { game: { start: fen, moves: [] }, rules: "cxa" });
    expect(answer.rules).toBe("cxa");
    expect(await page.locator(".chip").count()).toBe(answer.moves.length);
    // The choice is kept.
    await page.reload();
    await judged.waitFor({ timeout: 30_000 });
    await visitor.close();
  },
);
