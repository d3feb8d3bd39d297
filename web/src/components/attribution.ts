/** What pieces contribute: numbers on the board, coloured by how unusual they are, and those that stand out in a table. */

import type { Board } from "../board";
import { fill, h } from "../dom";
import { type PieceAttribution, pawns, sideName, signed, type Attribution } from "../explain";
import { Squares } from "./squares";
import { table } from "./table";

/** A piece worth so much more than usual, of that, is as red as can be. */
const WARMEST = 0.5;
const LISTED = 5;
const USUAL = "Every piece contributes what is usual for its kind.";
const SAME = "Every piece contributes the same to both.";

interface AttributionRow {
  worth: PieceAttribution;
  /** What is told of it, and its colour, -1 for less to 1 for more. */
  text: string;
  warmth: number;
}

export class AttributionBoard {
  private readonly squares: Squares;
  private rows: AttributionRow[] = [];
  private readonly list = h("div.worth-list");
  readonly element = h("section.attributions", { "aria-label": "What pieces contribute" }, this.list);

  constructor(board: Board) {
    this.squares = new Squares(board);
  }

  /** One brain: attributions, red where they are more than usual. Two: how much more each piece is worth to the first. */
  show(attributions: readonly Attribution[]): void {
    const [first, second] = attributions;
    this.rows = !first ? [] : second ? differences(first, second) : ownWorths(first);
    this.draw();
    const ranked = [...this.rows].sort((a, b) => b.warmth - a.warmth);
    const more = ranked.filter(({ warmth }) => warmth > 0).slice(0, LISTED);
    const less = ranked.filter(({ warmth }) => warmth < 0).slice(-LISTED);
    const than = second ? "than to the other" : "than usual";
    fill(
      this.list,
      more.length > 0 && list(`Contributes more ${than}`, more, !second),
      less.length > 0 && list(`Contributes less ${than}`, less.reverse(), !second),
      first && more.length + less.length === 0 && h("p.quiet", {}, second ? SAME : USUAL),
    );
  }

  /** The same again, on a board that was turned. */
  draw(): void {
    const rows = new Map(this.rows.map((row) => [row.worth.square, row]));
    this.squares.each((square, colour, number) => {
      const row = rows.get(square);
      colour.style.setProperty("--share", String(Math.min(1, Math.abs(row?.warmth ?? 0))));
      colour.classList.toggle("less", (row?.warmth ?? 0) < 0);
      number.textContent = row?.text ?? "";
    });
  }
}

const ownWorths = ({ pieces }: Attribution): AttributionRow[] =>
  pieces.map((worth) => ({
    worth,
    text: worth.centipawns === null ? "–" : pawns(worth.centipawns),
    warmth: worth.centipawns === null || worth.usual <= 0 ? 0 : (worth.centipawns / worth.usual - 1) / WARMEST,
  }));

function differences(first: Attribution, second: Attribution): AttributionRow[] {
  const by = first.pieces.map(({ centipawns }, i) => {
    const other = second.pieces[i]?.centipawns ?? null;
    return centipawns === null || other === null ? null : centipawns - other;
  });
  const most = Math.max(1, ...by.map((more) => Math.abs(more ?? 0)));
  return first.pieces.map((worth, i) => {
    const more = by[i] ?? null;
    return { worth, text: more === null ? "–" : signed(more), warmth: (more ?? 0) / most };
  });
}

function list(title: string, rows: readonly AttributionRow[], withUsual: boolean): HTMLElement {
  const usual = { title: "Usually", cell: ({ worth }: AttributionRow) => pawns(worth.usual), number: true };
  const columns = [
    { title, cell: ({ worth }: AttributionRow) => `${sideName(worth.side)}’s ${worth.kind} ${worth.square}` },
    { title: "Pawns", cell: ({ text }: AttributionRow) => text, number: true },
    ...(withUsual ? [usual] : []),
  ];
  return table(title, columns, rows);
}
