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
 * A game: start position and moves.
 */
export type GameJson = { 
/**
 * The start position as FEN; the standard one if missing.
 */
start?: string, 
/**
 * The moves in coordinates, ranks 0–9.
 */
moves: Array<string>, };

/**
 * The body of an error: `{"error": {"key": …, "args": …, "text": …}}`.
 */
export type ErrorJson = { error: Notice, };

/**
 * Something that a visitor is told: mostly why a request is refused.
 */
export type Notice = { 
/**
 * What it says.
 */
key: NoticeKey, 
/**
 * What varies in it, in the order in which translations count it.
 */
args: Array<NoticeArg>, 
/**
 * In English, at most 400 characters.
 */
text: string, };

/**
 * An argument of a notice: a text as it is, or something with a translation of its own.
 */
export type NoticeArg = string | Notice;

/**
 * What a notice says. The page has words for each in `web/src/words/notices.ts`.
 */
export type NoticeKey = "red" | "black" | "general" | "advisor" | "elephant" | "horse" | "chariot" | "cannon" | "soldier" | "piece_of" | "bad_fen" | "bad_start" | "fen_empty" | "rank_count" | "rank_width" | "unknown_piece" | "unknown_side" | "bad_counter" | "trailing_text" | "two_pieces" | "no_general" | "too_many_pieces" | "off_limits" | "generals_facing" | "waiting_side_in_check" | "unreachable" | "illegal_move" | "no_piece" | "own_piece" | "not_its_move" | "general_exposed" | "not_a_move" | "not_a_point" | "rank_off_board" | "same_point" | "unknown_character" | "no_such_piece" | "ambiguous" | "not_legal" | "line_too_long" | "too_many_moves" | "in_game" | "at_line" | "at_byte" | "truncated" | "unclosed" | "misplaced" | "missing" | "not_this_format" | "unknown_version" | "bad_json" | "takes_place" | "unreadable" | "no_game_in_text" | "no_game_in_file" | "nothing_to_read" | "start_position_only" | "one_game_only" | "read_only" | "unknown_format" | "too_many_tags" | "bad_parent" | "too_deep" | "cannot_write" | "lost_tag" | "lost_tag_end" | "lost_comments" | "lost_characters" | "lost_marks" | "lost_variations" | "lost_result" | "lost_quiet_plies" | "lost_round" | "game_over" | "in_move" | "illegal_here" | "not_in_pool" | "nothing_face_down" | "flip_unknown" | "bad_material" | "no_table" | "table_too_large" | "table_unreadable" | "no_table_folder" | "builds_no_tables" | "always_drawn" | "table_needs_memory" | "table_busy" | "table_build_failed" | "table_build_stopped" | "larger_tables_need_server" | "bad_result" | "bad_date" | "no_such_game" | "collection_failed" | "no_such_record" | "record_too_large" | "file_failed" | "no_such_engine" | "rival_failed" | "search_failed" | "report_failed" | "unknown_name" | "malformed" | "no_such_request" | "needs_server" | "network_not_loaded" | "puzzles_not_loaded" | "server_full" | "address_full" | "too_many_requests" | "too_many_wrong_tokens" | "wrong_token" | "token_needed" | "too_slow" | "too_large" | "request_failed" | "doubled_header" | "other_site" | "unknown_host" | "closed";

/**
 * Version and limits of this server.
 */
export type About = { version: string, 
/**
 * Number of playing levels; the last is full strength.
 */
levels: number, 
/**
 * Maximum number of lines of an analysis.
 */
lines: number, 
/**
 * Number of search workers.
 */
engines: number, 
/**
 * Usual transposition table of an analysis, in mebibytes.
 */
hash: number, 
/**
 * Maximum transposition table of an analysis, in mebibytes.
 */
most_hash: number, 
/**
 * Number of searches running or queued.
 */
searches: number, 
/**
 * Names of other engines to compare with.
 */
rivals: Array<string>, 
/**
 * Maximum size of an uploaded file, in bytes.
 */
body_bytes: number, };

/**
 * Requests the last position of a game.
 */
export type PositionRequest = { game: GameJson, 
/**
 * The language of the referee: `en`, `zh-Hant` or `zh-Hans`.
 */
language: string, 
/**
 * The rule set: `wxf` (default), `axf`, `cxa` or `computer`.
 */
rules?: string, };

