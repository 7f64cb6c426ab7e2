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
  follow(saved.here);
}

/** Goes along these moves from where the board stands. */
function follow(moves: string[]) {
  for (const move of moves) {
    study.here = study.here.children.find((child) => child.move?.move === move) ?? study.here;
  }
}

/** Takes a game to the analysis board: to its start, to its end, or along these moves. */
export function analyse(record: RecordJson, place: "start" | "end" | string[]) {
  study.open(record);
  if (place === "end") study.last();
  else if (place !== "start") follow(place);
  saveStudy();
  location.hash = "#/analyse";
}

export function saveStudy() {
  store(KEY, { record: study.record(), here: study.game().moves });
}
