// Ten small lessons: the pieces, check, mate, stalemate and repetition. Red is the visitor.

import type { Language } from "../settings.svelte";

export type Text = Record<Language, string>;

export type Goal =
  /** Go to all of these points. */
  | { kind: "reach"; points: string[] }
  /** Capture what stands on these points. */
  | { kind: "capture"; points: string[] }
  | { kind: "check" | "mate" | "stalemate" }
  /** Any legal move, such as an answer to a check. */
  | { kind: "any" }
  /** A move that the referee does not rule against. */
  | { kind: "deviate" };

export interface Step {
  fen: string;
  /** Moves that were played before. */
  moves?: string[];
  goal: Goal;
  task: Text;
}

export interface Lesson {
  title: Text;
  text: Text;
  steps: Step[];
}

const text = (en: string, hant: string, hans: string): Text => ({ en, "zh-Hant": hant, "zh-Hans": hans });

const reach = (fen: string, ...points: string[]): Step => ({
  fen,
  goal: { kind: "reach", points },
  task: text("Visit the marked points.", "走到標出的各點。", "走到标出的各点。"),
});
const capture = (fen: string, ...points: string[]): Step => ({
  fen,
  goal: { kind: "capture", points },
  task: text("Capture the marked pieces.", "吃掉標出的棋子。", "吃掉标出的棋子。"),
});

/** Themes of puzzles that every player learns first, as in the classical manuals. */
export const BASIC_MATES = [
  "iron-bolt",
  "double-chariots",
  "trough-horse",
  "angler-horse",
  "cannon-behind-horse",
  "double-cannon",
  "smothered-palace",
  "facing-general",
];