/**
 * The last position of a game.
 */
export type PositionView = { fen: string, 
/**
 * The side to move.
 */
side: SideJson, 
/**
 * The point of the general in check.
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
 * The verdict on one more repetition, once the position has been repeated.
 */
warning: VerdictView | null, 
/**
 * Why the position cannot arise in a game, though it can be played.
 */
oddities: Array<Notice>, };

/**
 * A verdict in words.
 */
export type VerdictView = { 
/**
 * Result and rule in one sentence.
 */
sentence: string, 
/**
 * Each move of the cycle, in words.
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
 * Requests the evaluation of a position.
 */
export type ExplainRequest = { fen: string, };

/**
 * The evaluation in centisoldiers: groups, rounding and drawishness add up to `red`.
 */
export type Explanation = { 
/**
 * The score from Red's side.
 */
red: number, 
/**
 * Deduction for material that can hardly win, from Red's side.
 */
hard_to_win: number, rounding: number, 
/**
 * The network's score from Red's side; it has no terms.
 */
network: number, summary: ExplainedSummary, groups: Array<ExplainedGroup>, };

/**
 * The two or three largest reasons as a sentence, by language; empty if nothing stands out.
 */
export type ExplainedSummary = { en: string, "zh-Hant": string, "zh-Hans": string, };

/**
 * A group of features.
 */
export type ExplainedGroup = { name: string, 
/**
 * Red's sum.
 */
red: number, 
/**
 * Black's sum.
 */
black: number, reasons: Array<ExplainedReason>, };

/**
 * A feature found for one side.
 */
export type ExplainedReason = { side: SideJson, 
/**
 * Key of a named pattern: `hollow-cannon`.
 */
pattern: string | null, 
/**
 * Description in English.
 */
words: string, times: number, worth: number, 
/**
 * The points of the board concerned.
 */
points: Array<string>, };

/**
 * What the solver of a puzzle must reach.
 */
export type PuzzleGoal = "mate" | "win" | "hold";

/**
 * A position in which one move is right.
 */
export type Puzzle = { fen: string, 
/**
 * What the solver must reach.
 */
goal: PuzzleGoal, 
/**
 * Moves to mate, if mate is the goal.
 */
mate: number | null, 
/**
 * How hard it is, on the scale of the levels.
 */
rating: number, 
/**
 * What happens in the solution: keys such as `iron-bolt`.
 */
themes: Array<string>, 
/**
 * The solution with the best defence; it begins and ends with a move of the solver.
 */
solution: Array<string>, };

/**
 * Requests an analysis of another engine.
 */
export type RivalRequest = { 
/**
 * A name from `About`.
 */
name: string, game: GameJson, milliseconds: number, 
/**
 * Number of best lines, if the engine supports MultiPV.
 */
lines: number, };

/**
 * Its analysis.
 */
export type RivalAnswer = { 
/**
 * Its lines, best first; none if it has no move.
 */
lines: Array<LineJson>, };

/**
 * The games of a file.
 */
export type ReadAnswer = { 
/**
 * Number of games in the file.
 */
count: number, 
/**
 * The games, if there are several; at most 2000.
 */
headings: Array<Heading>, 
/**
 * The game requested.
 */
record: RecordJson, 
/**
 * What of that game could not be read, and where.
 */
faults: Array<Notice>, };

/**
 * Some games of a file.
 */
export type BatchAnswer = { 
/**
 * The games, from the one requested on; at most 250.
 */
games: Array<BatchGame>, 
/**
 * Whether the file has more.
 */
more: boolean, };

/**
 * A game of a batch, or why it cannot be read.
 */
export type BatchGame = { record: RecordJson | null, error: Notice | null, };

/**
 * One game of a file.
 */
export type Heading = { title: string, result: string, 
/**
 * Plies of the main line.
 */
plies: number, 
/**
 * Why it cannot be read.
 */
error: Notice | null, };

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
 * The comment before the first move.
 */
comment: string, 
/**
 * The moves; each comes after its parent, the main line before its variations.
 */
nodes: Array<NodeJson>, };

/**
 * A move of a record.
 */
