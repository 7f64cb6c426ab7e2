// Chuhe: Xiangqi and Banqi in WebAssembly.

export { fromFolder, fromWeb, type Files, type Part, type Progress, type Source } from "./data.ts";
export { Engine, type EngineOptions } from "./engine.ts";
export { BanqiGame, Game, type GameOptions } from "./game.ts";
export { ChuheError, type Answer } from "./request.ts";
export { Rules, type Language } from "./rules.ts";
export type * from "./types.ts";
