/** The moves of a game as on a score sheet; click one to see its position. */

import { fill, h } from "../dom";
import type { Side } from "../records";

export interface ListedMove {
  san: string;
  /** ?!, ?, ?? or nothing. */
  mark?: string;
  title?: string;
}

export class MoveList {
  readonly element = h("ol.moves", { tabIndex: 0, "aria-label": "Moves" });
  private buttons: HTMLButtonElement[] = [];
  private shown = "";

  constructor(private readonly onSelect: (ply: number) => void) {}

  /** `current` is the number of moves played at the position that is looked at. */
  show(moves: readonly ListedMove[], startNumber: number, startTurn: Side, current: number): void {
    const key = JSON.stringify([moves, startNumber, startTurn]);
    if (key !== this.shown) this.build(moves, startNumber, startTurn);
    this.shown = key;
    this.buttons.forEach((button, i) => {
      const here = i + 1 === current;
      button.classList.toggle("current", here);
      if (here) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      if (here) reveal(this.element, button);
    });
    if (current === 0) this.element.scrollTo({ top: 0, left: 0 });
  }

  private build(moves: readonly ListedMove[], startNumber: number, startTurn: Side): void {
    this.buttons = moves.map(({ san, mark = "", title = "" }, i) =>
      h(
        "button.move",
        { onclick: () => this.onSelect(i + 1), title, tabIndex: -1 },
        san,
        mark && h("span.mark", {}, mark),
      ),
    );
    const offset = startTurn === "black" ? 1 : 0;
    const rows: HTMLElement[] = [];
    for (let i = -offset; i < moves.length; i += 2) {
      const number = startNumber + (i + offset) / 2;
      const first = this.buttons[i] ?? h("span.move.gap", {}, "…");
      rows.push(h("li", {}, h("span.number", {}, `${number}.`), first, this.buttons[i + 1]));
    }
    fill(this.element, ...rows);
  }
}

/** Scroll the list alone, not the page. */
export function reveal(list: HTMLElement, item: HTMLElement): void {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.right > outer.right) list.scrollLeft += inner.right - outer.right + 8;
  if (inner.left < outer.left) list.scrollLeft -= outer.left - inner.left + 8;
}
