/** What a piece is worth on each square: a small board, the redder the more, blue below nothing. */

import { h } from "../dom";

export const KINDS = ["pawn", "knight", "bishop", "rook", "queen"] as const;

/** Centipawns, seen by the owner: by kind of piece in all, and on the squares a1 to h8; null where none was seen. */
export interface PieceValues {
  kinds: number[];
  squares: (number | null)[][];
}

const FILES = [..."abcdefgh"];
const NAMES = [..."12345678"].flatMap((rank) => FILES.map((file) => file + rank));

export class PieceHeat {
  private readonly cells = NAMES.map((name) => h("span.piece-cell", { title: name }));
  readonly element: HTMLElement;

  constructor() {
    const rows = [7, 6, 5, 4, 3, 2, 1, 0].flatMap((rank) => this.cells.slice(8 * rank, 8 * rank + 8));
    this.cells.forEach((cell, i) => cell.classList.toggle("dark", (i + (i >> 3)) % 2 === 0));
    this.element = h("div.piece-heat", { role: "img" }, ...rows);
  }

  /** `most` is the value of the deepest colour, the same for all ages. */
  show(values: PieceValues | null, kind: number, most: number): void {
    const squares = values?.squares[kind] ?? [];
    this.cells.forEach((cell, i) => {
      const value = squares[i] ?? null;
      cell.textContent = value === null ? "" : String(value);
      cell.classList.toggle("less", (value ?? 0) < 0);
      // Squared, so that small differences between large values can be seen.
      cell.style.setProperty("--share", String(Math.min(1, Math.abs(value ?? 0) / Math.max(1, most)) ** 2));
    });
    this.element.setAttribute("aria-label", inWords(squares, kind));
  }
}

/** “On average …” is said elsewhere: here is where a piece is worth most and least. */
function inWords(squares: readonly (number | null)[], kind: number): string {
  const known = squares.flatMap((value, i) => (value === null ? [] : [{ value, name: NAMES[i]! }]));
  if (known.length === 0) return `What a ${KINDS[kind]} is worth on each square is not known`;
  known.sort((a, b) => b.value - a.value);
  const [best, worst] = [known[0]!, known.at(-1)!];
  return (
    `A ${KINDS[kind]} is worth most on ${best.name}, ${best.value} hundredths of a pawn, ` +
    `and least on ${worst.name}, ${worst.value}`
  );
}
