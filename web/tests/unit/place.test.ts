import { expect, test } from "vitest";
import { runsLocally } from "../../src/api/place";

const THERE = { connected: true, crowded: false };
const CROWDED = { connected: true, crowded: true };
const LOST = { connected: false, crowded: false };

test("automatic means the server while it is there and has room", () => {
  expect(runsLocally("both", "auto", THERE)).toBe(false);
  expect(runsLocally("both", "auto", CROWDED)).toBe(true);
  expect(runsLocally("both", "auto", LOST)).toBe(true);
});

test("a choice is kept, except that no game waits for a lost server", () => {
  expect(runsLocally("both", "local", THERE)).toBe(true);
  expect(runsLocally("both", "server", CROWDED)).toBe(false);
  expect(runsLocally("both", "server", LOST)).toBe(true);
});

test("a static site has only its core, pages without a core only the server", () => {
  expect(runsLocally("static", "server", THERE)).toBe(true);
  expect(runsLocally("server", "local", LOST)).toBe(false);
});
