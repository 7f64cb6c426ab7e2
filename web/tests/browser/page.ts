// A visitor in a real browser.

import { mkdirSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from "playwright-core";
import { expect, inject } from "vitest";

export const address = inject("address");

export const SHOTS = new URL("../../shots/", import.meta.url).pathname;
mkdirSync(SHOTS, { recursive: true });

export interface Setting {
  language: "en" | "zh-Hant" | "zh-Hans";
  width: "wide" | "phone";
  dark?: boolean;
}

/** Every story runs in two languages and two widths. */
export const SETTINGS: Setting[] = [
  { language: "en", width: "wide" },
  { language: "en", width: "phone" },
  { language: "zh-Hant", width: "wide", dark: true },
  { language: "zh-Hant", width: "phone" },
];

/** Both widths, for stories whose words are checked elsewhere. */
export const WIDTHS = [SETTINGS[0]!, SETTINGS[1]!];

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
}

/** Added latency, in milliseconds: visitors are often faster than the server. */
const LATENCY = 100;

/** A visitor with a fresh browser profile. Errors on the page fail the test on `close`. */
export class Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly setting: Setting;
  readonly #faults: string[] = [];
  /** The server is gone on purpose: attempts to reach it go on failing. */
  #isServerGone = false;

  private constructor(context: BrowserContext, page: Page, setting: Setting, base: string) {
    this.context = context;
    this.page = page;
    this.setting = setting;
    page.on("pageerror", (error) => this.#faults.push(error.message));
    page.on("console", (message) => {
      const isExpected = this.#isServerGone && message.text().includes("ERR_CONNECTION_REFUSED");
      if (message.type() === "error" && !isExpected) this.#faults.push(message.text());
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (!["data:", "blob:"].includes(url.protocol) && url.host !== new URL(base).host) {
        this.#faults.push(`asked ${request.url()}`);
      }
    });
  }

  static async open(browser: Browser, setting: Setting, path: string, base = address): Promise<Visitor> {
    const phone = setting.width === "phone";
    const context = await browser.newContext({
      viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
      hasTouch: phone,
      locale: { en: "en-GB", "zh-Hant": "zh-TW", "zh-Hans": "zh-CN" }[setting.language],
      colorScheme: setting.dark ? "dark" : "light",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    const visitor = new Visitor(context, page, setting, base);
    await page.route(`${base}api/**`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, LATENCY));
      // Ignore pages that were closed meanwhile.
      await route.continue().catch(() => {});
    });
    await page.goto(`${base}${path}`);
    await page.locator("svg.board, .banqi").waitFor();
    return visitor;
  }

  /** Saves a screenshot for review. */
  async shot(name: string) {
    const { language, width } = this.setting;
    await this.page.screenshot({ path: `${SHOTS}${name}-${language}-${width}.png` });
  }

  /** Closes the page; expects no errors and no horizontal overflow. */
  async close() {
    const overflow = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    await this.context.close();
    expect(this.#faults.join("\n")).toBe("");
    expect(overflow).toBeLessThanOrEqual(0);
  }

  /** Clears errors that the test provoked. If the server is gone, more connections will be refused. */
  forgive(isServerGone = false) {
    this.#isServerGone = isServerGone;
    this.#faults.length = 0;
  }

  /** Whether all of an element can be seen without scrolling. */
  async isInSight(element: Locator): Promise<boolean> {
    const box = (await element.boundingBox())!;
    return box.y >= 0 && box.y + box.height <= this.page.viewportSize()!.height;
  }

  async fen(): Promise<string> {
    return (await this.page.locator("svg.board").getAttribute("data-fen")) ?? "";
  }

  /** Screen coordinates of a point, with Red at the bottom. */
  async place(point: string): Promise<{ x: number; y: number }> {
    const box = (await this.page.locator("svg.board").boundingBox())!;
    const scale = box.width / 900;
    const file = point.charCodeAt(0) - 97;
    const rank = Number(point.slice(1));
    return { x: box.x + (50 + 100 * file) * scale, y: box.y + (88 + 100 * (9 - rank)) * scale };
  }

  async press(point: string) {
    let { x, y } = await this.place(point);
    // On phones the board may have been scrolled away.
    if (y < 0 || y > this.page.viewportSize()!.height) {
      await this.page.locator("svg.board").scrollIntoViewIfNeeded();
      ({ x, y } = await this.place(point));
    }
    await this.pressAt(x, y);
  }

  async pressAt(x: number, y: number) {
    if (this.setting.width === "phone") await this.page.touchscreen.tap(x, y);
    else await this.page.mouse.click(x, y);
  }

  /** Selects a piece, once the legal moves have come. */
  async select(from: string) {
    await expect
      .poll(async () => {
        await this.press(from);
        return this.page.locator(".target, .ring-target").count();
      })
      .toBeGreaterThan(0);
  }

  /** Plays a move with two clicks or taps, once it is legal. */
  async play(move: string) {
    const before = await this.fen();
    await this.select(move.slice(0, 2));
    await this.press(move.slice(2));
    await expect.poll(() => this.fen()).not.toBe(before);
  }

  /** Plays any legal move of Red's, whatever the engine has done. */
  async playAnything() {
    const before = await this.fen();
    const own = redPieces(before);
    const targets = this.page.locator(".target, .ring-target");
    await expect
      .poll(async () => {
        for (const point of own) {
          await this.press(point);
          if ((await targets.count()) > 0) return true;
        }
        return false;
      })
      .toBe(true);
    const { x, y, width, height } = (await targets.first().boundingBox())!;
    await this.pressAt(x + width / 2, y + height / 2);
    await expect.poll(() => this.fen()).not.toBe(before);
  }

  async startGame() {
    await this.button("Start game", "開始對局").click();
  }

  async resign() {
    await this.button("Resign", "認輸").click();
    await this.button("Really resign?", "確定認輸？").click();
  }

  async drag(move: string) {
    const [from, to] = [await this.place(move.slice(0, 2)), await this.place(move.slice(2))];
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await this.page.mouse.move(to.x, to.y);
    await this.page.mouse.up();
  }

  button(english: string, chinese: string) {
    return this.page.getByRole("button", { name: this.says(english, chinese), exact: true });
  }

  tab(english: string, chinese: string) {
    return this.page.getByRole("tab", { name: this.says(english, chinese), exact: true });
  }

  says(english: string, chinese: string): string {
    return this.setting.language === "en" ? english : chinese;
  }
}

/** Fetches from the server, as the page would. */
export async function fetched<T>(path: string): Promise<T> {
  const response = await fetch(`${address}${path}`);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

/** Posts a request as the page would. */
export async function ask<T>(path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

/** The points of Red's pieces, as `a0`. */
function redPieces(fen: string): string[] {
  return fen
    .split(" ")[0]!
    .split("/")
    .flatMap((row, index) => {
      const cells = row.replace(/\d/g, (gap) => ".".repeat(Number(gap)));
      return [...cells].flatMap((cell, file) =>
        /[A-Z]/.test(cell) ? [`${String.fromCharCode(97 + file)}${9 - index}`] : [],
      );
    });
}
