// The live socket: one search at a time. A lost connection comes back by itself, and the question that was
// open is asked again.

import type { ClientMessage, GameJson, ServerMessage } from "./types";

export type Lines = Extract<ServerMessage, { type: "lines" }>;
export type Answer = Extract<ServerMessage, { type: "answer" }>;
export type Progress = Extract<ServerMessage, { type: "progress" }>;
export type Report = Extract<ServerMessage, { type: "report" }>;

interface Question {
  message: Exclude<ClientMessage, { type: "stop" }>;
  onlines?: (lines: Lines) => void;
  onanswer?: (answer: Answer) => void;
  onprogress?: (progress: Progress) => void;
  onreport?: (report: Report) => void;
  onrefused: (reason: string) => void;
}

const FIRST_DELAY = 300;
const LONGEST_DELAY = 5000;

class Live {
  /** Whether the server can be asked; wrong only after the first try has failed. */
  connected: boolean = $state(true);

  #socket: WebSocket | null = null;
  #delay = FIRST_DELAY;
  #lastId = 0;
  #question: Question | null = null;

  /** Analyses a position until something else is asked or the function that is returned is called. */
  analyse(
    game: GameJson,
    lines: number,
    onlines: (lines: Lines) => void,
    onrefused: (reason: string) => void,
  ): () => void {
    const id = ++this.#lastId;
    this.#ask({ message: { type: "analyse", id, game, lines }, onlines, onrefused });
    return () => {
      // Another question may have taken its place.
      if (this.#question?.message.id === id) this.stop();
    };
  }

  /** Finds a move. */
  think(
    game: GameJson,
    level: number,
    milliseconds: number,
    onlines?: (lines: Lines) => void,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const message = { type: "think", id, game, level, milliseconds: Math.round(milliseconds) } as const;
      const onrefused = (reason: string) => reject(new Error(reason));
      this.#ask({ message, onlines, onanswer: resolve, onrefused });
    });
  }

  /** Searches every position of a game and judges its moves. */
  report(game: GameJson, onprogress: (progress: Progress) => void): Promise<Report> {
    return new Promise((resolve, reject) => {
      const message = { type: "report", id: ++this.#lastId, game } as const;
      const onrefused = (reason: string) => reject(new Error(reason));
      this.#ask({ message, onprogress, onreport: resolve, onrefused });
    });
  }

  /** Ends whatever runs. */
  stop() {
    if (!this.#question) return;
    this.#drop();
    this.#send({ type: "stop" });
  }

  #ask(question: Question) {
    this.#drop();
    this.#question = question;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#send(question.message);
    else this.#connect();
  }

  #drop() {
    const question = this.#question;
    this.#question = null;
    if (question?.onanswer || question?.onreport) question.onrefused("superseded");
  }

  #connect() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live`);
    this.#socket = socket;
    socket.onopen = () => {
      this.connected = true;
      this.#delay = FIRST_DELAY;
      if (this.#question) this.#send(this.#question.message);
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = () => {
      this.connected = false;
      setTimeout(() => this.#connect(), this.#delay);
      this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY);
    };
  }

  #send(message: ClientMessage) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hear(message: ServerMessage) {
    const question = this.#question;
    if (!question || (message.id !== null && message.id !== question.message.id)) return;
    if (message.type === "lines") question.onlines?.(message);
    else if (message.type === "progress") question.onprogress?.(message);
    else {
      this.#question = null;
      if (message.type === "answer") question.onanswer?.(message);
      else if (message.type === "report") question.onreport?.(message);
      else question.onrefused(message.reason);
    }
  }
}

export const live = new Live();
