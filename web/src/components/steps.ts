/** Buttons that step through a game and turn the board. */

import { type Child, h } from "../dom";
import { type Icon, icon } from "../icons";

/** `at` says how many moves are played where one looks; `go` looks elsewhere, and takes any number. */
export function steps(at: () => number, go: (ply: number) => void, flip: () => void, ...more: Child[]): HTMLElement {
  return h(
    "div.steps",
    {},
    button("To the start", "first", () => go(0)),
    button("One move back", "previous", () => go(at() - 1)),
    button("One move on", "next", () => go(at() + 1)),
    button("To the end", "last", () => go(Infinity)),
    button("Flip the board", "flip", flip),
    ...more,
  );
}

/** A button with a sign in place of words. */
export function button(label: string, sign: Icon, onclick: () => void): HTMLButtonElement {
  return h("button.icon", { onclick, "aria-label": label, title: label }, icon(sign));
}

/** A key that leads somewhere here, and means nothing to the panel around. */
export function walk(event: KeyboardEvent, keys: Record<string, () => number>, go: (place: number) => void): void {
  const place = keys[event.key];
  if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  go(place());
}

/** The wheel does the same over a board, where nothing else can be scrolled by it. */
export function stepByWheel(board: HTMLElement, at: () => number, go: (ply: number) => void): void {
  board.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || document.documentElement.scrollHeight > innerHeight) return;
      event.preventDefault();
      go(at() + Math.sign(event.deltaY));
    },
    { passive: false },
  );
}
