// A report as a web page that needs nothing else: the page that `chuhe analyze` writes.

import type { GameAnalysis } from "../api/types";
import page from "../../../crates/report/src/page/page.html?raw";
import script from "../../../crates/report/src/page/page.js?raw";
import style from "../../../crates/report/src/page/page.css?raw";
import type { Tree } from "./tree.svelte";

/** The page of an analysis, with the names and the result of the game. */
export function reportPage(tree: Tree, title: string, analysis: GameAnalysis): string {
  const { tags, result } = tree.written();
  const known = { ...analysis, tags: Object.fromEntries(tags), result: result ?? analysis.result };
  // Nothing in the data may end the element it stands in.
  const data = JSON.stringify([known]).replaceAll("<", "\\u003c");
  const parts: Record<string, string> = { title: escaped(title), style, script, data };
  return page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name]!);
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
