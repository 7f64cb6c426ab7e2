// The pictures of the README, from the real app: a game on the analysis board, in light and dark, English and Chinese.
// Usage: node tests/pictures.mjs PROGRAM

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

const FOLDER = new URL("../../docs/pictures/", import.meta.url).pathname;
const GAME = `[Red "Shark"]
[Black "象棋世家"]
1. 炮二平五 馬8進7 2. 馬二進三 馬2進3 3. 車一平二 車9平8 4. 馬八進九 卒7進1 5. 炮八平七 車1平2
6. 車九平八 炮8進4 7. 車八進六 炮2平1 *`;
const PICTURES = [
  { name: "analyse-light", locale: "en-GB", colorScheme: "light", open: "Open", read: "Read", why: "Why" },
  { name: "analyse-dark", locale: "en-GB", colorScheme: "dark", open: "Open", read: "Read", why: "Why" },
  {
    name: "analyse-light-zh",
    locale: "zh-CN",
    colorScheme: "light",
    open: "打开",
    read: "读取",
    why: "评估",
  },
  { name: "analyse-dark-zh", locale: "zh-CN", colorScheme: "dark", open: "打开", read: "读取", why: "评估" },
];

mkdirSync(FOLDER, { recursive: true });
const server = spawn(process.argv[2], ["serve", "--port", "0"]);
const address = await new Promise((resolve, reject) => {
  server.stdout.on("data", (text) => resolve(/http:\S+/.exec(String(text))[0]));
  server.on("exit", () => reject(new Error("the server ended")));
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const { name, locale, colorScheme, open, read, why } of PICTURES) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale, colorScheme });
  const page = await context.newPage();
  await page.goto(`${address}#/analyse`);
  await page.locator("svg.board").waitFor();
  await page.getByRole("tab", { name: open, exact: true }).click();
  await page.getByRole("textbox").last().fill(GAME);
  await page.getByRole("button", { name: read, exact: true }).click();
  await page.getByText("Shark – 象棋世家").waitFor();
  await page.keyboard.press("End");
  await page.getByRole("tab", { name: why, exact: true }).click();
  await page.locator(".line").nth(2).waitFor({ timeout: 60_000 });
  // Long enough for a depth that is worth showing.
  await page.waitForTimeout(Number(process.env.PICTURE_SECONDS ?? 8) * 1000);
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  await context.close();
}
await browser.close();
server.kill();
console.log(`wrote ${PICTURES.length} pictures to docs/pictures`);
