// Where a search runs: on the server or in the browser.

import type { EnginePlace } from "../settings.svelte";

/** What this build can do: `server` asks only the server, `static` only the core, `both` either. */
export type Build = "server" | "static" | "both";

export interface ServerState {
  connected: boolean;
  /** More players think than the server has engines. */
  crowded: boolean;
}

/**
 * Whether the next search runs in the browser. The server is stronger (wider vectors, more memory) unless it makes its
 * visitors wait; without it every choice runs here, because a game must never be stuck.
 */
export function runsLocally(build: Build, place: EnginePlace, server: ServerState): boolean {
  if (build !== "both") return build === "static";
  if (!server.connected) return true;
  return place === "local" || (place === "auto" && server.crowded);
}
