import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Two kinds of tests: units without a browser, and stories in a real one against a real server.
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [svelte()],
        define: { __CORE__: false, __STATIC__: false },
        test: { name: "unit", include: ["tests/unit/*.test.ts"] },
      },
      {
        test: {
          name: "browser",
          include: ["tests/browser/*.test.ts"],
          globalSetup: "tests/browser/server.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
          // One browser at a time: the engines need the cores, too.
          fileParallelism: false,
          // A busy machine may make one attempt too slow; the reporter names the stories that needed a second.
          retry: 1,
        },
      },
      {
        test: {
          name: "site",
          include: ["tests/site/*.test.ts"],
          globalSetup: "tests/site/server.ts",
          testTimeout: 90_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
          fileParallelism: false,
          retry: 1,
        },
      },
    ],
  },
});
