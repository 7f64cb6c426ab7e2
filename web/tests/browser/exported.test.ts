// The report that `chuhe analyze` writes as a page, in the three languages.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch } from "./page";

let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), "chuhe-report-"));
beforeAll(async () => {
  browser = await launch();
  const program = resolve(process.env.CHUHE ?? "../target/debug/chuhe");
  const [game, page] = [join(folder, "game.pgn"), join(folder, "game.html")];
  writeFileSync(game, "1. 炮二平五 馬8進7 2. 炮五進四 馬7進5 *\n");
  execFileSync(program, ["analyze", game, "--nodes", "2000", "--out", page], { stdio: "pipe" });
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["en-GB", "C2=5"],
  ["zh-TW", "炮二平五"],
  ["zh-CN", "炮二平五"],
])("lists the moves in %s", async (locale, first) => {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`file://${join(folder, "game.html")}`);
  await page.getByText(first).first().waitFor({ timeout: 5000 });
  expect(errors).toEqual([]);
  await context.close();
});
