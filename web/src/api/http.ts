// The requests that are answered at once; see docs/http.md.

import { settings } from "../settings.svelte";
import type {
  About,
  ErrorJson,
  Explanation,
  GameJson,
  PositionRequest,
  PositionView,
  Puzzle,
  RivalAnswer,
  ReadAnswer,
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

async function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await ask(path, { method: "POST", headers, body: JSON.stringify(body) });
  return (await response.json()) as T;
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
export async function askRival(name: string, game: GameJson, signal: AbortSignal): Promise<RivalAnswer> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ name, game, milliseconds: 1500 });
  return (await (await ask("/api/rival", { method: "POST", headers, body, signal })).json()) as RivalAnswer;
}

export async function about(): Promise<About> {
  return (await (await ask("/api/about")).json()) as About;
}

export async function puzzles(): Promise<Puzzle[]> {
  return (await (await ask("/api/puzzles")).json()) as Puzzle[];
}

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
