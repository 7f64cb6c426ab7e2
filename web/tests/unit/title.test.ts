import { describe, expect, test, vi } from "vitest";
import { dateText, playersOf, titleOf } from "../../src/library/title";

// The settings ask the browser for its language.
vi.hoisted(() => vi.stubGlobal("navigator", { languages: ["en"] }));

describe("titles", () => {
  test("the visitor is named in own games only", () => {
    expect(playersOf("?", "Chuhe 3", true)).toBe("You – Chuhe, level 3");
    expect(playersOf("Rival", "?", true)).toBe("Rival – You");
    // The level gives a game away that was saved and opened again.
    expect(playersOf("?", "Chuhe 3", false)).toBe("You – Chuhe, level 3");
    expect(playersOf("?", "呂欽", false)).toBe("? – 呂欽");
    expect(playersOf("Chuhe 1", "Chuhe 10", true)).toBe("Chuhe, level 1 – Chuhe, level 10");
  });

  test("players who are unknown are not named", () => {
    expect(playersOf("?", "?", true)).toBe("Two people, one board");
    expect(playersOf("?", "?", false)).toBeNull();
    expect(playersOf("", "", true)).toBeNull();
    expect(playersOf("胡榮華", "", true)).toBe("胡榮華 – ?");
  });

  test("the visitor's own name comes first, the kind last", () => {
    const unknown = { red: "", black: "" };
    expect(titleOf({ ...unknown, name: "My 中炮", kind: "study" })).toBe("My 中炮");
    expect(titleOf({ ...unknown, name: null, kind: "study" })).toBe("Study");
  });

  test("dates are written as far as they are known", () => {
    expect(dateText("2026.11.18")).toBe("Nov 18, 2026");
    expect(dateText("1960.11.??")).toBe("1960.11");
    expect(dateText("1960.??.??")).toBe("1960");
    expect(dateText("????.??.??")).toBe("");
    expect(dateText("spring 1960")).toBe("spring 1960");
  });
});
