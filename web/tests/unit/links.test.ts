import { expect, test } from "vitest";
import { START } from "../../src/game/fen";
import { rated, UNRATED } from "../../src/game/glicko";
import { longFen, packMoves, shortFen, unpackMoves } from "../../src/game/link";

test("packed moves read back, in little more than two characters each", () => {
  const moves = ["h2e2", "h9g7", "h0g2", "i9h9", "a0i9", "i9a0", "a0b0"];
  for (let count = 0; count <= moves.length; count++) {
    const some = moves.slice(0, count);
    expect(unpackMoves(packMoves(some))).toEqual(some);
  }
  const game = Array.from({ length: 200 }, (_, index) => moves[index % moves.length]!);
  expect(unpackMoves(packMoves(game))).toEqual(game);
  expect(packMoves(game).length).toBeLessThan(440);
  expect(unpackMoves("!!")).toBeNull();
  expect(unpackMoves("_____")).toBeNull();
});

test("FENs of links read back", () => {
  for (const fen of [START, "3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1", "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 7 12"])
    expect(longFen(shortFen(fen))).toBe(fen);
  expect(shortFen(START)).toBe("");
});

test("ratings follow Glickman's example", () => {
  // The example of the paper, its three games one after the other: close to the result for all at once.
  let own = { rating: 1500, deviation: 200, volatility: 0.06 };
  own = rated(own, { rating: 1400, deviation: 30 }, 1);
  own = rated(own, { rating: 1550, deviation: 100 }, 0);
  own = rated(own, { rating: 1700, deviation: 300 }, 0);
  expect(Math.abs(own.rating - 1464)).toBeLessThan(6);
  expect(Math.abs(own.deviation - 151.5)).toBeLessThan(3);
  expect(own.volatility).toBeCloseTo(0.06, 3);
  expect(rated(UNRATED, { rating: 1500, deviation: 90 }, 1).rating).toBeGreaterThan(1600);
});
