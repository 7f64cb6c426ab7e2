// How soon the page is painted and the engine's first line stands, in fresh browsers on this machine.
// Usage: node tests/paint.mjs PROGRAM

import { spawn } from "node:child_process";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const ROUNDS = 5;
const server = spawn(process.argv[2], ["serve", "--port", "0"]);
const address = await new Promise((resolve, reject) => {
  server.stdout.on("data", (text) => resolve(/http:\S+/.exec(String(text))[0]));
  server.on("exit", () => reject(new Error("the server ended")));
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const median = (times) => Math.round(times.sort((one, other) => one - other)[Math.floor(times.length / 2)]);
const paints = [];
const lines = [];
for (let round = 0; round < ROUNDS; round++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${address}#/analyse`);
  await page.locator(".line").first().waitFor();
  lines.push(await page.evaluate(() => performance.now()));
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  await context.close();
}
console.log(`first paint: median ${median(paints)} ms, longest ${Math.round(Math.max(...paints))} ms`);
console.log(`first engine line on the page: median ${median(lines)} ms`);
const script = readFileSync(new URL("../dist/app.js", import.meta.url));
console.log(
  `script: ${Math.round(script.length / 1000)} kB, ${Math.round(gzipSync(script).length / 1000)} kB compressed`,
);
await browser.close();
server.kill();
