/** How likely squares are: colours under the pieces of a board, and small numbers over them. */

import type { Board } from "../board";
import { h } from "../dom";

const FILES = "abcdefgh";
/** Shares that are shown as a number. */
const LEAST = 0.005;

export class Heat {
  private readonly under = h("div.heat-colours", { "aria-hidden": "true" });
  private readonly over = h("div.heat-numbers", { "aria-hidden": "true" });
  private readonly cells = new Map<string, { colour: HTMLElement; number: HTMLElement }>();

  constructor(private readonly board: Board) {
    for (let rank = 8; rank >= 1; rank--) {
      for (const file of FILES) {
        const cell = { colour: h("i"), number: h("span") };
        cell.colour.dataset.square = cell.number.dataset.square = file + rank;
        this.cells.set(file + rank, cell);
      }
    }
    board.layers(this.under, this.over);
  }

  /** Squares that are no legal choice light up in another colour. */
  show(shares: Readonly<Record<string, number>>, isLegal: (square: string) => boolean): void {
    const squares = [...this.cells.values()];
    if (this.board.orientation === "black") squares.reverse();
    this.under.replaceChildren(...squares.map(({ colour }) => colour));
    this.over.replaceChildren(...squares.map(({ number }) => number));
    for (const [square, { colour, number }] of this.cells) {
      const share = shares[square] ?? 0;
      // Small shares would be invisible, were colour in proportion.
      colour.style.setProperty("--share", String(Math.sqrt(share)));
      colour.classList.toggle("illegal", !isLegal(square));
      number.textContent = share >= LEAST ? String(Math.round(100 * share)) : "";
    }
  }
}