export const LESSONS: Lesson[] = [
  {
    title: text("The chariot", "車", "车"),
    text: text(
      "The chariot moves along files and ranks as far as the way is free. It is the strongest piece.",
      "車走直線，路上無子時遠近不限，是威力最大的棋子。",
      "车走直线，路上无子时远近不限，是威力最大的棋子。",
    ),
    steps: [
      reach("3k5/9/9/9/9/9/9/9/9/R4K3 w", "a6", "g6"),
      capture("3k5/9/9/p3p4/9/9/9/9/9/R4K3 w", "a6", "e6"),
    ],
  },
  {
    title: text("The cannon", "炮", "炮"),
    text: text(
      "The cannon moves like the chariot, but to capture it must jump exactly one piece, the screen.",
      "炮的走法與車相同，但吃子時必須隔一個棋子（炮架）。",
      "炮的走法与车相同，但吃子时必须隔一个棋子（炮架）。",
    ),
    steps: [
      reach("3k5/9/9/9/9/9/9/2C6/9/5K3 w", "g2", "g6"),
      capture("3k5/9/2n6/9/9/9/2P6/2C6/9/5K3 w", "c7"),
    ],
  },
  {
    title: text("The horse", "馬", "马"),
    text: text(
      "The horse goes one point straight and one diagonally. A piece on the straight point, its leg, blocks it.",
      "馬走「日」字：先直走一步再斜走一步。直走的那一點有子，就蹩馬腿。",
      "马走“日”字：先直走一步再斜走一步。直走的那一点有子，就蹩马腿。",
    ),
    steps: [
      reach("3k5/9/9/9/9/9/9/9/9/1N3K3 w", "c2", "e3"),
      {
        ...reach("3k5/9/9/9/9/9/2P6/2N6/9/5K3 w", "d4"),
        task: text(
          "The soldier blocks the leg. Find a way round to the marked point.",
          "兵蹩住了馬腿。請繞道走到標出的點。",
          "兵蹩住了马腿。请绕道走到标出的点。",
        ),
      },
    ],
  },
  {
    title: text("The elephant", "相（象）", "相（象）"),
    text: text(
      "The elephant goes exactly two points diagonally and never crosses the river. A piece in the middle blocks it.",
      "相走「田」字，不能過河；田字中心有子就塞住象眼。",
      "相走“田”字，不能过河；田字中心有子就塞住象眼。",
    ),
    steps: [reach("3k5/9/9/9/9/9/9/9/9/2B2K3 w", "e2", "g4")],
  },
  {
    title: text("The advisor", "仕（士）", "仕（士）"),
    text: text(
      "The advisor goes one point diagonally and stays in the palace.",
      "仕每次斜走一步，不能離開九宮。",
      "仕每次斜走一步，不能离开九宫。",
    ),
    steps: [reach("3k5/9/9/9/9/9/9/9/9/4KA3 w", "e1", "d2")],
  },
  {
    title: text("The soldier", "兵（卒）", "兵（卒）"),
    text: text(
      "The soldier goes one point forward; beyond the river also sideways. It never goes back.",
      "兵每次向前走一步，過河後也可橫走，永不後退。",
      "兵每次向前走一步，过河后也可横走，永不后退。",
    ),
    steps: [reach("3k5/9/9/9/9/9/4P4/9/9/5K3 w", "e5", "f5")],
  },
  {
    title: text("The general", "帥（將）", "帅（将）"),
    text: text(
      "The general goes one point straight within the palace. The two generals may not face each other on an open file, which makes them attackers from afar.",
      "將帥在九宮內每次直走一步。雙方將帥不能在同一直線上照面，因此將帥也能遠遠助攻。",
      "将帅在九宫内每次直走一步。双方将帅不能在同一直线上照面，因此将帅也能远远助攻。",
    ),
    steps: [
      reach("3k5/9/9/9/9/9/9/9/9/4K4 w", "e1", "f1"),
      {
        fen: "3k5/9/9/9/9/9/9/9/R8/4K4 w",
        goal: { kind: "mate" },
        task: text(
          "Your general guards the middle file. Mate in one.",
          "帥控制中路。請一步殺。",
          "帅控制中路。请一步杀。",
        ),
      },
    ],
  },
  {
    title: text("Check", "將軍與應將", "将军与应将"),
    text: text(
      "An attack on the general is check. It must be answered: move away, block, or capture the attacker.",
      "攻擊對方將帥叫將軍。被將軍必須應將：走開、墊子或吃掉攻擊的棋子。",
      "攻击对方将帅叫将军。被将军必须应将：走开、垫子或吃掉攻击的棋子。",
    ),
    steps: [
      {
        fen: "3k5/9/9/9/9/9/9/9/R8/5K3 w",
        goal: { kind: "check" },
        task: text("Give check.", "請將軍。", "请将军。"),
      },
      {
        fen: "3k5/9/9/9/5r3/9/9/R8/9/5K3 w",
        goal: { kind: "any" },
        task: text("You are in check. Answer it.", "你被將軍了，請應將。", "你被将军了，请应将。"),
      },
    ],
  },
  {
    title: text("Mate and stalemate", "將死與困斃", "将死与困毙"),
    text: text(
      "A check that cannot be answered is mate and wins. A side without any legal move has lost, too: stalemate is no draw here.",
      "無法應將叫將死，負。無子可動叫困斃，也算負，並不是和棋。",
      "无法应将叫将死，负。无子可动叫困毙，也算负，并不是和棋。",
    ),
    steps: [
      {
        fen: "3k5/R8/9/9/9/9/9/9/1R7/5K3 w",
        goal: { kind: "mate" },
        task: text("Mate in one.", "請一步殺。", "请一步杀。"),
      },
      {
        fen: "3k5/9/9/9/9/9/9/9/R8/4K4 w",
        goal: { kind: "stalemate" },
        task: text(
          "Leave Black without a move, and without a check.",
          "不將軍，讓黑方無子可動。",
          "不将军，让黑方无子可动。",
        ),
      },
    ],
  },
  {
    title: text("Repetition", "循環與裁判", "循环与裁判"),
    text: text(
      "Who checks or chases with every move while a position repeats must change, or loses. The referee below the board warns in time.",
      "局面循環時，步步將軍（長將）或步步捉子（長捉）的一方必須變著，不變作負。棋盤下的裁判會及時警告。",
      "局面循环时，步步将军（长将）或步步捉子（长捉）的一方必须变着，不变作负。棋盘下的裁判会及时警告。",
    ),
    steps: [
      {
        fen: "3k5/9/9/6c2/9/9/9/6R2/9/5K3 b",
        moves: ["g6h6", "g2h2", "h6g6", "h2g2", "g6h6", "g2h2", "h6g6"],
        goal: { kind: "deviate" },
        task: text(
          "You have chased the cannon all the time. Play something else.",
          "你一直在捉炮。請變著。",
          "你一直在捉炮。请变着。",
        ),
      },
    ],
  },
];
