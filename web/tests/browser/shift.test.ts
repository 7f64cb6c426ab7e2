// Nothing jumps while a page loads.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, SETTINGS, Visitor } from "./page";

const PAGES = ["play", "analyse", "openings", "endgames", "banqi", "games", "puzzles", "learn"];
/** The cumulative layout shift that a page may have. */
const LIMIT = 0.02;

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

/** The layout shift so far, and what moved. */
function shifts(visitor: Visitor): Promise<{ sum: number; moved: string[] }> {
  return visitor.page.evaluate(
    () =>
      new Promise((resolve) => {
        const moved: string[] = [];
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
            sources: { node: Node | null }[];
          })[]) {
            if (entry.hadRecentInput) continue;
            sum += entry.value;
            const names = entry.sources.map(
              ({ node }) => (node as Element | null)?.className ?? node?.nodeName,
            );
            moved.push(`${entry.value.toFixed(4)} ${names.join(", ")}`);
          }
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve({ sum, moved }), 100);
      }),
  );
}

describe.each([SETTINGS[0]!, SETTINGS[3]!])("$language, $width", (setting) => {
  test.each(PAGES)("%s does not jump", async (name) => {
    const visitor = await Visitor.open(browser, setting, `#/${name}`);
    await visitor.page.waitForLoadState("networkidle");
    await visitor.page.waitForTimeout(1000);
    const { sum, moved } = await shifts(visitor);
    expect(sum, moved.join("; ")).toBeLessThanOrEqual(LIMIT);
    await visitor.close();
  });
});
