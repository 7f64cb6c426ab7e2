// The game on the analysis board. It outlives the page component and is stored in the browser.

import type { RecordJson } from "../api/types";
import { load, store } from "../storage";
import { Analysis } from "./analysis.svelte";
import { Tree } from "./tree.svelte";

export const study = new Tree();
export const studyEngine = new Analysis(study);
studyEngine.on = true;

const saved = load<{ record: RecordJson; here: string[] }>("study");
if (saved) {
  study.open(saved.record);
  follow(saved.here);
}

/** Follows moves from the current node. */
function follow(moves: string[]) {
  for (const move of moves) {
    study.here = study.here.children.find((child) => child.move?.move === move) ?? study.here;
  }
}

/** Opens a game on the analysis board, at its start, its end or after the given moves. */
export function analyse(record: RecordJson, place: "start" | "end" | string[]) {
  study.open(record);
  if (place === "end") study.last();
  else if (place !== "start") follow(place);
  saveStudy();
  location.hash = "#/analyse";
}

export function saveStudy() {
  store("study", { record: study.record(), here: study.game().moves });
}
