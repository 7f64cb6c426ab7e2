import { expect, test } from "vitest";
import { track } from "../../src/board/tracking";
import { center, pointAt, pointName, pointNamed } from "../../src/board/geometry";
import { afterMove, squaresOf, START, writeFen } from "../../src/game/fen";
import { handicapStart } from "../../src/game/handicaps";
import { refusal } from "../../src/words/refusals";
import { markNumber, markSign, scoreText } from "../../src/game/score";

test("points read back from their names and their places, whichever side is below", () => {
  for (let point = 0; point < 90; point++) {
    expect(pointNamed(pointName(point))).toBe(point);
    for (const flipped of [false, true]) {
      const { x, y } = center(point, flipped);
      expect(pointAt(x, y, flipped)).toBe(point);
    }
  }
  expect(pointAt(-1, 50, false)).toBeNull();
});

test("a FEN reads back, and moves keep its counters", () => {
  expect(writeFen(squaresOf(START), "red")).toBe(START);
  const first = afterMove(START, "h2e2");
  expect(first).toBe("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
  const second = afterMove(first, "h9g7");
  expect(second.endsWith(" w - - 2 2")).toBe(true);
  expect(afterMove(second, "e2e6").endsWith(" b - - 0 2")).toBe(true);
});

test("a piece that moves keeps its identity, and a captured one loses it", () => {
  const before = track([], squaresOf(START));
  const cannon = before.find((piece) => pointName(piece.point) === "h2");
  const after = track(before, squaresOf(afterMove(START, "h2h9")));
  expect(after.find((piece) => pointName(piece.point) === "h9")?.id).toBe(cannon?.id);
  expect(after).toHaveLength(31);
});

test("who gives a handicap lacks the pieces", () => {
  expect(handicapStart("horse", "red").split("/")[9]).toMatch(/^R1BAKABNR/);
  expect(handicapStart("chariotHorse", "black")).toMatch(/^rnbakab2\//);
});

test("scores are Red's", () => {
  const score = (red: number, mate: number | null = null) => ({ red, mate, chances: [0, 0, 0] as never });
  expect(scoreText(score(83))).toBe("+0.8");
  expect(scoreText(score(-3))).toBe("0.0");
  expect(scoreText(score(-30_000, -4))).toBe("#-4");
});

test("marks read back from their signs", () => {
  for (const sign of ["!", "?", "!!", "??", "!?", "?!"]) expect(markSign(markNumber(sign))).toBe(sign);
});

test("refusals of the server are translated with their parts, and unknown ones stay", () => {
  const facing = "bad FEN: the generals face each other on file e";
  expect(refusal(facing, "en")).toBe(facing);
  expect(refusal(facing, "zh-Hant")).toBe("FEN 有誤：將帥在 e 路上照面");
  expect(refusal("ply 3: e4f5 is illegal: a red chariot does not move from e4 to f5 there", "zh-Hans")).toBe(
    "第 3 着 e4f5 不合规则：红方的车不能从 e4 走到 f5",
  );
  expect(refusal("Red has 3 horses; there are at most 2", "zh-Hant")).toBe("紅方的馬有 3 個，最多 2 個");
  expect(refusal("something new", "zh-Hant")).toBe("something new");
});
