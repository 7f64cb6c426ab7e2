// Requests to the module, framed as crates/wasm/src/request.rs reads them.

import { Operation, type Module } from "./module.ts";
import type { ErrorJson, Notice } from "./types.ts";

export interface Answer {
  status: number;
  /** What a written format cannot hold. */
  losses: Notice[];
  body: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A request as bytes: `POST /api/read`, its query as JSON, its body. */
export function framed(target: string, query?: unknown, body: Uint8Array | string = ""): Uint8Array {
  const line = encoder.encode(target + (query === undefined ? "" : `?${JSON.stringify(query)}`) + "\n");
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const whole = new Uint8Array(line.length + bytes.length);
  whole.set(line);
  whole.set(bytes, line.length);
  return whole;
}

/** Takes an answer apart. */
export function unframed(output: Uint8Array): Answer {
  const end = output.indexOf(10);
  const head = JSON.parse(decoder.decode(output.subarray(0, end))) as {
    status: number;
    losses: Notice[];
  };
  return { ...head, body: output.slice(end + 1) };
}

export function ask(module: Module, request: Uint8Array): Answer {
  return unframed(module.call(Operation.Request, request));
}

/** A refused request. */
export class ChuheError extends Error {}

/** The JSON of an answer; throws if it is a refusal. */
export function json<T>(answer: Answer): T {
  const value: unknown = JSON.parse(decoder.decode(answer.body));
  if (answer.status !== 200) throw new ChuheError((value as ErrorJson).error.text);
  return value as T;
}
