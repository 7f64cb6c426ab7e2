// The game on the analysis board. It outlives the page's component, and the browser keeps it.

import type { RecordJson } from "../api/types";
import { load, store } from "../settings.svelte";
import { Analysis } from "./analysis.svelte";
import { Tree } from "./tree.svelte";

const KEY = "chuhe.study";

export const study = new Tree();
export const studyEngine = new Analysis(study);
studyEngine.on = true;

const saved = load<{ record: RecordJson; here: string[] }>(KEY);
if (saved) {
  study.open(saved.record);
  for (const move of saved.here) {
    study.here = study.here.children.find((child) => child.move?.move === move) ?? study.here;
  }
}

export function saveStudy() {
  store(KEY, { record: study.record(), here: study.game().moves });
}
