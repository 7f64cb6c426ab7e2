// The live socket: one search at a time. Reconnects by itself and resubmits the pending request.

import { settings } from "../settings.svelte";
import { refusal } from "../words/refusals";
import { HAS_CORE, IS_STATIC, local } from "./local.svelte";
import type { ClientMessage, Effort, GameJson, ServerMessage } from "./types";

export type Lines = Extract<ServerMessage, { type: "lines" }>;
export type Answer = Extract<ServerMessage, { type: "answer" }>;
export type Progress = Extract<ServerMessage, { type: "progress" }>;
export type Waiting = Extract<ServerMessage, { type: "waiting" }>;
export type Report = Extract<ServerMessage, { type: "report" }>;

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

class Live {
  /** False after a failed attempt to connect. */
  connected: boolean = $state(true);
  /** How long moves wait while more players think than there are engines. */
  waiting: Waiting | null = $state(null);

  #socket: WebSocket | null = null;
  #delay = FIRST_DELAY;
  #lastId = 0;
  #pending: Pending | null = null;

  /** Whether searches run in the browser. */
  get isLocal(): boolean {
    if (!HAS_CORE || (settings.engine === "server" && !IS_STATIC)) return false;
    return IS_STATIC || settings.engine === "local" || !this.connected;
  }

  /** Analyses a position until the next request or until the returned function is called. */
  analyse(
    game: GameJson,
    lines: number,
    onlines: (lines: Lines) => void,
    onrefused: (reason: string) => void,
  ): () => void {
    const id = ++this.#lastId;
    this.#submit({ message: { type: "analyse", id, game, lines }, onlines, onrefused });
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
    book = false,
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
    if (this.isLocal) this.#sendLocally({ type: "stop" });
    this.#send({ type: "stop" });
  }

  #isSearchingLocally = false;

  #sendLocally(message: ClientMessage) {
    this.#isSearchingLocally = message.type !== "stop";
    local
      .send(message, (answer) => this.#onmessage(answer))
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.#onmessage({ type: "refused", id: null, reason });
      });
  }

  #submit(pending: Pending) {
    this.#isSearchingLocally = false;
    this.#drop();
    this.#pending = pending;
    if (this.isLocal) {
      this.#sendLocally(pending.message);
      if (!IS_STATIC && settings.engine === "auto") this.#connect();
    } else if (this.#socket?.readyState === WebSocket.OPEN) this.#send(pending.message);
    else this.#connect();
  }

  #drop() {
    const pending = this.#pending;
    this.#pending = null;
    this.waiting = null;
    if (pending?.onanswer || pending?.onreport) pending.onrefused("superseded");
  }

  #connect() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live`);
    this.#socket = socket;
    socket.onopen = () => {
      this.connected = true;
      this.#delay = FIRST_DELAY;
      if (this.#pending && !this.#isSearchingLocally) this.#send(this.#pending.message);
    };
    socket.onmessage = (event) => this.#onmessage(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = () => {
      this.connected = false;
      // The search goes on here, if it can.
      if (this.#pending && this.isLocal && !this.#isSearchingLocally)
        this.#sendLocally(this.#pending.message);
      setTimeout(() => this.#connect(), this.#delay);
      this.#delay = Math.min(this.#delay * 2, MAX_DELAY);
    };
  }

  #send(message: ClientMessage) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #onmessage(message: ServerMessage) {
    const pending = this.#pending;
    if (!pending || (message.id !== null && message.id !== pending.message.id)) return;
    if (message.type === "lines") pending.onlines?.(message);
    else if (message.type === "progress") pending.onprogress?.(message);
    else if (message.type === "waiting") this.waiting = message.milliseconds > 0 ? message : null;
    else {
      this.#pending = null;
      this.waiting = null;
      if (message.type === "answer") pending.onanswer?.(message);
      else if (message.type === "report") pending.onreport?.(message);
      else pending.onrefused(refusal(message.reason, settings.language));
    }
  }
}

export const live = new Live();
