// Requests to the local core or over HTTP; see docs/http.md.

import { settings, type Rules } from "../settings.svelte";
import { worded } from "../words/notices";
import { words } from "../words/words.svelte";
import { live } from "./live.svelte";
import { IS_STATIC, local } from "./local.svelte";
import type {
  About,
  BanqiAnswer,
  BatchAnswer,
  BanqiView,
  BuildState,
  EndgameView,
  Ending,
  Explored,
  ExploreRequest,
  ErrorJson,
  Explanation,
  ExploredPosition,
  GameJson,
  GamesAnswer,
  GamesOf,
  GamesRequest,
  GameSource,
  LongestWins,
  Notice,
  OpeningGames,
  PositionRequest,
  PositionView,
  Puzzle,
  ReadAnswer,
  RecordAnswer,
  RecordFile,
  RivalAnswer,
  WrittenGame,
} from "./types";

/** An error answer of the server. */
export class ApiError extends Error {}

const RETRY_DELAY = 1000;

/** The query of a path as the core reads it. */
function queryOf(path: string): unknown {
  const [, query] = path.split("?");
  if (query === undefined) return undefined;
  const fields = Object.fromEntries(new URLSearchParams(query));
  return "game" in fields ? { ...fields, game: Number(fields.game) } : fields;
}

/** The core's answer, in the form of the server's. */
async function answeredLocally(target: string, path: string, init?: RequestInit): Promise<Response> {
  const body = init?.body ?? "";
  const bytes = typeof body === "string" ? body : new Uint8Array(await new Response(body).arrayBuffer());
  const answer = await local.answer(target, queryOf(path), bytes);
  const headers = { "chuhe-losses": encodeURIComponent(JSON.stringify(answer.losses)) };
  return new Response(answer.body as Uint8Array<ArrayBuffer>, { status: answer.status, headers });
}

/** Asks the core where it knows the answer, else the server; without a connection until there is one. */
async function answered(path: string, init?: RequestInit): Promise<Response> {
  const target = `${init?.method ?? "GET"} ${path.split("?")[0] ?? path}`;
  for (;;) {
    if (local.answers(target, live.connected)) {
      try {
        return await answeredLocally(target, path, init);
      } catch (error) {
        if (IS_STATIC) throw new ApiError(error instanceof Error ? error.message : String(error));
        local.broken = true;
      }
    }
    if (IS_STATIC) throw new ApiError(words.t.needsServer);
    try {
      const response = await fetch(path, init);
      live.found();
      return response;
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      live.lose();
      if (local.answers(target, false)) continue;
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
    }
  }
}

/** A notice in the visitor's language. */
export const said = (notice: Notice): string => worded(notice, settings.language);

async function request(path: string, init?: RequestInit): Promise<Response> {
  const response = await answered(path, init);
  if (!response.ok) {
    const body = (await response.json().catch(() => null)) as ErrorJson | null;
    throw new ApiError(body ? said(body.error) : `${response.status} ${response.statusText}`);
  }
  return response;
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await request(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  return (await response.json()) as T;
}

async function get<T>(path: string): Promise<T> {
  return (await (await request(path)).json()) as T;
}

const MAX_CACHED = 400;
const cache = new Map<string, Promise<PositionView>>();

/** The last position of a game: legal moves and verdict. Cached. */
export function positionView(game: GameJson, rules?: Rules): Promise<PositionView> {
  const query: PositionRequest = { game, language: settings.language, rules };
  const key = JSON.stringify(query);
  let view = cache.get(key);
  if (!view) {
    view = post<PositionView>("/api/position", query);
    view.catch(() => cache.delete(key));
    cache.set(key, view);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  }
  return view;
}

export function explain(fen: string): Promise<Explanation> {
  return post("/api/explain", { fen });
}

/** Another engine's analysis of the last position of a game. */
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

/** The book moves of the last position of a game. */
export const explore = (game: GameJson) => post<ExploredPosition>("/api/opening", { game });

/** What games say about the last position of a game. */
export const openingGames = (game: GameJson, of: GamesOf) =>
  post<OpeningGames>("/api/opening/games", { game, of });

/** Table values of the last position of a game. */
export const endgame = (game: GameJson, rules: Rules) => post<EndgameView>("/api/endgame", { game, rules });
export const endings = (rules: Rules) => get<Ending[]>(`/api/endings?${new URLSearchParams({ rules })}`);
export const longestWins = (name: string, rules: Rules) =>
  get<LongestWins>(`/api/longest?${new URLSearchParams({ name, rules })}`);
export const exploreTable = (request: ExploreRequest) => post<Explored>("/api/explore", request);
export const buildTable = (name: string, rules: Rules) => post<BuildState>("/api/build", { name, rules });
export const tableBuild = () => get<BuildState | null>("/api/build");
export const stopBuild = () => request("/api/build", { method: "DELETE" });

/** A game of Banqi, after a move if given. */
export const banqi = (moves: string[], move?: string) =>
  post<BanqiView>("/api/banqi", { game: { moves }, move });
export const banqiThink = (moves: string[], level: number, signal: AbortSignal) =>
  post<BanqiAnswer>("/api/banqi/think", { game: { moves }, level }, signal);

export const searchGames = (request: GamesRequest) => post<GamesAnswer>("/api/games", request);
export const openGame = (id: number, of: GameSource = "mine") => get<ReadAnswer>(`/api/games/${id}?of=${of}`);
export const recordFiles = () => get<RecordFile[]>("/api/records");
export const openFile = (name: string, game: number) =>
  get<RecordAnswer>(`/api/records/read?${new URLSearchParams({ name, game: String(game) })}`);

/** Reads a record, or game `number` of a file with several. */
export const readRecord = (body: BodyInit, name = "", number = 0) =>
  read<ReadAnswer>("/api/read", body, name, number);

/** Reads some of the games of a file, from game `number` on. */
export const readBatch = (body: BodyInit, name: string, number: number) =>
  read<BatchAnswer>("/api/read/batch", body, name, number);

async function read<T>(path: string, body: BodyInit, name: string, number: number): Promise<T> {
  const query = new URLSearchParams({ name, game: String(number) });
  const headers = { "content-type": "application/octet-stream" };
  const response = await request(`${path}?${query}`, { method: "POST", headers, body });
  return (await response.json()) as T;
}

export interface Written {
  bytes: Blob;
  /** What the format cannot hold. */
  losses: Notice[];
}

export async function writeRecord(game: WrittenGame, format: string, style: string): Promise<Written> {
  const query = new URLSearchParams({ format, style });
  const headers = { "content-type": "application/json" };
  const response = await request(`/api/write?${query}`, {
    method: "POST",
    headers,
    body: JSON.stringify(game),
  });
  const losses = decodeURIComponent(response.headers.get("chuhe-losses") ?? "[]");
  return { bytes: await response.blob(), losses: JSON.parse(losses) as Notice[] };
}
