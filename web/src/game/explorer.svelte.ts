// Opening explorer: the book moves of the current position, and the games that have it.

import { explore, openGame, openingGames } from "../api/http";
import { live } from "../api/live.svelte";
import type {
  ExploredMove,
  ExploredPosition,
  GamesOf,
  ModelGame,
  MoveJson,
  OpeningGames,
} from "../api/types";
import { untilStale } from "../stale";
import { load, store } from "../storage";
import { samePlace, sideToMove } from "./fen";
import { analyse } from "./study.svelte";
import { Tree } from "./tree.svelte";

export const SOURCES: GamesOf[] = ["ours", "mine", "both"];

/** How games with a move ended; `games` counts those without a result, too. */
export interface Played {
  games: number;
  red: number;
  draws: number;
  black: number;
}

/** A move of the list: in the book, in games, or in both. */
export interface ExplorerRow {
  move: MoveJson;
  book: ExploredMove | null;
  played: Played | null;
  name: ExploredMove["name"];
}

/** Whose games count; the same on every page. */
class Source {
  of: GamesOf = $state(SOURCES.find((name) => name === load("explorer")) ?? "both");

  choose(of: GamesOf) {
    this.of = of;
    store("explorer", of);
  }
}

export const source = new Source();

export class Explorer {
  /** The last answer; kept until the next one so that the list does not flicker. */
  found: ExploredPosition | null = $state.raw(null);
  /** What games say about the same position; null without a server. */
  games: OpeningGames | null = $state.raw(null);
  error: string | null = $state(null);
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Tracks the tree for the lifetime of the component. */
  follow() {
    $effect(() => {
      const game = this.#tree.game();
      // Both come together, so that columns do not appear later. The book does without games.
      const games = live.connected ? openingGames(game, source.of).catch(() => null) : null;
      return untilStale(
        Promise.all([explore(game), games]),
        ([found, statistics]) => ([this.found, this.games, this.error] = [found, statistics, null]),
        (error) => (this.error = error.message),
      );
    });
  }

  /** The last answer, if it is for the current position. */
  get here(): ExploredPosition | null {
    return this.found && samePlace(this.found.fen, this.#tree.here.fen) ? this.found : null;
  }

  /** The book's moves, then those that only games have. */
  get rows(): ExplorerRow[] {
    const { found, games } = this;
    const book = found?.moves ?? [];
    const hasGames = games !== null && (games.ours !== null || games.mine !== null);
    const rows = book.map((move): ExplorerRow => {
      const played = hasGames
        ? (games.moves.find((known) => known.move === move.move) ?? null)
        : ownCounts(move, found!.fen);
      return { move, book: move, played, name: move.name };
    });
    const others = (games?.moves ?? []).filter((known) => !book.some((move) => move.move === known.move));
    return [...rows, ...others.map((move) => ({ move, book: null, played: move, name: move.name }))];
  }
}

/** The counts that a book of games holds itself. */
function ownCounts(move: ExploredMove, fen: string): Played | null {
  if (move.count === 0) return null;
  const [red, black] = sideToMove(fen) === "red" ? [move.wins, move.losses] : [move.losses, move.wins];
  return { games: move.count, red, draws: move.draws, black };
}

/** Percentages of Red's wins, draws and Black's wins; null without results. */
export function resultShares({ red, draws, black }: Played): [number, number, number] | null {
  const decided = red + draws + black;
  if (decided === 0) return null;
  const share = (count: number) => (100 * count) / decided;
  return [share(red), share(draws), share(black)];
}

/** The score of a move from Red's side, in soldiers: `+0.32`. */
export function redScore(move: ExploredMove, fen: string): string {
  if (move.score === null) return "";
  const red = (sideToMove(fen) === "red" ? move.score : -move.score) / 100;
  return `${red > 0 ? "+" : ""}${red.toFixed(2)}`;
}

/** Opens a game of the list on the analysis board, at the position that it was found by. */
export async function openModelGame(game: ModelGame) {
  const tree = new Tree();
  tree.open((await openGame(game.id, game.of)).record);
  for (let ply = 0; ply < (game.ply ?? 0); ply++) tree.forward();
  analyse(tree.record(), tree.game().moves ?? []);
}
