// The report on the main line of a tree. It outlives the panel that shows it and is stored with the study.

import { live, type Progress, type Report } from "../api/live.svelte";
import type { Effort, ExplainedSummary, MoveAnalysis, MoveJson } from "../api/types";
import { markNumber } from "./score";
import type { Tree, TreeNode } from "./tree.svelte";

/** A marked move with the better line. */
export interface Finding {
  node: TreeNode;
  judged: MoveAnalysis;
  line: MoveJson[];
  /** What a mistake loses, by language. */
  reason: ExplainedSummary | null;
}

/** A finished report and the line it is about. */
export interface StoredReport {
  moves: string[];
  report: Report;
}

export class GameReport {
  stored: StoredReport | null = $state.raw(null);
  progress: Pick<Progress, "done" | "total"> | null = $state.raw(null);
  error: string | null = $state(null);
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  get running(): boolean {
    return this.progress !== null;
  }

  get #line(): TreeNode[] {
    return [this.#tree.root, ...this.#tree.root.rest];
  }

  /** The report, if the main line still begins with the moves it is about. */
  get report(): Report | null {
    const line = this.#line;
    const fits = this.stored?.moves.every((move, ply) => line[ply + 1]?.move?.move === move);
    return fits ? this.stored!.report : null;
  }

  get findings(): Finding[] {
    const report = this.report;
    const line = this.#line;
    return (report?.analysis.moves ?? []).flatMap((judged, index) => {
      const node = line[index + 1];
      if (!node || !judged.mark) return [];
      // Reports of earlier versions give no reasons.
      return [{ node, judged, line: report?.lines[index] ?? [], reason: report?.reasons?.[index] ?? null }];
    });
  }

  /** The moves marked as mistakes. */
  get mistakes(): Finding[] {
    return this.findings.filter(({ judged }) => judged.mark !== "!");
  }

  /** The mistakes that changed who stands better, the gravest first. */
  get turningPoints(): Finding[] {
    const changes = this.mistakes.filter(({ judged }) => standing(judged, true) !== standing(judged, false));
    return changes.sort((one, other) => other.judged.loss - one.judged.loss).slice(0, 3);
  }

  async start(effort: Effort = "normal") {
    const line = this.#line;
    const game = this.#tree.game(line.at(-1));
    [this.stored, this.error, this.progress] = [null, null, { done: 0, total: line.length }];
    try {
      const report = await live.report(game, effort, (progress) => (this.progress = progress));
      this.stored = { moves: game.moves ?? [], report };
      this.#annotate(report, line);
    } catch (failed) {
      if (this.running) this.error = (failed as Error).message;
    } finally {
      this.progress = null;
    }
  }

  stop() {
    this.progress = null;
    live.stop();
  }

  /** Writes scores and marks into the tree. A mark replaces an earlier one; moves without a mark keep theirs. */
  #annotate(report: Report, line: TreeNode[]) {
    const { moves } = report.analysis;
    line.forEach((node, ply) => {
      const score = report.scores[ply];
      const mark = moves[ply - 1]?.mark;
      if (score) node.score = { score, depth: moves[ply]?.depth ?? moves[ply - 1]?.depth ?? 0 };
      if (mark) node.marks = [markNumber(mark)];
    });
  }
}

export type Standing = "winning" | "better" | "equal" | "worse" | "losing";

/** How the player of a move stands with the best move, or after the move that was played. */
export function standing({ side, expectation, loss }: MoveAnalysis, isBest: boolean): Standing {
  const own = (side === "red" ? expectation : 100 - expectation) + (isBest ? loss : 0);
  if (own >= 80) return "winning";
  if (own >= 60) return "better";
  if (own > 40) return "equal";
  return own > 20 ? "worse" : "losing";
}
