// Keyboard shortcuts. Ignored while a text field has the focus and with modifier keys.

import { lineLink } from "./game/link";
import type { Tree } from "./game/tree.svelte";
import { router } from "./route.svelte";
import { settings } from "./settings.svelte";

export type KeyTable = Record<string, () => void>;

/** Opens the explorer at the line on the board: what does the book say here? */
export const askBook = (tree: Tree) => router.go("openings", null, lineLink(tree));

/** The keys of every page with a board and a move tree. */
export function boardKeys(tree: Tree, flip: () => void): KeyTable {
  return {
    ArrowLeft: () => tree.back(),
    ArrowRight: () => tree.forward(),
    ArrowUp: () => tree.sideways(-1),
    ArrowDown: () => tree.sideways(1),
    Home: () => tree.first(),
    End: () => tree.last(),
    f: flip,
    n: () => settings.nextNotation(),
    b: () => askBook(tree),
  };
}

/** A `keydown` listener that runs the action `find` returns for a key. */
export function shortcuts(find: (key: string, target: HTMLElement | null) => (() => void) | undefined) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target?.closest("input, textarea, select")) return;
    const action = find(event.key, target);
    if (!action) return;
    event.preventDefault();
    action();
  };
}
