import { expect, test } from "vitest";
import { track } from "../../src/board/tracking";
import { center, pointAt, pointName, pointNamed } from "../../src/board/geometry";
import { afterMove, squaresOf, START, writeFen } from "../../src/game/fen";
import { handicapStart } from "../../src/game/handicaps";
import type { Notice, NoticeKey } from "../../src/api/types";
import { worded } from "../../src/words/notices";
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

test("notices of the server are worded with their parts, and unknown ones stay", () => {
  const part = (key: NoticeKey, args: Notice["args"] = []): Notice => ({ key, args, text: key });
  const text = "bad FEN: the generals face each other on file e";
  const facing: Notice = { key: "bad_fen", args: [part("generals_facing", ["e"])], text };
  expect(worded(facing, "en")).toBe(text);
  expect(worded(facing, "zh-Hant")).toBe("FEN 有誤：將帥在 e 路上照面");
  const chariot = part("piece_of", [part("red"), part("chariot")]);
  const illegal = part("illegal_move", ["3", "e4f5", part("not_its_move", [chariot, "e4", "f5"])]);
  expect(worded(illegal, "zh-Hans")).toBe("第 3 着 e4f5 不合规则：红方的车不能从 e4 走到 f5");
  const newer = { key: "of_tomorrow", args: [], text: "something new" } as unknown as Notice;
  expect(worded(newer, "zh-Hant")).toBe("something new");
});
