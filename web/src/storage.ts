// Local storage. All keys are listed here.

const KEYS = {
  settings: "chuhe.settings",
  match: "chuhe.match",
  study: "chuhe.study",
  banqi: "chuhe.banqi",
  banqiOdds: "chuhe.banqi.odds",
  ending: "chuhe.ending",
  solved: "chuhe.solved",
} as const;

type Key = keyof typeof KEYS;

/** The stored value; null if it is missing or malformed. */
export function load<T>(key: Key): T | null {
  try {
    return JSON.parse(localStorage.getItem(KEYS[key]) ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** Stores a value. Without storage, as in some private windows, it lasts as long as the page. */
export function store(key: Key, value: unknown) {
  try {
    localStorage.setItem(KEYS[key], JSON.stringify(value));
  } catch {
    /* Storage is full or disabled. */
  }
}
