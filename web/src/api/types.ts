// The types of the API, written by `make web-types` from crates/server. Do not edit.

/**
 * A side.
 */
export type SideJson = "red" | "black";

/**
 * A move in every notation.
 */
export type SpelledMove = { 
/**
 * Coordinates with ranks 0–9: `h2e2`.
 */
move: string, 
/**
 * `C2=5`.
 */
wxf: string, 
/**
 * 炮二平五 in traditional characters.
 */
traditional: string, 
/**
 * 炮二平五 in simplified characters.
 */
simplified: string, };

/**
 * A game: where it started and what was played.
 */
export type GameJson = { 
/**
 * The start as FEN; the normal one if missing.
 */
start?: string, 
/**
 * The moves in coordinates, ranks 0–9.
 */
moves: Array<string>, };

/**
 * How an error is told: `{"error": "…"}`.
 */
export type ErrorJson = { error: string, };

/**
 * What this server is and allows.
 */
export type About = { version: string, 
/**
 * How many levels there are to play against; the last is full strength.
 */
levels: number, 
/**
 * How many lines an analysis may have.
 */
lines: number, 
/**
 * How many searches run at the same time.
 */
engines: number, 
/**
 * How many searches run or wait now.
 */
searches: number, 
/**
 * The names of other engines to compare with.
 */
rivals: Array<string>, 
/**
 * How many bytes a file may have.
 */
body_bytes: number, };

/**
 * Asks about the position at the end of a game.
 */
export type PositionRequest = { game: GameJson, 
/**
 * The language of the referee: `en`, `zh-Hant` or `zh-Hans`.
 */
language: string, 
/**
 * Whose rules: `wxf`, `axf`, `cxa` or `computer`; the world federation's if missing.
 */
rules?: string, };

/**
 * The position at the end of a game.
 */
export type PositionView = { fen: string, 
/**
 * Who is to move.
 */
side: SideJson, 
/**
 * Where the general stands that is in check.
 */
check: string | null, 
/**
 * The last move.
 */
last: SpelledMove | null, 
/**
 * The legal moves.
 */
moves: Array<SpelledMove>, verdict: VerdictView, 
/**
 * What the verdict will be if the position comes once more; only when it has come back.
 */
warning: VerdictView | null, 
/**
 * What is odd about the position, though it can be played.
 */
oddities: Array<string>, };

/**
 * A verdict with the words for it.
 */
export type VerdictView = { 
/**
 * Result and rule in one sentence.
 */
sentence: string, 
/**
 * What each move of the cycle was, in words.
 */
words: Array<string>, 
/**
 * `red_wins`, `black_wins`, `draw` or `undecided`.
 */
result: string, 
/**
 * The name of the clause that decides, or nothing.
 */
clause: string | null, 
/**
 * The moves of the cycle in order.
 */
reasons: Array<ReasonJson>, };

/**
 * A verdict for programs.
 */
export type VerdictJson = { 
/**
 * `red_wins`, `black_wins`, `draw` or `undecided`.
 */
result: string, 
/**
 * The name of the clause that decides, or nothing.
 */
clause: string | null, 
/**
 * The moves of the cycle in order.
 */
reasons: Array<ReasonJson>, };

/**
 * What one move of the cycle was.
 */
export type ReasonJson = { 
/**
 * The number of the ply in the game, from 1.
 */
ply: number, 
/**
 * The move in coordinates, ranks 0–9.
 */
move: string, 
/**
 * `check`, `chase`, `threat`, `attack`, `offer`, `block` or `idle`.
 */
what: string, 
/**
 * Which pieces it concerns.
 */
pieces: Array<LinkJson>, };

/**
 * Two pieces in relation.
 */
export type LinkJson = { 
/**
 * The piece that acts.
 */
by: PlacedJson, 
/**
 * The piece that is acted upon.
 */
on: PlacedJson, };

/**
 * A piece on its point.
 */
export type PlacedJson = { 
/**
 * The FEN letter, upper case for Red.
 */
piece: string, 
/**
 * The point, ranks 0–9.
 */
at: string, };

/**
 * Asks for the evaluation of a position.
 */
export type ExplainRequest = { fen: string, };

/**
 * The evaluation in centisoldiers: the groups, the rounding and what is hard to win add up to `red`.
 */
export type Explanation = { 
/**
 * What the position is worth to Red.
 */
red: number, 
/**
 * What is taken away because the material left can hardly win, seen by Red.
 */
hard_to_win: number, rounding: number, groups: Array<ExplainedGroup>, };

/**
 * A group of features.
 */
export type ExplainedGroup = { name: string, 
/**
 * What it is worth to Red.
 */
red: number, 
/**
 * What it is worth to Black.
 */
black: number, reasons: Array<ExplainedReason>, };

