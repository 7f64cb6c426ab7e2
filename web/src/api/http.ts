// The requests that are answered at once; see docs/http.md.

import { settings } from "../settings.svelte";
import type {
  About,
  BanqiAnswer,
  BanqiView,
  BuildState,
  EndgameView,
  Ending,
  ErrorJson,
  Explanation,
  ExploredPosition,
  GameJson,
  GamesAnswer,
  GamesRequest,
  LongestWins,
  PositionRequest,
  PositionView,
  Puzzle,
  ReadAnswer,
  RecordAnswer,
  RecordFile,
  RivalAnswer,
  WrittenGame,
} from "./types";

/** What the server says when it cannot answer. */
export class ApiError extends Error {}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError("offline");
  }
  if (!response.ok) {
    const told = (await response.json().catch(() => null)) as ErrorJson | null;
    throw new ApiError(told?.error ?? `${response.status} ${response.statusText}`);
  }
  return response;
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await ask(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  return (await response.json()) as T;
}

async function get<T>(path: string): Promise<T> {
  return (await (await ask(path)).json()) as T;
}

const MOST_KNOWN = 400;
const known = new Map<string, Promise<PositionView>>();

/** The position at the end of a game: what may be played and what the referee says. */
export function positionView(game: GameJson): Promise<PositionView> {
  const request: PositionRequest = { game, language: settings.language };
  const key = JSON.stringify(request);
  let view = known.get(key);
  if (!view) {
    view = post<PositionView>("/api/position", request);
    view.catch(() => known.delete(key));
    known.set(key, view);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  }
  return view;
}

export function explain(fen: string): Promise<Explanation> {
  return post("/api/explain", { fen });
}

/** What another engine thinks about the position at the end of a game. */
export function askRival(
  name: string,
  game: GameJson,
  lines: number,
  signal: AbortSignal,
): Promise<RivalAnswer> {
  return post("/api/rival", { name, game, milliseconds: 1500, lines }, signal);
}

export const about = () => get<About>("/api/about");
export const puzzles = () => get<Puzzle[]>("/api/puzzles");

/** What the opening book knows of the position at the end of a game. */
export const explore = (game: GameJson) => post<ExploredPosition>("/api/opening", { game });

/** What the endgame tables say of the position at the end of a game. */
export const endgame = (game: GameJson) => post<EndgameView>("/api/endgame", { game });
export const endings = () => get<Ending[]>("/api/endings");
export const longestWins = (name: string) =>
  get<LongestWins>(`/api/longest?${new URLSearchParams({ name })}`);
export const buildTable = (name: string) => post<BuildState>("/api/build", { name });
export const tableBuild = () => get<BuildState | null>("/api/build");
export const stopBuild = () => ask("/api/build", { method: "DELETE" });

/** A game of Banqi, after one more move if there is one. */
export const banqi = (moves: string[], move?: string) =>
  post<BanqiView>("/api/banqi", { game: { moves }, move });
export const banqiThink = (moves: string[], level: number, signal: AbortSignal) =>
  post<BanqiAnswer>("/api/banqi/think", { game: { moves }, level }, signal);

export const searchGames = (request: GamesRequest) => post<GamesAnswer>("/api/games", request);
export const openGame = (id: number) => get<ReadAnswer>(`/api/games/${id}`);
export const recordFiles = () => get<RecordFile[]>("/api/records");
export const openFile = (name: string, game: number) =>
  get<RecordAnswer>(`/api/records/read?${new URLSearchParams({ name, game: String(game) })}`);

/** Reads a record, or game `number` of a file with several. */
export async function readRecord(body: BodyInit, name = "", number = 0): Promise<ReadAnswer> {
  const query = new URLSearchParams({ name, game: String(number) });
  const headers = { "content-type": "application/octet-stream" };
  return (await (await ask(`/api/read?${query}`, { method: "POST", headers, body })).json()) as ReadAnswer;
}

export interface Written {
  bytes: Blob;
  /** What the format could not hold. */
  losses: string;
}

export async function writeRecord(game: WrittenGame, format: string, style: string): Promise<Written> {
  const query = new URLSearchParams({ format, style });
  const headers = { "content-type": "application/json" };
  const response = await ask(`/api/write?${query}`, { method: "POST", headers, body: JSON.stringify(game) });
  return { bytes: await response.blob(), losses: response.headers.get("chuhe-losses") ?? "" };
}
