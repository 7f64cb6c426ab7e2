// The npm package in a browser, as a page without a bundler loads it.

import { expect, test } from "vitest";
import { address, launch } from "../browser/page";

/** The script of the page; a text, because test runners rewrite imports in functions. */
const SCRIPT = `(async () => {
  const { Engine, Game, Rules } = await import(new URL("dist/index.js", location.href).href);
  const rules = await Rules.load();
  const game = new Game(rules);
  game.play("炮二平五");
  const engine = await Engine.start();
  const lines = await engine.ask([game.uci, "go depth 6"], "bestmove");
  const reply = game.play(lines.at(-1).split(" ")[1]);
  engine.quit();
  return { kernels: rules.kernelCheck(), moves: game.moves.length, reply: reply.traditional };
})()`;

test("a page plays a game and asks the engine", async () => {
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(`${address}package/package.json`);
  const found = await page.evaluate<{ kernels: string[]; moves: number; reply: string }>(SCRIPT);
  expect(found.kernels).toEqual(["simd128", "scalar"]);
  expect(found.moves).toBe(2);
  expect(found.reply).toMatch(/^.{4}$/);
  await browser.close();
});
