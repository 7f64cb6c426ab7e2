// Pieces by their FEN letters: upper case for Red, lower case for Black.

export type Script = "zh-Hant" | "zh-Hans";

const TRADITIONAL: Record<string, string> = {
  K: "帥", A: "仕", B: "相", N: "傌", R: "俥", C: "炮", P: "兵",
  k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒",
}; // prettier-ignore
const SIMPLIFIED: Record<string, string> = {
  K: "帅", A: "仕", B: "相", N: "马", R: "车", C: "炮", P: "兵",
  k: "将", a: "士", b: "象", n: "马", r: "车", c: "炮", p: "卒",
}; // prettier-ignore

/** All letters in the order in which pieces are offered. */
export const RED_LETTERS = ["K", "A", "B", "N", "R", "C", "P"];
export const BLACK_LETTERS = RED_LETTERS.map((letter) => letter.toLowerCase());

export function pieceCharacter(letter: string, script: Script): string {
  return (script === "zh-Hans" ? SIMPLIFIED : TRADITIONAL)[letter] ?? "?";
}

/** The faces of mainland sets where they differ from the traditional ones. */
const MAINLAND: Record<string, string> = { N: "馬", R: "車" };

/** The character on a piece. Mainland sets keep 車, 馬 and 帥 beside simplified text, unless 简化字 are chosen. */
export function pieceFace(letter: string, isSimplified: boolean, script: Script): string {
  if (isSimplified) return pieceCharacter(letter, "zh-Hans");
  return (script === "zh-Hans" && MAINLAND[letter]) || pieceCharacter(letter, "zh-Hant");
}

export type Side = "red" | "black";

export function sideOf(letter: string): Side {
  return letter === letter.toUpperCase() ? "red" : "black";
}

export const other = (side: Side): Side => (side === "red" ? "black" : "red");
