// The types of the API, written by `make web-types` from crates/server. Do not edit.

/**
 * A side.
 */
export type SideJson = "red" | "black";

/**
 * A move in every notation.
 */
export type MoveJson = { 
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
last: MoveJson | null, 
/**
 * The legal moves.
 */
moves: Array<MoveJson>, verdict: VerdictView, 
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
hard_to_win: number, rounding: number, 
/**
 * What the network says, to Red; it has no parts to show.
 */
network: number, groups: Array<ExplainedGroup>, };

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
name: string, game: GameJson, milliseconds: number, 
/**
 * How many best lines to find, if it can tell several.
 */
lines: number, };

/**
 * What it found.
 */
export type RivalAnswer = { 
/**
 * Its lines, best first; none if it has no move.
 */
lines: Array<LineJson>, };

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
milliseconds: number, } | { "type": "report", 
/**
 * Comes back with every answer.
 */
id: number, game: GameJson, } | { "type": "stop" };

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
best: MoveJson | null, 
/**
 * Its line, and others if the level plays from several.
 */
lines: Array<LineJson>, 
/**
 * The sides that would take a draw now.
 */
takes_draw: Array<SideJson>, } | { "type": "progress", id: number, done: number, total: number, } | { "type": "report", id: number, analysis: GameAnalysis, 
/**
 * The score of every position, from the start.
 */
scores: Array<ScoreJson>, 
/**
 * The best line in every position but the last.
 */
lines: Array<Array<MoveJson>>, } | { "type": "refused", id: number | null, reason: string, };

/**
 * A line of play.
 */
export type LineJson = { depth: number, score: ScoreJson, moves: Array<MoveJson>, };

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

/**
 * Asks what the book knows of the position at the end of a game.
 */
export type OpeningRequest = { game: GameJson, };

/**
 * A position in a book.
 */
export type ExploredPosition = { 
/**
 * The position as FEN.
 */
fen: string, 
/**
 * The opening that the game is in; nothing if it did not start from the normal position.
 */
opening: OpeningJson | null, 
/**
 * The moves that the book knows, those with the most merit first.
 */
moves: Array<ExploredMove>, };

/**
 * A move in a book. Wins, losses and the score are those of the side that makes it.
 */
export type ExploredMove = { 
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
simplified: string, 
/**
 * How often it was played.
 */
count: number, 
/**
 * How often it won.
 */
wins: number, 
/**
 * How often it was drawn.
 */
draws: number, 
/**
 * How often it lost.
 */
losses: number, 
/**
 * The average rating of those who played it; 0 if not known.
 */
strength: number, 
/**
 * The engine's score in centisoldiers, if it looked.
 */
score: number | null, 
/**
 * How deep the engine looked.
 */
depth: number, 
/**
 * A preference in thousandths of a point, by its author or by learning.
 */
weight: number, 
/**
 * When it was last seen, in days since 1970; 0 if not known.
 */
seen: number, 
/**
 * It falls into a trap: a search likes it and a deeper look refutes it.
 */
falls: boolean, 
/**
 * It sets a trap.
 */
sets: boolean, 
/**
 * A remark.
 */
note: string, 
/**
 * The opening that it leads to; nothing if the game did not start from the normal position.
 */
opening: OpeningJson | null, };

/**
 * The name of an opening.
 */
export type OpeningJson = { 
/**
 * Its group in ECCO: `C0`.
 */
code: string, 
/**
 * In Chinese, traditional characters: 中炮對屏風馬.
 */
chinese: string, 
/**
 * In English.
 */
english: string, };

/**
 * Asks what the tables say of the position at the end of a game.
 */
export type EndgameRequest = { game: GameJson, };

/**
 * What the tables say of a position.
 */
export type EndgameView = { fen: string, 
/**
 * `KR-KAABB`, Red first.
 */
name: string, 
/**
 * Nothing if no table holds the position.
 */
value: EndgameValue | null, 
/**
 * The legal moves, best first; empty if they are not known.
 */
moves: Array<EndgameMove>, 
/**
 * What is missing, if a table is.
 */
missing: MissingTable | null, };

/**
 * A result for the side to move.
 */
export type EndgameValue = { 
/**
 * `win`, `draw` or `loss`.
 */
result: string, 
/**
 * Plies to the end.
 */
plies: number | null, 
/**
 * The end comes later than the limit of sixty rounds allows, if nothing is taken on the way.
 */
late: boolean, };

/**
 * A legal move and where it leads.
 */
export type EndgameMove = { 
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
simplified: string, 
/**
 * `win`, `draw` or `loss`.
 */
result: string, 
/**
 * Plies to the end.
 */
plies: number | null, 
/**
 * The end comes later than the limit of sixty rounds allows, if nothing is taken on the way.
 */
late: boolean, };

/**
 * A table that is not there.
 */
