// A game as a tree of moves, and the place in it that is on the board.

import type { GameJson, RecordJson, ScoreJson, SpelledMove, WrittenGame } from "../api/types";
import { afterMove, START } from "./fen";

let lastId = 0;

export class TreeNode {
  readonly id = ++lastId;
  readonly parent: TreeNode | null;
  /** The move that leads here; the start has none. */
  readonly move: SpelledMove | null;
  readonly fen: string;
  children: TreeNode[] = $state([]);
  comment: string = $state("");
  /** Judgements by their numbers in PGN. */
  marks: number[] = $state([]);
  /** The best that is known about the position. */
  score: { score: ScoreJson; depth: number } | null = $state.raw(null);

  constructor(parent: TreeNode | null, move: SpelledMove | null, fen: string) {
    this.parent = parent;
    this.move = move;
    this.fen = fen;
  }

  /** How many moves lead here. */
  get ply(): number {
    let ply = 0;
    for (let node = this.parent; node; node = node.parent) ply += 1;
    return ply;
  }

  /** The nodes from the start to here. */
  get path(): TreeNode[] {
    const path: TreeNode[] = [this];
    for (let node = this.parent; node; node = node.parent) path.push(node);
    return path.reverse();
  }

  /** The nodes that go on from here along the main line. */
  get rest(): TreeNode[] {
    const rest: TreeNode[] = [];
    for (let node = this.children[0]; node; node = node.children[0]) rest.push(node);
    return rest;
  }
}

export class Tree {
  root: TreeNode = $state.raw(new TreeNode(null, null, START));
  here: TreeNode = $state.raw(this.root);
  tags: [string, string][] = $state([]);
  result: string = $state("*");

  /** Starts anew. */
  reset(start: string = START) {
    this.root = new TreeNode(null, null, start);
    this.here = this.root;
    this.tags = [];
    this.result = "*";
  }

  /** The game up to a node, as requests carry it. */
  game(node: TreeNode = this.here): GameJson {
    const path = node.path;
    return { start: this.root.fen, moves: path.flatMap((step) => (step.move ? [step.move.move] : [])) };
  }

  /** The line that is on the board: up to here and on along the main line. */
  get line(): TreeNode[] {
    return [...this.here.path, ...this.here.rest];
  }

  /** Plays a move here; one that is known is only followed. */
  play(move: SpelledMove): TreeNode {
    this.here = this.add(this.here, move);
    return this.here;
  }

  /** Adds a move behind a node, unless it is there. */
  add(parent: TreeNode, move: SpelledMove): TreeNode {
    const known = parent.children.find((child) => child.move?.move === move.move);
    if (known) return known;
    const node = new TreeNode(parent, move, afterMove(parent.fen, move.move));
    parent.children.push(node);
    return node;
  }

  back() {
    if (this.here.parent) this.here = this.here.parent;
  }

  forward() {
    const [next] = this.here.children;
    if (next) this.here = next;
  }

  first() {
    this.here = this.root;
  }

  last() {
    this.here = this.here.rest.at(-1) ?? this.here;
  }

  /** Goes to the variation before or behind the one on the board. */
  sideways(step: number) {
    const siblings = this.here.parent?.children ?? [];
    const next = siblings[siblings.indexOf(this.here) + step];
    if (next) this.here = next;
  }

  /** Makes the variation of a node the main line, one fork up. */
  promote(node: TreeNode) {
    for (let at: TreeNode = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      const index = siblings.indexOf(at);
      if (index > 0) {
        siblings.splice(index, 1);
        siblings.unshift(at);
        return;
      }
    }
  }

  /** Takes a move and all behind it away. */
  remove(node: TreeNode) {
    if (!node.parent) return;
    if (this.here.path.includes(node)) this.here = node.parent;
    node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  get isEmpty(): boolean {
    return this.root.children.length === 0;
  }

  /** Takes over a record. */
  open(record: RecordJson) {
    this.reset(record.start);
    this.tags = record.tags;
    this.result = record.result;
    this.root.comment = record.comment;
    const nodes: TreeNode[] = [this.root];
    for (const { parent, comment, marks, fen, move, wxf, traditional, simplified } of record.nodes) {
      const before = nodes[parent] ?? this.root;
      const node = new TreeNode(before, { move, wxf, traditional, simplified }, fen);
      node.comment = comment;
      node.marks = marks;
      before.children.push(node);
      nodes.push(node);
    }
  }

  /** The nodes, each behind its parent and the main line before its variations. */
  nodes(): TreeNode[] {
    const nodes: TreeNode[] = [];
    const waiting = [...this.root.children].reverse();
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      nodes.push(node);
      waiting.push(...[...node.children].reverse());
    }
    return nodes;
  }

  /** The game as a record; `open` reads it back. */
  record(): RecordJson {
    const nodes = this.nodes();
    const numbers = new Map(nodes.map((node, index) => [node, index + 1]));
    return {
      tags: this.tags,
      start: this.root.fen,
      result: this.result,
      comment: this.root.comment,
      nodes: nodes.map((node) => ({
        parent: node.parent ? (numbers.get(node.parent) ?? 0) : 0,
        ...(node.move as SpelledMove),
        fen: node.fen,
        check: false,
        comment: node.comment,
        marks: node.marks,
      })),
    };
  }

  /** The game as the server takes it for writing. */
  written(): WrittenGame {
    const { tags, start, result, comment, nodes } = this.record();
    const plain = nodes.map(({ parent, move, comment, marks }) => ({ parent, move, comment, marks }));
    return { tags, start, result, comment, nodes: plain };
  }
}
