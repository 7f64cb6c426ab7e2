// The game on the analysis board, with its scores and its report. It outlives the page component and is stored in
// the browser: the current state for reloads and other tabs, and as an entry of the library once the visitor has
// changed something.

import { untrack } from "svelte";
import type { RecordJson } from "../api/types";
import { hashOf } from "../hash";
import { library, newId, type Body, type Kind } from "../library/library.svelte";
import { parseRoute, router } from "../route.svelte";
import { load, onStored, store } from "../storage";
import { undo } from "../undo.svelte";
import type { Words } from "../words/en";
import { Analysis } from "./analysis.svelte";
import type { LinkedLine } from "./link";
import { showLine } from "./linked";
import { GameReport } from "./report.svelte";
import { Tree } from "./tree.svelte";

export const study = new Tree();
export const studyEngine = new Analysis(study);
export const studyReport = new GameReport(study);
studyEngine.on = true;

/** The entry of the library that the study is stored as. */
interface Entry {
  id: string;
  kind: Kind;
}

interface Snapshot extends Body {
  here: string[];
  entry?: Entry;
  kept?: string;
}

let entry: Entry = $state.raw({ id: newId(), kind: "study" });
/** The game as it was opened or last kept; without a difference there is nothing to keep. */
let kept = "";

const fingerprint = ({ record, report }: Body) => hashOf(JSON.stringify([record, report?.report.scores]));

function snapshot(): Snapshot {
  return {
    record: study.record(),
    here: study.game().moves ?? [],
    // Scores change many times a second; they are saved along with everything else.
    scores: untrack(() => [study.root, ...study.nodes()].map((node) => node.score)),
    report: studyReport.stored,
    entry,
    kept,
  };
}

function restore(saved: Snapshot) {
  const { record, here, scores = [], report = null } = saved;
  study.open(record);
  [study.root, ...study.nodes()].forEach((node, index) => (node.score = scores[index] ?? null));
  studyReport.stored = report;
  study.follow(here);
  entry = saved.entry ?? { id: newId(), kind: "study" };
  kept = saved.kept ?? "";
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

/** Makes a change that deletes moves, and offers to undo it. */
export function changeStudy(text: keyof Words, change: () => void) {
  const before = snapshot();
  change();
  announce(text, before);
}

function replace(open: () => void, next: Entry = { id: newId(), kind: "study" }) {
  keep();
  changeStudy("studyReplaced", () => {
    open();
    studyReport.stored = null;
    entry = next;
    kept = "";
  });
}

/** Replaces the study by another game. It can be undone, Back returns to the old one, and the library has it. */
export function replaceStudy(open: () => void) {
  replace(open);
  // The visitor may have left while a record was being read.
  if (parseRoute(location.hash).page === "analyse") router.go("analyse");
}

/** Opens a game on the analysis board, at its start, its end or after the given moves. */
export function analyse(record: RecordJson, place: "start" | "end" | string[], next?: Entry) {
  replace(() => {
    study.open(record);
    if (place === "end") study.last();
    else if (place !== "start") study.follow(place);
  }, next);
  kept = fingerprint(snapshot());
  saveStudy();
  location.hash = "#/analyse";
}

/** Opens a game on the analysis board and starts its report. */
export function analyseWithReport(record: RecordJson, next?: Entry) {
  analyse(record, "end", next);
  studyEngine.on = false;
  void studyReport.start();
  router.go("analyse", null, { tab: "report" });
}

/** Opens an entry of the library on the analysis board. */
export function analyseEntry(id: string, kind: Kind, body: Body, here: string[]) {
  keep();
  changeStudy("studyReplaced", () =>
    restore({ ...body, here, entry: { id, kind }, kept: fingerprint(body) }),
  );
  saveStudy();
  location.hash = "#/analyse";
}

/** The entry of the study, if it is in the library. */
export const studyId = (): string | null => (library.head(entry.id) ? entry.id : null);

/** What the library knows of the study, for its title. */
export function studyHead(): { kind: Kind; name: string | null } {
  const head = library.head(entry.id);
  return { kind: head?.kind ?? entry.kind, name: head?.name ?? null };
}

/** Goes to the line of a link: in the study if it has it, in the entry the link names, or as a new study. */
export async function followLink(id: string | null, line: LinkedLine) {
  const other = id && id !== entry.id ? await library.body(id) : null;
  if (other && id) {
    keep();
    const here = line.moves.slice(0, line.at);
    restore({ ...other, here, entry: { id, kind: "study" }, kept: fingerprint(other) });
  } else {
    await showLine(study, line, (record) => {
      replace(() => study.open(record));
      kept = fingerprint(snapshot());
    });
  }
  saveStudy();
}

/** Stores the study in the library if it was changed. */
function keep() {
  const now = snapshot();
  if (now.record.nodes.length === 0 || fingerprint(now) === kept) return;
  kept = fingerprint(now);
  const { record, scores, report } = now;
  // The database takes no proxies.
  const body = JSON.parse(JSON.stringify({ record, scores, report })) as Body;
  void library.put(entry.id, entry.kind, body);
}

/** Pause after the last change before the library is written, in milliseconds. */
const KEEP_DELAY = 800;
let timer: ReturnType<typeof setTimeout> | undefined;

export function saveStudy() {
  store("study", snapshot());
  clearTimeout(timer);
  timer = setTimeout(keep, KEEP_DELAY);
}