export type NodeJson = { 
/**
 * The previous move: 0 for the start position, else the number of a node, from 1.
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
 * Numeric annotation glyphs (NAGs).
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
 * A game to write.
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
 * The comment before the first move.
 */
comment: string, 
/**
 * The moves; each comes after its parent.
 */
nodes: Array<WrittenNode>, };

/**
 * A move of a game to write.
 */
export type WrittenNode = { 
/**
 * The previous move: 0 for the start position, else the number of a node, from 1.
 */
parent: number, 
/**
 * Coordinates with ranks 0–9.
 */
move: string, comment: string, 
/**
 * Numeric annotation glyphs (NAGs).
 */
marks: Array<number>, };

/**
 * A request on the live socket.
 */
export type ClientMessage = { "type": "analyse", 
/**
 * Echoed in every answer.
 */
id: number, 
/**
 * The game.
 */
game: GameJson, 
/**
 * Number of best lines (MultiPV).
 */
lines: number, 
/**
 * Threads, as far as they are free; one if missing.
 */
threads?: number, 
/**
 * The last depth; none if missing.
 */
depth?: number, 
/**
 * Size of the transposition table in mebibytes, as far as it is allowed; that of the server if missing.
 */
hash?: number, } | { "type": "think", 
/**
 * Echoed in the answer.
 */
id: number, 
/**
 * The game.
 */
game: GameJson, 
/**
 * From 1 (beginner); the last level is full strength.
 */
level: number, 
/**
 * Deadline of the move.
 */
milliseconds: number, 
/**
 * How the opening book answers; missing if it may not.
 */
book?: BookPolicy, } | { "type": "report", 
/**
 * Echoed in every answer.
 */
id: number, 
/**
 * The game.
 */
game: GameJson, 
/**
 * How long each position is searched.
 */
effort?: Effort, } | { "type": "stop" };

/**
 * How a player chooses among the moves of the opening book.
 */
export type BookPolicy = "level" | "best" | "varied";

/**
 * How long each position of a report is searched.
 */
export type Effort = "quick" | "normal" | "deep";

/**
 * An answer on the live socket.
 */
export type ServerMessage = { "type": "lines", 
/**
 * The request's.
 */
id: number, 
/**
 * Depth of the lines.
 */
depth: number, 
/**
 * Nodes searched.
 */
nodes: number, 
/**
 * Engine time spent.
 */
milliseconds: number, 
/**
 * The lines, best first.
 */
lines: Array<LineJson>, 
/**
 * Whether the search has ended.
 */
finished: boolean, } | { "type": "answer", 
/**
 * The request's.
 */
id: number, 
/**
 * Null if the game is over.
 */
best: MoveJson | null, 
/**
 * Its line first, then the alternatives of a weaker level.
 */
lines: Array<LineJson>, 
/**
 * The sides that would accept a draw now.
 */
takes_draw: Array<SideJson>, } | { "type": "progress", 
/**
 * The request's.
 */
id: number, 
/**
 * Positions done.
 */
done: number, 
/**
 * Positions in all.
 */
total: number, } | { "type": "report", 
/**
 * The request's.
 */
id: number, 
/**
 * Verdicts and summaries.
 */
analysis: GameAnalysis, 
/**
 * The score of every position, from the start.
 */
scores: Array<ScoreJson>, 
/**
 * The best line in every position but the last.
 */
lines: Array<Array<MoveJson>>, 
/**
 * Why each move was a mistake; empty for other moves and where no reason stands out.
 */
reasons: Array<ExplainedSummary>, } | { "type": "waiting", 
/**
 * The request's.
 */
id: number, 
/**
 * Moves being searched.
 */
players: number, 
/**
 * Engines that search them.
 */
engines: number, 
/**
 * How long after its deadline a move may come.
 */
milliseconds: number, } | { "type": "refused", 
/**
 * The request's, if it was understood.
 */
id: number | null, 
/**
 * Why.
 */
reason: Notice, };

/**
 * A principal variation.
 */
export type LineJson = { depth: number, score: ScoreJson, moves: Array<MoveJson>, };

/**
 * A score from Red's side.
 */
