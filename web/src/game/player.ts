// Who plays a side of a game.

export type Player = { kind: "person" } | { kind: "engine"; level: number } | { kind: "rival"; name: string };

/** The name of a player in records. */
export function tagOf(player: Player): string {
  if (player.kind === "person") return "?";
  return player.kind === "engine" ? `Chuhe ${player.level}` : player.name;
}
