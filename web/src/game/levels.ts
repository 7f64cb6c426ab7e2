// How strong the levels are, on the engine's own scale (docs/engine.md, Levels): equal steps of Elo from a beginner to
// full strength. It is not anchored to players' ratings.

const BEGINNER = 600;
const FULL = 3400;

/** The rating of a level, given the number of levels. */
export function levelRating(level: number, levels: number): number {
  return Math.round((BEGINNER + ((FULL - BEGINNER) * (level - 1)) / Math.max(1, levels - 1)) / 10) * 10;
}
