// Glicko-2 (Glickman 2012) for one game at a time: how strong a solver of puzzles is.

export interface Rating {
  rating: number;
  /** The standard deviation of the rating. */
  deviation: number;
  /** How much the strength varies. */
  volatility: number;
}

export const UNRATED: Rating = { rating: 1500, deviation: 350, volatility: 0.06 };

/** Ratings per unit of the algorithm's own scale. */
const SCALE = 173.7178;
/** Limits the change of the volatility. */
const TAU = 0.5;
const MIN_DEVIATION = 45;

/** The rating after a game against an opponent; `score` is 1 for a win and 0 for a loss. */
export function rated(own: Rating, opponent: Pick<Rating, "rating" | "deviation">, score: number): Rating {
  const mu = (own.rating - 1500) / SCALE;
  const phi = own.deviation / SCALE;
  const theirs = opponent.deviation / SCALE;
  const g = 1 / Math.sqrt(1 + (3 * theirs * theirs) / Math.PI ** 2);
  const expected = 1 / (1 + Math.exp(-g * (mu - (opponent.rating - 1500) / SCALE)));
  const variance = 1 / (g * g * expected * (1 - expected));
  const delta = variance * g * (score - expected);
  const volatility = newVolatility(own.volatility, phi, variance, delta);
  const widened = Math.sqrt(phi * phi + volatility * volatility);
  const next = 1 / Math.sqrt(1 / (widened * widened) + 1 / variance);
  return {
    rating: 1500 + SCALE * (mu + next * next * g * (score - expected)),
    deviation: Math.max(MIN_DEVIATION, Math.min(UNRATED.deviation, SCALE * next)),
    volatility,
  };
}

/** Step 5 of the algorithm: the root of `f` by the Illinois method. */
function newVolatility(sigma: number, phi: number, variance: number, delta: number): number {
  const a = Math.log(sigma * sigma);
  const f = (x: number) => {
    const e = Math.exp(x);
    const sum = phi * phi + variance + e;
    return (e * (delta * delta - sum)) / (2 * sum * sum) - (x - a) / (TAU * TAU);
  };
  let low = a;
  let high = a - TAU;
  if (delta * delta > phi * phi + variance) high = Math.log(delta * delta - phi * phi - variance);
  else while (f(high) < 0) high -= TAU;
  let [atLow, atHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > 1e-6) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const value = f(middle);
    if (value * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, value];
  }
  return Math.exp(low / 2);
}