export type ScoreJson = { 
/**
 * Centisoldiers.
 */
red: number, 
/**
 * Moves to mate, positive if Red mates.
 */
mate: number | null, 
/**
 * Red's chances to win, draw and lose, in thousandths (WDL).
 */
chances: [number, number, number], };

/**
 * Requests the book moves of the last position of a game.
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
 * The name of the last position of the game that has one.
 */
name: NameJson | null, 
/**
 * How the line got its name: every name on the way, the last one first.
 */
origin: Array<NamedPly>, 
/**
 * The words of which the name is made.
 */
terms: Array<TermJson>, 
/**
 * Other move orders of theory that lead here.
 */
ways: Array<WayJson>, 
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
 * The average rating of its players; 0 if unknown.
 */
strength: number, 
/**
 * The engine's score in centisoldiers, if it was searched.
 */
score: number | null, 
/**
 * The depth of that search.
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
 * It is a move of a named line of theory.
 */
theory: boolean, 
/**
 * The position had no search of its own: the move and its score are from the search of an earlier position.
 */
inherited: boolean, 
/**
 * How often the engine chooses it at full strength, in percent.
 */
chance: number, 
/**
 * A remark.
 */
note: string, 
/**
 * The opening that it leads to; nothing if the game did not start from the normal position.
 */
opening: OpeningJson | null, 
/**
 * The name of the position that it leads to, if it has one of its own.
 */
name: NameJson | null, };

/**
 * The group of an opening.
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
 * The name of a position of opening theory.
 */
export type NameJson = { 
/**
 * In traditional characters: 中炮對屏風馬.
 */
traditional: string, 
/**
 * In simplified characters: 中炮对屏风马.
 */
simplified: string, 
/**
 * In English.
 */
english: string, };

/**
 * A position of the game that has a name.
 */
export type NamedPly = { 
/**
 * After how many plies.
 */
ply: number, 
/**
 * The name.
 */
name: NameJson, };

/**
 * A word of the names of openings.
 */
export type TermJson = { 
/**
 * The word in traditional characters: 屏風馬.
 */
word: string, 
/**
 * The word in English.
 */
english: string, 
/**
 * What it means.
 */
meaning: NameJson, };

/**
 * A move order.
 */
export type WayJson = { 
/**
 * The moves in coordinates.
 */
moves: Array<string>, 
/**
 * The moves in WXF, separated by spaces.
 */
wxf: string, 
/**
 * The moves in traditional characters.
 */
traditional: string, 
/**
 * The moves in simplified characters.
 */
simplified: string, };

/**
 * Requests the statistics of the last position of a game.
 */
export type OpeningGamesRequest = { game: GameJson, 
/**
 * Whose games count.
 */
of: GamesOf, };

/**
 * Whose games count in the explorer.
 */
export type GamesOf = "ours" | "mine" | "both";

/**
 * What games say about a position.
 */
export type OpeningGames = { 
/**
 * The position as FEN.
 */
fen: string, 
/**
 * Number of games in the starter collection; null if there is none.
 */
ours: number | null, 
/**
 * Number of games in the user's collection; null if there is none.
 */
mine: number | null, 
/**
 * The moves made here, the most frequent first.
 */
moves: Array<PlayedMove>, 
/**
 * The latest games with the position.
 */
games: Array<ModelGame>, };

/**
 * A move that was made in games.
 */
