// A game as a tree of moves, and the place in it that is on the board.

import type { GameJson, RecordJson, ScoreJson, MoveJson, WrittenGame } from "../api/types";
import { afterMove, START } from "./fen";

let lastId = 0;

export class TreeNode {
  readonly id = ++lastId;
  readonly parent: TreeNode | null;
  /** The move that leads here; null at the root. */
  readonly move: MoveJson | null;
  readonly fen: string;
  children: TreeNode[] = $state([]);
  comment: string = $state("");
  /** Numeric annotation glyphs (NAGs). */
  marks: number[] = $state([]);
  /** The deepest score so far. */
  score: { score: ScoreJson; depth: number } | null = $state.raw(null);

  constructor(parent: TreeNode | null, move: MoveJson | null, fen: string) {
    this.parent = parent;
    this.move = move;
    this.fen = fen;
  }

  /** Distance from the root. */
  get ply(): number {
    let ply = 0;
    for (let node = this.parent; node; node = node.parent) ply += 1;
    return ply;
  }

  /** The nodes from the root to here. */
  get path(): TreeNode[] {
    const path: TreeNode[] = [this];
    for (let node = this.parent; node; node = node.parent) path.push(node);
    return path.reverse();
  }

  /** The main line from here. */
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

  /** Starts a new game. */
  reset(start: string = START) {
    this.root = new TreeNode(null, null, start);
    this.here = this.root;
    this.tags = [];
    this.result = "*";
  }

  /** The game up to a node, for requests. */
  game(node: TreeNode = this.here): GameJson {
    const path = node.path;
    return { start: this.root.fen, moves: path.flatMap((step) => (step.move ? [step.move.move] : [])) };
  }

  /** The current line: up to here, then the main line. */
  get line(): TreeNode[] {
    return [...this.here.path, ...this.here.rest];
  }

  /** Plays a move, or follows it if it exists. */
  play(move: MoveJson): TreeNode {
    this.here = this.add(this.here, move);
    return this.here;
  }

  /** Adds a move after a node, unless it exists. */
  add(parent: TreeNode, move: MoveJson): TreeNode {
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

  /** Follows moves from the current node, as far as they exist. */
  follow(moves: string[]) {
    for (const move of moves) {
      this.here = this.here.children.find((child) => child.move?.move === move) ?? this.here;
    }
  }

  /** Whether a line of moves from the root exists. */
  has(moves: string[]): boolean {
    let node: TreeNode | undefined = this.root;
    for (const move of moves) node = node?.children.find((child) => child.move?.move === move);
    return node !== undefined;
  }

  first() {
    this.here = this.root;
  }

  last() {
    this.here = this.here.rest.at(-1) ?? this.here;
  }

  /** Goes to the previous or next sibling variation. */
  sideways(step: number) {
    const siblings = this.here.parent?.children ?? [];
    const next = siblings[siblings.indexOf(this.here) + step];
    if (next) this.here = next;
  }

  /** Promotes the variation of a node at the nearest fork. */
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

  /** Deletes a move and everything after it. */
  remove(node: TreeNode) {
    if (!node.parent) return;
    if (this.here.path.includes(node)) this.here = node.parent;
    node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  get isEmpty(): boolean {
    return this.root.children.length === 0;
  }

  /** Loads a record. */
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

  /** The nodes in preorder: parents first, the main line before variations. */
  nodes(): TreeNode[] {
    const nodes: TreeNode[] = [];
    const waiting = [...this.root.children].reverse();
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      nodes.push(node);
      waiting.push(...[...node.children].reverse());
    }
    return nodes;
  }

  /** The game as a record; the inverse of `open`. */
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
        ...(node.move as MoveJson),
        fen: node.fen,
        check: false,
        comment: node.comment,
        marks: node.marks,
      })),
    };
  }

  /** The game as `/api/write` takes it. */
  written(): WrittenGame {
    const { tags, start, result, comment, nodes } = this.record();
    const plain = nodes.map(({ parent, move, comment, marks }) => ({ parent, move, comment, marks }));
    return { tags, start, result, comment, nodes: plain };
  }
}
