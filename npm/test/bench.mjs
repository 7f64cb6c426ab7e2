// How fast the module is beside the native program in the same run, and how soon it answers: `tools/wasm bench`.
// Usage: node npm/test/bench.mjs PROGRAM [ROUNDS]

import { execFileSync } from "node:child_process";
import { Engine, Rules } from "chuhe";

const [program, rounds = "3"] = process.argv.slice(2);
const MOVES = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "c3c4", "c6c5"];

const median = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1];

/** Milliseconds until something has happened. */
async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function say(what, times, limit) {
  const worst = Math.max(...times);
  console.log(`${what}: ${median(times).toFixed(2)} ms, at worst ${worst.toFixed(2)} ms (limit ${limit} ms)`);
}

/** The rules are loaded and asked for the first time, five times. */
const first = [];
for (let round = 0; round < 5; round++) {
  const rules = await Rules.load();
  first.push(await timed(() => rules.position()));
}
say("first legal moves of fresh rules", first, 1);

const rules = await Rules.load();
const answers = [];
for (let round = 0; round < 500; round++) {
  const moves = MOVES.slice(0, round % (MOVES.length + 1));
  answers.push(await timed(() => rules.position({ moves }, "zh-Hant")));
}
say("legal moves in all notations, with the verdict", answers, 1);

/** A fresh engine whose files are on this machine: worker, module, network, first line. */
const starts = [];
for (let round = 0; round < 5; round++) {
  let engine;
  const firstLine = async () => {
    engine = await Engine.start();
    await engine.ask(["position startpos", "go infinite"], "info depth");
  };
  starts.push(await timed(firstLine));
  engine.quit();
}
say("first line of a fresh engine", starts, 150);

const engine = await Engine.start();
await engine.ready();
const lines = [];
for (let round = 0; round < 11; round++) {
  await engine.send("ucinewgame");
  const position = `position startpos moves ${MOVES.slice(0, 1 + (round % MOVES.length)).join(" ")}`;
  lines.push(await timed(() => engine.ask([position, "go infinite"], "info depth")));
  await engine.ask(["stop"], "bestmove");
}
say("first line of a started engine", lines, 150);

const shares = [];
for (let round = 0; round < Number(rounds); round++) {
  let found = "";
  const time = await timed(async () => (found = (await engine.ask(["bench"], /^\d+ nodes/)).at(-1)));
  const nodes = Number(found.split(" ")[0]);
  const native = JSON.parse(
    execFileSync(program, ["bench", "--json"], { stdio: ["ignore", "pipe", "ignore"] }),
  );
  if (nodes !== native.nodes) throw new Error(`the signatures are ${nodes} and ${native.nodes}`);
  const [ours, theirs] = [nodes / time, native.nps / 1000];
  shares.push(ours / theirs);
  console.log(`bench ${nodes}: ${Math.round(ours)} k nodes/s, native ${Math.round(theirs)} k nodes/s`);
}
console.log(`share of the native speed: ${(100 * median(shares)).toFixed(1)} % (limit 33 %, goal 45 %)`);
engine.quit();
