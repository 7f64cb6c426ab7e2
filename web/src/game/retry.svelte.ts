// Exercises from the visitor's own mistakes: find a better move than the one that was played.

import { live } from "../api/live.svelte";
import type { MoveJson } from "../api/types";
import { server } from "../server.svelte";
import { StaleGuard } from "../stale";
import { sideToMove } from "./fen";
import type { Finding } from "./report.svelte";
import { expectation } from "./score";
import type { Tree } from "./tree.svelte";

/** Search time for a move that is not the report's, in milliseconds. */
const CHECK_TIME = 700;
/** A move that costs fewer points is as good as the best one. */
const TOLERANCE = 0.04;

export class Retry {
  finding: Finding | null = $state.raw(null);
  state: "open" | "checking" | "right" | "wrong" | "shown" = $state("open");
  error: string | null = $state(null);
  readonly #tree: Tree;
  #guard = new StaleGuard();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Whether the visitor is to find a move now. */
  get isAsking(): boolean {
    return this.finding !== null && (this.state === "open" || this.state === "wrong");
  }

  start(finding: Finding) {
    this.#guard.renew();
    this.finding = finding;
    [this.state, this.error] = ["open", null];
    this.#tree.here = finding.node.parent!;
  }

  stop() {
    this.#guard.renew();
    this.finding = null;
  }

  /** Shows the report's line. */
  show() {
    if (!this.finding) return;
    this.state = "shown";
    this.#follow(this.finding.line);
  }

  async attempt(move: MoveJson) {
    const finding = this.finding;
    if (!finding) return;
    const signal = this.#guard.renew();
    this.state = "checking";
    try {
      const isGood = move.move === finding.judged.best || (await this.#isGood(move, finding));
      if (signal.aborted) return;
      this.state = isGood ? "right" : "wrong";
      if (isGood) this.#follow([move]);
    } catch (failed) {
      if (!signal.aborted) [this.error, this.state] = [(failed as Error).message, "open"];
    }
  }

  #follow(moves: MoveJson[]) {
    let at = this.finding!.node.parent!;
    for (const move of moves) at = this.#tree.add(at, move);
    this.#tree.here = at;
  }

  /** Whether another move is about as good as the best one, by a short search. */
  async #isGood(move: MoveJson, { node }: Finding): Promise<boolean> {
    const before = node.parent!;
    const game = this.#tree.game(before);
    if (move.move === node.move?.move || !before.score) return false;
    const next = { start: game.start, moves: [...(game.moves ?? []), move.move] };
    const answer = await live.think(next, server.about.levels, CHECK_TIME);
    const score = answer.lines[0]?.score;
    if (!score) return true;
    const sign = sideToMove(before.fen) === "red" ? 1 : -1;
    return sign * (expectation(score) - expectation(before.score.score)) > -TOLERANCE;
  }
}
