// The server is killed while a visitor is at work: the page goes on with its local core.

import type { Browser } from "playwright-core";
import type { ChildProcess } from "node:child_process";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launch, SETTINGS, Visitor, WIDTHS, type Setting } from "./page";
import { serve } from "./program";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

let server: { address: string; process: ChildProcess };
beforeEach(async () => void (server = await serve("0")));
afterEach(() => void server.process.kill());

/** Kills the server and waits until it is gone. */
async function kill() {
  const gone = new Promise((resolve) => server.process.once("exit", resolve));
  server.process.kill("SIGKILL");
  await gone;
}

async function restart() {
  server = await serve(new URL(server.address).port);
}

/** Opens a page and waits until it has loaded the core. */
async function open(setting: Setting, path: string): Promise<Visitor> {
  const visitor = await Visitor.open(browser, setting, path, server.address);
  await expect.poll(() => visitor.page.locator("html").getAttribute("data-core")).toBe("ready");
  return visitor;
}

const note = (visitor: Visitor) =>
  visitor.page.getByText(
    visitor.says(
      "The server does not answer. Everything goes on in your browser.",
      "伺服器沒有回應，在瀏覽器中繼續。",
    ),
  );

// Without the core (CHUHE_SKIP=wasm) there is nothing to go on with.
describe.skipIf(process.env.CHUHE_SKIP === "wasm")("without a server", () => {
  describe.each([SETTINGS[0]!, SETTINGS[3]!])("playing, $language, $width", (setting) => {
    test("a game goes on with its clock when the server is killed on the visitor's turn", async () => {
      const visitor = await open(setting, "#/play");
      const { page } = visitor;
      const moves = () => page.locator(".move button").count();
      await page.getByRole("combobox").first().selectOption("10+5");
      await visitor.startGame();
      await visitor.play("h2e2");
      await expect.poll(moves).toBe(2);
      const before = await page.locator("svg.board").boundingBox();
      await kill();
      await note(visitor).waitFor();
      // The strip covers nothing of the board and moves nothing.
      expect(await page.locator("svg.board").boundingBox()).toEqual(before);
      const [, own] = await page.getByRole("timer").allInnerTexts();
      await visitor.playAnything();
      await expect.poll(moves).toBe(4);
      await visitor.playAnything();
      await expect.poll(moves).toBe(6);
      expect((await page.getByRole("timer").allInnerTexts())[1]).not.toBe(own);
      await visitor.shot("lost-play");

      await restart();
      await expect.poll(() => note(visitor).count(), { timeout: 20_000 }).toBe(0);
      await visitor.playAnything();
      await expect.poll(moves).toBe(8);
      visitor.forgive(true);
      await visitor.close();
    });
  });

  test.each(WIDTHS)(
    "a move that the server was thinking about is found in the browser, $width",
    async (setting) => {
      const visitor = await open(setting, "#/play");
      const { page } = visitor;
      // A move that no book knows, so that the engine thinks.
      await visitor.startGame();
      await visitor.play("a0a1");
      await kill();
      await expect.poll(() => page.locator(".move button").count()).toBe(2);
      visitor.forgive(true);
      await visitor.close();
    },
  );

  test.each(WIDTHS)("analysis, explanation, book and endings go on, $width", async (setting) => {
    const visitor = await open(setting, "#/analyse");
    const { page } = visitor;
    await page.locator(".line").first().waitFor();
    await kill();
    await note(visitor).waitFor();
    await visitor.play("h2e2");
    await page.locator(".line").first().waitFor();
    await visitor.tab("Why", "評估").click();
    await page.getByText("Network:").waitFor();
    await visitor.tab("Book", "開局").click();
    await expect.poll(() => page.locator("tbody tr").count()).toBeGreaterThan(2);
    await page.goto(`${server.address}#/endgames`);
    await page.getByRole("button", { name: "Horse against an advisor" }).click();
    await page.locator(".chip").first().waitFor();
    await page.goto(`${server.address}#/banqi`);
    await visitor.startGame();
    await page.locator('[data-square="c2"]').click();
    await page.getByText("Your move").waitFor();
    visitor.forgive(true);
    await visitor.close();
  });

  test.each(WIDTHS)(
    "a visitor may run the engine in the browser though the server is there, $width",
    async (setting) => {
      const visitor = await open(setting, "#/analyse");
      const { page } = visitor;
      await page.locator(".line").first().waitFor();
      expect(await page.getByText("In this browser").count()).toBe(0);
      await page.getByRole("button", { name: "Settings", exact: true }).click();
      await page.getByLabel("Engine runs").selectOption("local");
      await page.keyboard.press("Escape");
      await visitor.play("h2e2");
      await page.locator(".line").first().waitFor();
      await page.locator("section").getByText("In this browser").waitFor();
      await visitor.close();
    },
  );
});
