// Keyboard navigation of tab lists, as the ARIA practices describe it.

/** Attachment for a `role="tablist"`: arrow keys, Home and End select a tab; only the selected one is a tab stop. */
export function tabKeys(list: HTMLElement) {
  const tabs = () => [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
  function onkeydown(event: KeyboardEvent) {
    const all = tabs();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowRight: (at + 1) % all.length,
      ArrowLeft: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    all[to]!.focus();
    all[to]!.click();
  }
  list.addEventListener("keydown", onkeydown);
  return () => list.removeEventListener("keydown", onkeydown);
}
