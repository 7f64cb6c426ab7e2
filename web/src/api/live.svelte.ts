// The live socket: one search at a time. Reconnects by itself; a search that the server has lost goes on in the
// browser, or is submitted again where the browser cannot search.

import { settings } from "../settings.svelte";
import { worded } from "../words/notices";
import { HAS_CORE, IS_STATIC, local } from "./local.svelte";
import { runsLocally, type Build } from "./place";
import type { BookPolicy, ClientMessage, Effort, GameJson, Notice, ServerMessage } from "./types";

export type Lines = Extract<ServerMessage, { type: "lines" }>;
export type Answer = Extract<ServerMessage, { type: "answer" }>;
export type Progress = Extract<ServerMessage, { type: "progress" }>;
export type Waiting = Extract<ServerMessage, { type: "waiting" }>;
export type Report = Extract<ServerMessage, { type: "report" }>;

export interface AnalyseOptions {
  lines: number;
  threads?: number;
  depth?: number;
  hash?: number;
}

interface Pending {
  message: Exclude<ClientMessage, { type: "stop" }>;
  onlines?: (lines: Lines) => void;
  onanswer?: (answer: Answer) => void;
  onprogress?: (progress: Progress) => void;
  onreport?: (report: Report) => void;
  onrefused: (reason: string) => void;
}

const FIRST_DELAY = 300;
const MAX_DELAY = 5000;
/** How long a server counts as crowded after it made somebody wait, in milliseconds. */
const CROWDED = 60_000;

/** How long the server may be silent, in milliseconds. */
function patience(message: Pending["message"]): number {
  if (message.type === "think") return message.milliseconds + 5000;
  // The longest step of a report takes some seconds.
  return message.type === "report" ? 30_000 : 5000;
}

const BUILD: Build = IS_STATIC ? "static" : HAS_CORE ? "both" : "server";

class Live {
  /** False after a failed attempt to connect. */
  connected: boolean = $state(true);
  /** How long moves wait while more players think than there are engines. */
  waiting: Waiting | null = $state(null);

  #socket: WebSocket | null = null;
  #delay = FIRST_DELAY;
  #lastId = 0;
  #pending: Pending | null = null;
  #crowdedUntil = 0;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** Whether searches run in the browser. */
  get isLocal(): boolean {
    const build = local.broken && !IS_STATIC ? "server" : BUILD;
    const crowded = performance.now() < this.#crowdedUntil;
    return runsLocally(build, settings.engine, { connected: this.connected, crowded });
  }

  /** Whether a search would be answered now. */
  get isAble(): boolean {
    return this.connected || this.isLocal;
  }

  /** The server has answered something. */
  found() {
    this.connected = true;
    local.broken = false;
  }

