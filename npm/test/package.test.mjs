// The packed package under Node, compared with the native program. `tools/wasm test` packs and unpacks it before.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { BanqiGame, Engine, Game, Rules } from "chuhe";

const native = (program, ...words) =>
  execFileSync(`${process.env.CHUHE_PROGRAMS}/${program}`, words, {
    stdio: ["ignore", "pipe", "ignore"],
  })
    .toString()
    .trim();

let engine;
before(async () => {
  engine = await Engine.start();
  await engine.ready();
});
after(() => engine.quit());

test("the rules answer before network, book and tables have come", async () => {
  const rules = await Rules.load();
  const start = rules.position();
  assert.equal(start.moves.length, 44);
  assert.equal(start.moves.find((move) => move.move === "h2e2").traditional, "炮二平五");
  assert.throws(() => rules.position({ moves: ["a0b0"] }), /an own piece stands on b0/);
  assert.throws(() => rules.explain(start.fen), /network is not loaded/);
  assert.equal(rules.banqi().moves.length, 32);
  assert.throws(() => rules.puzzles(), /puzzles are not loaded/);
  await rules.supply("puzzles");
  assert.ok(rules.puzzles().length > 100);
});

test("book, tables and network are used once they have come", async () => {
  const rules = await Rules.load();
  const ending = { start: "3k5/4a4/9/9/9/9/9/9/4R4/4K4 w", moves: [] };
  assert.equal(rules.endgame(ending).value, null);
  await Promise.all(["network", "book", "tables"].map((part) => rules.supply(part)));
  assert.equal(rules.endgame(ending).value.result, "win");
  assert.ok(rules.opening({ moves: [] }).moves.length > 0);
  assert.equal(typeof rules.explain(rules.position().fen).network, "number");
});

test("a game is played in any notation, refuses with a reason, and ends", async () => {
  const game = new Game(await Rules.load(), { start: "3k5/9/9/9/9/9/8p/R8/1R7/4K4 w - - 0 1" });
  game.play("R9+6");
  assert.equal(game.isCheck, false);
  assert.throws(() => game.play("d9d7"), /does not move from d9 to d7/);
  game.play("卒9进1");
  game.play("b1b9");
  assert.deepEqual([game.isCheck, game.isOver, game.result], [true, true, "1-0"]);
  assert.equal(game.legalMoves.length, 0);
  assert.throws(() => game.play("d8d7"), /over/);
  assert.equal(game.takeBack(), "b1b9");
  assert.deepEqual([game.isOver, game.result, game.turn], [false, "*", "red"]);
});

test("a game of Banqi flips, moves and takes back", async () => {
  const game = new BanqiGame(await Rules.load());
  assert.equal(game.play("c2").cells.replaceAll("?", "").length, 1);
  assert.equal(game.moves.length, 1);
  assert.equal(game.takeBack().cells, "?".repeat(32));
});

test("levels and the book answer as over a pipe", async () => {
  const options = await engine.ask(["uci"], "uciok");
  for (const name of ["Skill Level", "OwnBook", "MultiPV"])
    assert.ok(options.some((line) => line.includes(`option name ${name} `)), name);
  const start = "position startpos";
  await engine.send("setoption name OwnBook value true");
  const booked = await engine.ask(["ucinewgame", start, "go depth 9"], "bestmove");
  const depths = booked.filter((line) => / depth [2-9]/.test(line));
  assert.deepEqual(depths, [], "a book move needs no search");
  await engine.send("setoption name OwnBook value false");
  await engine.send("setoption name Skill Level value 0");
  const weak = await engine.ask([start, "go movetime 300"], "bestmove");
  assert.match(weak.at(-1), /^bestmove [a-i]\d[a-i]\d/);
  await engine.send("setoption name Skill Level value 20");
});

test("records go in and out", async () => {
  const rules = await Rules.load();
  const { record } = rules.read("炮二平五 馬8進7", "game.txt");
  const written = rules.write(
    {
      ...record,
      nodes: record.nodes.map(({ parent, move, comment, marks }) => ({
        parent,
        move,
        comment,
        marks,
      })),
    },
    "xqf",
  );
  assert.deepEqual(
    rules.read(written.body, "game.xqf").record.nodes.map((node) => node.move),
    ["h2e2", "h9g7"],
  );
});

test("the network's SIMD128 kernels agree with the scalar ones", async () => {
  assert.deepEqual((await Rules.load()).kernelCheck(), ["simd128", "scalar"]);
});

test("10,000 random games are the same as in the native program", async () => {
  assert.equal(await engine.selfCheck(1, 10_000), native("examples/self_check", "1", "10000"));
});

test("the bench signature is that of the native program", async () => {
  const found = (await engine.ask(["bench"], /^\d+ nodes/)).at(-1);
  const signature = /"nodes": ?(\d+)/.exec(native("chuhe", "bench", "--json"));
  assert.equal(found.split(" ")[0], signature[1]);
});

for (const shared of [true, false]) {
  test(`a search is stopped ${shared ? "through shared memory" : "between slices"}`, async () => {
    const other = await Engine.start({ shared });
    const lines = [];
    const deep = new Promise((resolve) => {
      other.online = (line) => {
        lines.push(line);
        if (/ depth 7 /.test(line)) resolve();
      };
    });
    await other.send("setoption name MultiPV value 2");
    await other.send("position startpos moves h2e2");
    await other.send("go infinite");
    await deep;
    await other.ask(["stop"], "bestmove");
    assert.ok(lines.some((line) => / multipv 2 /.test(line)));
    const depths = lines
      .filter((line) => / multipv 1 /.test(line))
      .map((line) => Number(/ depth (\d+)/.exec(line)[1]));
    assert.deepEqual(
      depths,
      [...depths].sort((a, b) => a - b),
      "a resumed search goes on where it was",
    );
    other.quit();
  });
}

test("the example of the README runs", async () => {
  const text = await readFile(new URL("README.md", import.meta.url), "utf8");
  const example = /```js\n([^]*?)```/.exec(text)[1];
  const file = new URL("example.mjs", import.meta.url);
  await writeFile(file, example);
  const output = execFileSync(process.execPath, [file.pathname]);
  assert.match(output.toString(), / \d+ \*\n\[ 'h2e2', '[a-i]\d[a-i]\d' \]/);
});

test("requests are answered while a search runs", async () => {
  await engine.send("go infinite");
  const explanation = await engine.json("POST /api/explain", undefined, {
    fen: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
  });
  assert.ok(explanation.groups.length > 3);
  await engine.ask(["stop"], "bestmove");
});
