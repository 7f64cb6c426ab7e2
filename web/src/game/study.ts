// The game on the analysis board, with its scores and its report. It outlives the page component and is stored in
// the browser; tabs follow each other's changes.

import { untrack } from "svelte";
import type { RecordJson } from "../api/types";
import { load, onStored, store } from "../storage";
import { undo } from "../undo.svelte";
import type { Words } from "../words/en";
import { Analysis } from "./analysis.svelte";
import { GameReport, type StoredReport } from "./report.svelte";
import { Tree, type TreeNode } from "./tree.svelte";

export const study = new Tree();
export const studyEngine = new Analysis(study);
export const studyReport = new GameReport(study);
studyEngine.on = true;

interface Snapshot {
  record: RecordJson;
  here: string[];
  /** The scores of the root and of all nodes in preorder. */
  scores?: TreeNode["score"][];
  report?: StoredReport | null;
}

function snapshot(): Snapshot {
  return {
    record: study.record(),
    here: study.game().moves ?? [],
    // Scores change many times a second; they are saved along with everything else.
    scores: untrack(() => [study.root, ...study.nodes()].map((node) => node.score)),
    report: studyReport.stored,
  };
}

function restore({ record, here, scores = [], report = null }: Snapshot) {
  study.open(record);
  [study.root, ...study.nodes()].forEach((node, index) => (node.score = scores[index] ?? null));
  studyReport.stored = report;
  study.follow(here);
}

const saved = load<Snapshot>("study");
if (saved) restore(saved);

onStored<Snapshot>("study", (saved) => {
  const before = snapshot();
  if (!saved || JSON.stringify(saved.record) === JSON.stringify(before.record)) return;
  restore(saved);
  announce("changedElsewhere", before);
});

function announce(text: keyof Words, before: Snapshot) {
  if (before.record.nodes.length === 0) return;
  undo.announce(text, () => {
    restore(before);
    saveStudy();
    location.hash = "#/analyse";
  });
}

/** Makes a change that replaces or deletes moves, and offers to undo it. */
export function changeStudy(text: keyof Words, change: () => void) {
  const before = snapshot();
  change();
  announce(text, before);
}

/** Opens a game on the analysis board, at its start, its end or after the given moves. */
export function analyse(record: RecordJson, place: "start" | "end" | string[]) {
  changeStudy("studyReplaced", () => {
    study.open(record);
    studyReport.stored = null;
    if (place === "end") study.last();
    else if (place !== "start") study.follow(place);
  });
  saveStudy();
  location.hash = "#/analyse";
}

export function saveStudy() {
  store("study", snapshot());
}