/**
 * A feature that a side has.
 */
export type ExplainedReason = { side: SideJson, 
/**
 * The pattern, if it has a name: `hollow-cannon`.
 */
pattern: string | null, 
/**
 * What was found, in English.
 */
words: string, times: number, worth: number, 
/**
 * The points of the board that show it.
 */
points: Array<string>, };

/**
 * A position in which the side to move has something to find.
 */
export type Puzzle = { fen: string, 
/**
 * Mate in so many moves, if it is a mate.
 */
mate: number | null, 
/**
 * The one move that wins, if it is not.
 */
best: string | null, };

/**
 * Asks another engine about a position.
 */
export type RivalRequest = { 
/**
 * One of the names that `About` lists.
 */
name: string, game: GameJson, milliseconds: number, };

/**
 * What it found.
 */
export type RivalAnswer = { 
/**
 * Nothing if it has no move.
 */
line: LineJson | null, };

/**
 * What a file holds.
 */
export type ReadAnswer = { 
/**
 * How many games the file holds.
 */
count: number, 
/**
 * The games, if there are several; not all if there are very many.
 */
headings: Array<Heading>, 
/**
 * The game that was asked for.
 */
record: RecordJson, };

/**
 * One game of a file.
 */
export type Heading = { title: string, result: string, 
/**
 * Moves of the main line.
 */
plies: number, 
/**
 * Why it cannot be read.
 */
error: string | null, };

/**
 * A game as a tree of moves.
 */
export type RecordJson = { tags: Array<[string, string]>, 
/**
 * The start position as FEN.
 */
start: string, 
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string, 
/**
 * What is said before the first move.
 */
comment: string, 
/**
 * The moves; each stands behind its parent, the main line before its variations.
 */
nodes: Array<NodeJson>, };

/**
 * A move of a record.
 */
export type NodeJson = { 
/**
 * The move before it: 0 for the start position, else the number of a node from 1.
 */
parent: number, 
/**
 * The position after it.
 */
fen: string, 
/**
 * Whether it gives check.
 */
check: boolean, comment: string, 
/**
 * Judgements by their numbers in PGN.
 */
marks: Array<number>, 
/**
 * Coordinates with ranks 0–9: `h2e2`.
 */
move: string, 
/**
 * `C2=5`.
 */
wxf: string, 
/**
 * 炮二平五 in traditional characters.
 */
traditional: string, 
/**
 * 炮二平五 in simplified characters.
 */
simplified: string, };

/**
 * A game as the browser sends it.
 */
export type WrittenGame = { tags: Array<[string, string]>, 
/**
 * The start position as FEN.
 */
start: string, 
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string, 
/**
 * What is said before the first move.
 */
comment: string, 
/**
 * The moves; each stands behind its parent.
 */
nodes: Array<WrittenNode>, };

/**
 * A move of such a game.
 */
export type WrittenNode = { 
/**
 * The move before it: 0 for the start position, else the number of a node from 1.
 */
parent: number, 
/**
 * Coordinates with ranks 0–9.
 */
move: string, comment: string, 
/**
 * Judgements by their numbers in PGN.
 */
marks: Array<number>, };

/**
 * What a visitor asks.
 */
export type ClientMessage = { "type": "analyse", 
/**
 * Comes back with every answer.
 */
id: number, game: GameJson, 
/**
 * How many best lines to find.
 */
lines: number, } | { "type": "think", 
/**
 * Comes back with the answer.
 */
id: number, game: GameJson, 
/**
 * From 1, a beginner; the last level is full strength.
 */
level: number, 
/**
 * By when the move is wanted.
 */
milliseconds: number, } | { "type": "stop" };

/**
 * What a visitor is told.
 */
export type ServerMessage = { "type": "lines", id: number, depth: number, 
/**
 * Positions looked at.
 */
nodes: number, 
/**
 * The time an engine spent on it.
 */
milliseconds: number, lines: Array<LineJson>, 
/**
 * Whether the search has ended by itself.
 */
finished: boolean, } | { "type": "answer", id: number, 
/**
 * Nothing if the game is over.
 */
best: SpelledMove | null, 
/**
 * Its line, and others if the level plays from several.
 */
lines: Array<LineJson>, 
/**
 * The sides that would take a draw now.
 */
takes_draw: Array<SideJson>, } | { "type": "refused", id: number | null, reason: string, };

/**
 * A line of play.
 */
export type LineJson = { depth: number, score: ScoreJson, moves: Array<SpelledMove>, };

/**
 * A score as Red sees it.
 */
export type ScoreJson = { 
/**
 * Centisoldiers.
 */
red: number, 
/**
 * Moves to the mate: positive if Red mates.
 */
mate: number | null, 
/**
 * Thousandths of games that Red wins, draws and loses.
 */
chances: [number, number, number], };
