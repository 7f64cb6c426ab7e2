// Hands a game over to the play page.

import type { RecordJson } from "../api/types";
import { Tree, type TreeNode } from "./tree.svelte";

let pending: RecordJson | null = null;

/** Opens the play page with the moves up to a node. */
export function playFrom(start: string, node: TreeNode) {
  const tree = new Tree();
  tree.reset(start);
  for (const { move } of node.path) if (move) tree.play(move);
  pending = tree.record();
  location.hash = "#/play";
}

/** The game handed over; can be taken once. */
export function takeHandoff(): RecordJson | null {
  const taken = pending;
  pending = null;
  return taken;
}
