/** Colours under the pieces of a board and small numbers over them, square by square. */

import type { Board } from "../board";
import { h } from "../dom";

const FILES = "abcdefgh";

export class Squares {
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

  /** Draw every square anew, as the board is turned now. */
  each(draw: (square: string, colour: HTMLElement, number: HTMLElement) => void): void {
    const squares = [...this.cells.values()];
    if (this.board.orientation === "black") squares.reverse();
    this.under.replaceChildren(...squares.map(({ colour }) => colour));
    this.over.replaceChildren(...squares.map(({ number }) => number));
    for (const [square, { colour, number }] of this.cells) draw(square, colour, number);
  }
}
