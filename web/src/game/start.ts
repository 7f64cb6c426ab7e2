// A game to go on with on the page for playing, handed over by another page.

import type { RecordJson } from "../api/types";
import { Tree, type TreeNode } from "./tree.svelte";

let waiting: RecordJson | null = null;

/** Goes to the page for playing with the moves that lead to a node. */
export function playFrom(start: string, node: TreeNode) {
  const tree = new Tree();
  tree.reset(start);
  for (const { move } of node.path) if (move) tree.play(move);
  waiting = tree.record();
  location.hash = "#/play";
}

/** What was handed over; it is taken once. */
export function takeStart(): RecordJson | null {
  const taken = waiting;
  waiting = null;
  return taken;
}