export type PlayedMove = { 
/**
 * The games in which it was made.
 */
games: number, 
/**
 * How many of them Red won.
 */
red: number, 
/**
 * How many were drawn.
 */
draws: number, 
/**
 * How many Black won.
 */
black: number, 
/**
 * The name of the position that it leads to, if it has one.
 */
name: NameJson | null, 
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
 * A game to look at.
 */
export type ModelGame = { 
/**
 * The collection that has it.
 */
of: GameSource, 
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
 * A collection of games.
 */
export type GameSource = "ours" | "mine";

/**
 * Requests the table values of the last position of a game.
 */
export type EndgameRequest = { game: GameJson, 
/**
 * The rules of repetition: `wxf` (default), `axf`, `cxa` or `computer`.
 */
rules?: string, };

/**
 * Table values of a position.
 */
export type EndgameView = { fen: string, 
/**
 * `KR-KAABB`, Red first.
 */
name: string, 
/**
 * Null if no table holds the position.
 */
value: EndgameValue | null, 
/**
 * Which repetition rules the values are for: those asked for (`wxf`, which are also those of `axf`, `cxa`, or `check` for
 * `computer`) if there is a table for them, `all` if one side has no attackers, else `none`: then a draw is not certain.
 */
rules: string, 
/**
 * The legal moves, best first; empty if unknown.
 */
moves: Array<EndgameMove>, 
/**
 * The missing table, if any: with a value, the one that knows the rules asked for.
 */
missing: MissingTable | null, };

/**
 * A result for the side to move.
 */
export type EndgameValue = { 
/**
 * `win`, `draw` or `loss`; `unknown` if it depends on chase.
 */
result: string, 
/**
 * Plies to the end; null for draws and where the repetition rules decide.
 */
plies: number | null, 
/**
 * The repetition rules decide: the loser can only continue by what they forbid.
 */
by_rule: boolean, 
/**
 * Without a capture, the sixty-round limit comes first.
 */
late: boolean, };

/**
 * A legal move and its value.
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
 * `win`, `draw` or `loss`; `unknown` if it depends on chase.
 */
result: string, 
/**
 * Plies to the end; null for draws and where the repetition rules decide.
 */
plies: number | null, 
/**
 * The repetition rules decide: the loser can only continue by what they forbid.
 */
by_rule: boolean, 
/**
 * Without a capture, the sixty-round limit comes first.
 */
late: boolean, };

/**
 * A table that is not there.
 */
export type MissingTable = { 
/**
 * Number of tables to build.
 */
tables: number, 
/**
 * Why they cannot be built here.
 */
refused: Notice | null, };

/**
 * Names a table: `KR-KAABB`, Red first.
 */
export type TableRequest = { 
/**
 * The name.
 */
name: string, 
/**
 * The rules of repetition, as in `EndgameRequest`; `none` for tables without.
 */
rules?: string, };

/**
 * State of the current or last build.
 */
export type BuildState = { 
/**
 * The endgame requested.
 */
name: string, 
/**
 * The endgame being solved now: the requested one or one it depends on.
 */
now: string, 
/**
 * Tables done.
 */
done: number, 
/**
 * Tables in all.
 */
tables: number, 
/**
 * Progress of the current table, from 0 to 1.
 */
part: number, running: boolean, 
/**
 * Why it failed or was stopped.
 */
error: Notice | null, };

/**
 * The longest wins of an endgame.
 */
export type LongestWins = { name: string, 
/**
 * Which repetition rules they are for, as in `EndgameView`.
 */
rules: string, 
/**
 * Share of positions with Red to move that Red wins, draws and loses, in thousandths.
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
export type LongestWin = { 
/**
 * The position.
 */
fen: string, 
/**
 * Plies to the end.
 */
plies: number, };

/**
 * Asks for positions of an endgame.
 */
export type ExploreRequest = { 
/**
 * The endgame: `KR-KAABB`, Red first.
 */
name: string, 
/**
 * Which positions.
 */
find: Find, 
/**
 * For `length`: wins of the side to move in this many moves.
 */
moves?: number, 
/**
 * The rules of repetition, as in `EndgameRequest`.
 */
rules?: string, 
/**
 * Another choice, where there are more.
 */
seed?: number, };

/**
 * Which positions to look for.
 */
export type Find = "hardest" | "length" | "zugzwang";

/**
 * Positions of an endgame.
 */
export type Explored = { name: string, 
/**
 * Which repetition rules the values are for, as in `EndgameView`.
 */
rules: string, positions: Array<FoundPosition>, };

/**
 * A position that was found.
 */
export type FoundPosition = { fen: string, 
/**
 * For the side to move.
 */
value: EndgameValue, 
/**
 * For a zugzwang, what the same side would have if the other were to move.
 */
passed: EndgameValue | null, };

/**
 * A classical ending.
 */
export type Ending = { 
/**
 * `KR-KAABB`, Red first.
 */
material: string, traditional: string, simplified: string, english: string, 
/**
 * An example position.
 */
fen: string, 
/**
 * Whether there is a table.
 */
known: boolean, 
/**
 * Whether that table comes with the program.
 */
built_in: boolean, 
/**
 * The value of the example, if there is a table.
 */
value: EndgameValue | null, };

/**
 * A game of Banqi.
 */
export type BanqiGame = { 
/**
 * The plies: `c2(R)` for a flip that showed Red's chariot, `a1-a2` for a step or capture.
 */
moves: Array<string>, };

/**
 * A game and optionally a move to play in it.
 */
export type BanqiRequest = { game: BanqiGame, 
/**
 * The move: `c2` for a flip, `a1-a2` for a step or capture.
 */
move?: string, };

/**
 * The game as both players see it.
 */
export type BanqiView = { 
/**
 * All plies, with the pieces that flips showed.
 */
played: Array<string>, 
/**
 * The 32 squares from a1 to h4: a letter of `KGMRNCP` (lower case for Black), `?` or `.`.
 */
cells: string, 
/**
 * The side to move; null before the first flip.
 */
side: SideJson | null, 
/**
 * The legal moves.
 */
moves: Array<string>, 
/**
 * The face-down pieces: letter and count.
 */
pool: Array<[string, number]>, 
/**
 * Captured pieces, highest rank first.
 */
taken: string, 
/**
 * The odds of every flip.
 */
flips: Array<FlipOdds>, 
/**
 * Plies without a flip or a capture.
 */
quiet: number, 
/**
 * Number of quiet plies that makes a draw.
 */
quiet_limit: number | null, outcome: BanqiOutcome | null, };

/**
 * The odds of a flip for the side to move, in thousandths.
 */
export type FlipOdds = { square: string, 
/**
 * The piece is the mover's own.
 */
own: number, 
/**
 * The mover can capture more than before.
 */
gain: number, 
/**
 * The opponent can capture more than before.
 */
danger: number, };

/**
 * How a game ended.
 */
export type BanqiOutcome = { 
/**
 * Null if it is a draw.
 */
winner: SideJson | null, 
/**
 * `all-taken`, `no-move`, `long-chase`, `quiet` or `repetition`.
 */
reason: string, };

/**
 * Requests a move of the engine.
 */
export type BanqiThink = { game: BanqiGame, 
/**
 * From 1 (beginner) to 5; 6 is full strength.
 */
level: number, };

/**
 * The engine's move.
 */
export type BanqiAnswer = { move: string, 
/**
 * From the side to move, in hundredths of about half a horse.
 */
score: number, depth: number, };

/**
 * A search for games; all given criteria must match.
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
 * Part of the name of the opening, or a prefix of its code.
 */
opening?: string, 
/**
 * `1-0`, `0-1` or `1/2-1/2`.
 */
result?: string, 
/**
 * First date: `2014` or `2014.06.28`.
 */
since?: string, 
/**
 * Last date.
 */
until?: string, 
/**
 * A position of the game, or its mirror image, as FEN.
 */
fen?: string, 
/**
 * Number of games to skip.
 */
skip: number, 
/**
 * Page size.
 */
most: number, };