export type MissingTable = { 
/**
 * How many tables would be built.
 */
tables: number, 
/**
 * Why they cannot be built here.
 */
refused: string | null, };

/**
 * Asks for a table by its name: `KR-KAABB`, Red first.
 */
export type TableRequest = { name: string, };

/**
 * How far the table has come that is being built, or was built last.
 */
export type BuildState = { 
/**
 * The endgame that was asked for.
 */
name: string, 
/**
 * The one that is being solved for it now.
 */
now: string, 
/**
 * How many tables are done.
 */
done: number, 
/**
 * How many tables there are to do.
 */
tables: number, 
/**
 * How much of the present table is done, from 0 to 1.
 */
part: number, running: boolean, 
/**
 * Why it ended before it was done.
 */
error: string | null, };

/**
 * The longest wins of an endgame.
 */
export type LongestWins = { name: string, 
/**
 * Thousandths of the positions with Red to move that Red wins, draws and loses.
 */
shares: [bigint, bigint, bigint], 
/**
 * Red's longest win with Red to move.
 */
red: LongestWin | null, 
/**
 * Black's longest win with Black to move.
 */
black: LongestWin | null, };

/**
 * A position with the longest win.
 */
export type LongestWin = { fen: string, plies: number, };

/**
 * A classical ending.
 */
export type Ending = { 
/**
 * `KR-KAABB`, Red first.
 */
material: string, traditional: string, simplified: string, english: string, 
/**
 * A position to begin with.
 */
fen: string, 
/**
 * Whether there is a table for it.
 */
known: boolean, 
/**
 * The result of the position, if there is.
 */
value: EndgameValue | null, };

/**
 * A game of Banqi.
 */
export type BanqiGame = { 
/**
 * What was played: `c2(R)` for a flip that showed Red's chariot, `a1-a2` for a step or capture.
 */
moves: Array<string>, };

/**
 * Asks about a game, perhaps after one more move.
 */
export type BanqiRequest = { game: BanqiGame, 
/**
 * The move to play first: `c2` for a flip, `a1-a2` for a step or capture.
 */
move?: string, };

/**
 * What the players see.
 */
export type BanqiView = { 
/**
 * All plies, with what flips showed.
 */
played: Array<string>, 
/**
 * The 32 squares from a1 to h4: a letter of `KGMRNCP` (lower case for Black), `?` or `.`.
 */
cells: string, 
/**
 * Who is to move; nobody before the first flip.
 */
side: SideJson | null, 
/**
 * The legal moves.
 */
moves: Array<string>, 
/**
 * What lies face down: letter and number.
 */
pool: Array<[string, number]>, 
/**
 * What was taken, highest rank first.
 */
taken: string, 
/**
 * What each flip may bring.
 */
flips: Array<FlipOdds>, 
/**
 * Plies without a flip or a capture.
 */
quiet: number, 
/**
 * A draw after so many of them.
 */
quiet_limit: number | null, outcome: BanqiOutcome | null, };

/**
 * What turning over a piece may bring the side to move, in thousandths.
 */
export type FlipOdds = { square: string, 
/**
 * That it shows an own piece.
 */
own: number, 
/**
 * That it can be taken next, or takes something next, to our gain.
 */
gain: number, 
/**
 * That the opponent can take more than before.
 */
danger: number, };

/**
 * How a game ended.
 */
export type BanqiOutcome = { 
/**
 * Nobody if it is a draw.
 */
winner: SideJson | null, 
/**
 * `all-taken`, `no-move`, `long-chase`, `quiet` or `repetition`.
 */
reason: string, };

/**
 * Asks the engine for a move.
 */
export type BanqiThink = { game: BanqiGame, 
/**
 * 1, a beginner, to 5; 6 is full strength.
 */
level: number, };

/**
 * What the engine would play.
 */
export type BanqiAnswer = { move: string, 
/**
 * For the side to move, in hundredths of about half a horse.
 */
score: number, depth: number, };

/**
 * What games are wanted; everything that is set must hold.
 */
export type GamesRequest = { 
/**
 * Part of the name of either player.
 */
player?: string, 
/**
 * Part of the name of the event.
 */
event?: string, 
/**
 * Part of the name of the opening, or the beginning of its code.
 */
opening?: string, 
/**
 * `1-0`, `0-1` or `1/2-1/2`.
 */
result?: string, 
/**
 * Not before: `2014` or `2014.06.28`.
 */
since?: string, 
/**
 * Not after.
 */
until?: string, 
/**
 * A position of the game, or its mirror image, as FEN.
 */
fen?: string, 
/**
 * How many to leave out.
 */
skip: number, 
/**
 * How many to list.
 */
most: number, };

/**
 * What the collection holds.
 */
export type GamesAnswer = { 
/**
 * Games in the whole collection; nothing if there is no collection yet.
 */
all: number | null, 
/**
 * How many games there are.
 */
total: number, 
/**
 * Those that were asked for.
 */
games: Array<GameSummary>, };

