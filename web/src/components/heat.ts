/** How likely squares are: colours under the pieces of a board, and small numbers over them. */

import type { Board } from "../board";
import { Squares } from "./squares";

/** Shares that are shown as a number. */
const LEAST = 0.005;

export class Heat {
  private readonly squares: Squares;

  constructor(board: Board) {
    this.squares = new Squares(board);
  }

  /** Squares that are no legal choice light up in another colour. */
  show(shares: Readonly<Record<string, number>>, isLegal: (square: string) => boolean): void {
    this.squares.each((square, colour, number) => {
      const share = shares[square] ?? 0;
      // Small shares would be invisible, were colour in proportion.
      colour.style.setProperty("--share", String(Math.sqrt(share)));
      colour.classList.toggle("illegal", !isLegal(square));
      number.textContent = share >= LEAST ? String(Math.round(100 * share)) : "";
    });
  }
}