/**
 * A page of games.
 */
export type GamesAnswer = { 
/**
 * Number of games in the collection; null if there is no collection.
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
 * A file of records.
 */
export type RecordFile = { 
/**
 * Its name in requests: index of its folder and path inside it.
 */
name: string, bytes: number, };

/**
 * A game of a file and the result of its match.
 */
export type RecordAnswer = { 
/**
 * The result of the match, if the file is a match journal.
 */
contest: Contest | null, 
/**
 * Number of games in the file.
 */
count: number, 
/**
 * The games, if there are several; at most 2000.
 */
headings: Array<Heading>, 
/**
 * The game requested.
 */
record: RecordJson, 
/**
 * What of that game could not be read, and where.
 */
faults: Array<Notice>, };

/**
 * The result of a match, for the engine named first.
 */
export type Contest = { names: Array<string>, wins: number, draws: number, losses: number, 
/**
 * The rating difference, if finite.
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
finds: number, 
/**
 * The accuracy in each phase of the game; nothing where the side made no move.
 */
phases: PhaseAccuracy, };

/**
 * The accuracy in each phase of the game.
 */
export type PhaseAccuracy = { opening: number | null, middlegame: number | null, endgame: number | null, };

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
 * `opening`, `middlegame` or `endgame`.
 */
phase: string, 
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