/**
 * What was found.
 */
export type Found = { 
/**
 * How many games there are.
 */
total: number, 
/**
 * Those that were asked for.
 */
games: Array<GameSummary>, };

/**
 * A game in a list.
 */
export type GameSummary = { 
/**
 * Its number in the collection.
 */
id: number, 
/**
 * Red's name.
 */
red: string | null, 
/**
 * Black's name.
 */
black: string | null, 
/**
 * The event.
 */
event: string | null, 
/**
 * The opening.
 */
opening: string | null, 
/**
 * The code of the opening.
 */
ecco: string | null, 
/**
 * The date.
 */
date: string | null, 
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string, 
/**
 * How many moves it has.
 */
plies: number, 
/**
 * After how many plies the position or pattern that was asked for is first on the board.
 */
ply: number | null, };

/**
 * A file with records.
 */
export type RecordFile = { 
/**
 * What to ask for it by: the number of its folder and the path in it.
 */
name: string, bytes: number, };

/**
 * A game of a file, and what its match has come to.
 */
export type RecordAnswer = { 
/**
 * The result of the match, if the file is the journal of one.
 */
contest: Contest | null, 
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
 * The result of a match for the engine that is named first.
 */
export type Contest = { names: Array<string>, wins: number, draws: number, losses: number, 
/**
 * The rating difference, if it has a bound.
 */
elo: number | null, 
/**
 * Half of its 95 % interval.
 */
elo_error: number | null, };

/**
 * The analysis of a game.
 */
export type GameAnalysis = { 
/**
 * What is known about the game.
 */
tags: { [key in string]: string }, 
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`, as the record says.
 */
result: string, 
/**
 * The start position.
 */
fen: string, 
/**
 * How it was analysed.
 */
settings: string, 
/**
 * The opening.
 */
opening: OpeningJson | null, 
/**
 * After how many plies the book knew no more; nothing if no book was asked.
 */
book_plies: number | null, 
/**
 * After how many plies the tables knew the position for the first time.
 */
table_from: number | null, 
/**
 * The two sides.
 */
sides: Sides, 
/**
 * The referee's verdict.
 */
verdict: VerdictJson, 
/**
 * After how many plies it fell, or the number of plies if the game was still open.
 */
verdict_ply: number, 
/**
 * The verdict in words.
 */
verdict_texts: VerdictTexts, 
/**
 * Red's expected result before the first move, in percent.
 */
expectation: number, 
/**
 * The moves.
 */
moves: Array<MoveAnalysis>, };

/**
 * A sentence in each language.
 */
export type VerdictTexts = { en: string, "zh-hant": string, "zh-hans": string, };

/**
 * Both sides.
 */
export type Sides = { 
/**
 * Red.
 */
red: SideSummary, 
/**
 * Black.
 */
black: SideSummary, };

/**
 * How a side played.
 */
export type SideSummary = { 
/**
 * How many moves it made.
 */
moves: number, 
/**
 * 100 if no move lost anything.
 */
accuracy: number, 
/**
 * Points lost by a move on average.
 */
average_loss: number, 
/**
 * Moves marked `?!`.
 */
inaccuracies: number, 
/**
 * Moves marked `?`.
 */
mistakes: number, 
/**
 * Moves marked `??`.
 */
blunders: number, 
/**
 * Moves marked `!`.
 */
finds: number, };

/**
 * A score: either of the two.
 */
export type JudgedScore = { "cp": number } | { "mate": number };

/**
 * The analysis of a move. Scores and expectations are Red's.
 */
export type MoveAnalysis = { 
/**
 * The number of the ply, from 1.
 */
ply: number, 
/**
 * The number of the round.
 */
round: number, 
/**
 * `red` or `black`.
 */
side: string, 
/**
 * The move in coordinates.
 */
move: string, 
/**
 * The move in WXF.
 */
wxf: string, 
/**
 * The move in Chinese, traditional characters.
 */
chinese: string, 
/**
 * The best move, which may be the one that was played.
 */
best: string, 
/**
 * The best line in coordinates.
 */
line: Array<string>, 
/**
 * The best line in WXF.
 */
line_wxf: Array<string>, 
/**
 * The best line in Chinese.
 */
line_chinese: Array<string>, 
/**
 * How deep the search was.
 */
depth: number, 
/**
 * The score of the best move.
 */
best_score: JudgedScore, 
/**
 * The score after the move that was played.
 */
score: JudgedScore, 
/**
 * The expected result after the move, in percent.
 */
expectation: number, 
/**
 * How many points the move lost.
 */
loss: number, 
/**
 * `!`, `?!`, `?` or `??`.
 */
mark: string | null, 
/**
 * Whether the book knows the move.
 */
in_book: boolean, 
/**
 * Whether the tables know the position after the move.
 */
in_tables: boolean, };
