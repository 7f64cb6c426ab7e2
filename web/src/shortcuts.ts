// The keys of a page. They are left alone while somebody types, and with keys that mean the browser.

/** A listener that does what `action` finds for a key; `on` is what the key was pressed on. */
export function shortcuts(action: (key: string, on: HTMLElement | null) => (() => void) | undefined) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const on = event.target instanceof HTMLElement ? event.target : null;
    if (on?.closest("input, textarea, select")) return;
    const found = action(event.key, on);
    if (!found) return;
    event.preventDefault();
    found();
  };
}
