// Follows links to games.

import { readRecord } from "../api/http";
import type { RecordJson } from "../api/types";
import { samePlace } from "./fen";
import type { LinkedLine } from "./link";
import type { Tree } from "./tree.svelte";

/** Goes to a line if the tree has it; else reads it and passes it to `open`. */
export async function showLine(
  tree: Tree,
  { start, moves, at }: LinkedLine,
  open: (record: RecordJson) => void = (record) => tree.open(record),
) {
  if (samePlace(tree.root.fen, start) && tree.has(moves)) tree.first();
  else open((await readRecord(`position fen ${start} moves ${moves.join(" ")}`)).record);
  tree.follow(moves.slice(0, at));
}
