// Local storage, shared by all tabs. All keys are listed here.

import { trouble } from "./trouble.svelte";

const KEYS = {
  settings: "chuhe.settings",
  match: "chuhe.match",
  newGame: "chuhe.newGame",
  study: "chuhe.study",
  banqi: "chuhe.banqi",
  banqiOdds: "chuhe.banqi.odds",
  ending: "chuhe.ending",
  solved: "chuhe.solved",
  puzzles: "chuhe.puzzles",
  lessons: "chuhe.lessons",
  rating: "chuhe.rating",
  explorer: "chuhe.explorer",
} as const;

type Key = keyof typeof KEYS;

function parse<T>(text: string | null): T | null {
  try {
    return JSON.parse(text ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** Texts that could not be stored; they last as long as the page. */
const unsaved = new Map<Key, string>();

/** The stored value; null if it is missing or malformed. */
export function load<T>(key: Key): T | null {
  try {
    return parse(unsaved.get(key) ?? localStorage.getItem(KEYS[key]));
  } catch {
    return null;
  }
}

/** Stores a value. Where storage is full or disabled, the page says so, and the value lasts as long as the page. */
export function store(key: Key, value: unknown) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(KEYS[key], text);
    unsaved.delete(key);
  } catch (error) {
    unsaved.set(key, text);
    trouble.note(error);
  }
}

const listeners = new Map<Key, Set<(value: never, remote: boolean) => void>>();

/** Stores a value and notifies the listeners of this tab, too. */
export function replaceStored(key: Key, value: unknown) {
  store(key, value);
  listeners.get(key)?.forEach((listener) => listener(value as never, false));
}

/** Listens for changes by another tab (`remote`) or by `replaceStored`; returns the function that ends it. */
export function onStored<T>(key: Key, listener: (value: T | null, remote: boolean) => void): () => void {
  const local = listeners.get(key) ?? new Set();
  listeners.set(key, local.add(listener));
  const onstorage = (event: StorageEvent) => {
    if (event.key === KEYS[key]) listener(parse(event.newValue), true);
  };
  addEventListener("storage", onstorage);
  return () => {
    local.delete(listener);
    removeEventListener("storage", onstorage);
  };
}