  /** The server does not answer: the search goes on here if it can, and the socket is opened again when it can be. */
  lose() {
    this.connected = false;
    clearTimeout(this.#silence);
    if (this.#pending && this.isLocal && !this.#isSearchingLocally) this.#sendLocally(this.#pending.message);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), this.#delay);
    this.#delay = Math.min(this.#delay * 2, MAX_DELAY);
  }

  /** Analyses a position until the next request or until the returned function is called. */
  analyse(
    game: GameJson,
    options: AnalyseOptions,
    onlines: (lines: Lines) => void,
    onrefused: (reason: string) => void,
  ): () => void {
    const id = ++this.#lastId;
    this.#submit({ message: { type: "analyse", id, game, ...options }, onlines, onrefused });
    return () => {
      // Another request may have replaced it.
      if (this.#pending?.message.id === id) this.stop();
    };
  }

  /** Finds a move, in the opening book if it may answer. */
  think(
    game: GameJson,
    level: number,
    milliseconds: number,
    onlines?: (lines: Lines) => void,
    book?: BookPolicy,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const limits = { level, milliseconds: Math.round(milliseconds) };
      const message = { type: "think", id, game, ...limits, book } as const;
      const onrefused = (reason: string) => reject(new Error(reason));
      this.#submit({ message, onlines, onanswer: resolve, onrefused });
    });
  }

  /** Searches every position of a game and judges its moves. */
  report(game: GameJson, effort: Effort, onprogress: (progress: Progress) => void): Promise<Report> {
    return new Promise((resolve, reject) => {
      const message = { type: "report", id: ++this.#lastId, game, effort } as const;
      const onrefused = (reason: string) => reject(new Error(reason));
      this.#submit({ message, onprogress, onreport: resolve, onrefused });
    });
  }

  /** Stops the current search. */
  stop() {
    if (!this.#pending) return;
    this.#drop();
    if (this.#isSearchingLocally) this.#sendLocally({ type: "stop" });
    else this.#send({ type: "stop" });
  }

  #isSearchingLocally = false;

  #sendLocally(message: ClientMessage) {
    this.#isSearchingLocally = message.type !== "stop";
    local
      .send(message, (answer) => this.#onmessage(answer))
      .catch((error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        const reason: Notice = { key: "search_failed", args: [], text };
        if (IS_STATIC) this.#onmessage({ type: "refused", id: null, reason });
        else this.#failLocally();
      });
  }

  /** The module cannot be loaded: the search waits for the server. */
  #failLocally() {
    local.broken = true;
    this.#isSearchingLocally = false;
    if (this.#pending) this.#submitToServer(this.#pending.message);
  }

  #submit(pending: Pending) {
    if (this.#isSearchingLocally) this.#sendLocally({ type: "stop" });
    this.#drop();
    this.#pending = pending;
    if (!this.isLocal) return this.#submitToServer(pending.message);
    this.#sendLocally(pending.message);
    if (!IS_STATIC && !this.connected) this.#connect();
  }

  #submitToServer(message: ClientMessage) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#send(message);
    else this.#connect();
  }

  /** A connection that breaks without a word is only noticed by its silence. */
  #listen() {
    clearTimeout(this.#silence);
    const message = this.#pending?.message;
    if (!message || this.#isSearchingLocally || BUILD !== "both") return;
    // An analysis is silent once it has ended by a limit of the server.
    if (message.type === "analyse" && this.#hasLines) return;
    const wait = this.waiting?.milliseconds ?? 0;
    this.#silence = setTimeout(() => this.#abandon(), patience(message) + wait);
  }

  /** Gives a silent socket up; it would take long to close by itself. */
  #abandon() {
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      [socket.onopen, socket.onmessage, socket.onclose] = [null, null, null];
      socket.close();
    }
    this.lose();
  }

  #hasLines = false;

  #drop() {
    const pending = this.#pending;
    clearTimeout(this.#silence);
    this.#pending = null;
    this.#hasLines = false;
    this.waiting = null;
    if (pending?.onanswer || pending?.onreport) pending.onrefused("superseded");
  }

  #connect() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live`);
    this.#socket = socket;
    socket.onopen = () => {
      this.found();
      this.#delay = FIRST_DELAY;
      if (this.#pending && !this.#isSearchingLocally) this.#send(this.#pending.message);
    };
    socket.onmessage = (event) => {
      if (!this.#isSearchingLocally) this.#onmessage(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = () => this.lose();
  }

  #send(message: ClientMessage) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify(message));
    this.#listen();
  }

  #onmessage(message: ServerMessage) {
    const pending = this.#pending;
    if (!pending || (message.id !== null && message.id !== pending.message.id)) return;
    if (message.type === "lines") this.#hasLines = true;
    if (message.type === "waiting") this.#noteWait(message);
    this.#listen();
    if (message.type === "lines") pending.onlines?.(message);
    else if (message.type === "progress") pending.onprogress?.(message);
    else if (message.type !== "waiting") {
      clearTimeout(this.#silence);
      this.#isSearchingLocally = false;
      this.#pending = null;
      this.waiting = null;
      if (message.type === "answer") pending.onanswer?.(message);
      else if (message.type === "report") pending.onreport?.(message);
      else pending.onrefused(worded(message.reason, settings.language));
    }
  }
  #noteWait(message: Waiting) {
    this.waiting = message.milliseconds > 0 ? message : null;
    if (this.waiting) this.#crowdedUntil = performance.now() + CROWDED;
  }
}

export const live = new Live();
