/** The weights of one generation: a table with each between its bounds, and boards for those that belong to squares. */

import { fill, h } from "../dom";
import { type Column, table } from "./table";

/** What chromosomes are made of. */
export interface Genes {
  names: string[];
  low: number[];
  high: number[];
}

/** Each weight of a generation, in the order of the genes. */
export interface Weights {
  best: number[];
  mean: number[];
  deviation: number[];
}

interface GeneRow {
  name: string;
  low: number;
  high: number;
  best: number;
  mean: number;
  deviation: number;
}

const SQUARE = /^(.+)[._]([a-h])([1-8])$/;
/** A group of fewer squares is no table of a board. */
const FEWEST_SQUARES = 16;
/** Rows that are shown at a time; the search finds the others. */
const MOST_ROWS = 60;

export class GeneTable {
  private readonly rows = h("div.gene-rows");
  private readonly boards = h("div.gene-boards");
  readonly element = h("div.gene-view", {}, this.boards, this.rows);

  /** Rows for the genes that are wanted; those that belong to squares are always shown, as boards. */
  show(genes: Genes, weights: Weights, wanted: (name: string) => boolean): void {
    const groups = boardsOf(genes.names);
    const onBoards = new Set([...groups.values()].flatMap((squares) => [...squares.values()]));
    const rows = genes.names.flatMap((name, i): GeneRow[] =>
      onBoards.has(i) || !wanted(name)
        ? []
        : [
            {
              name,
              low: genes.low[i]!,
              high: genes.high[i]!,
              best: weights.best[i]!,
              mean: weights.mean[i]!,
              deviation: weights.deviation[i]!,
            },
          ],
    );
    fill(this.boards, ...[...groups].map(([title, squares]) => heatMap(title, squares, weights.best)));
    fill(
      this.rows,
      rows.length > 0 &&
        h(
          "div.table-box",
          { tabIndex: 0, role: "group", "aria-label": "Weights" },
          table("The weights of this generation", COLUMNS, rows.slice(0, MOST_ROWS)),
        ),
      rows.length > MOST_ROWS &&
        h("p.quiet", {}, `${rows.length - MOST_ROWS} more: search for them above, where weights are chosen.`),
    );
  }
}

const COLUMNS: readonly Column<GeneRow>[] = [
  { title: "Weight", cell: (row) => readable(row.name) },
  { title: "Between its bounds", cell: (row) => place(row) },
  { title: "Best", cell: (row) => short(row.best), number: true },
  { title: "Mean", cell: (row) => short(row.mean), number: true },
  { title: "Deviation", cell: (row) => short(row.deviation), number: true },
];

/** A name without the signs that programs need. */
export const readable = (name: string): string => name.replace(/[._]/g, " ");

/** Enough digits to see it move; what is left of a rounding is none. */
export const short = (number: number): string =>
  (Math.abs(number) < 1e-9 ? 0 : number).toLocaleString("en", {
    maximumSignificantDigits: Math.abs(number) >= 1000 ? 4 : 3,
  });

/** A little bar from bound to bound: the mean with its deviation, and the best as a dot. */
function place({ low, high, best, mean, deviation }: GeneRow): HTMLElement {
  const at = (number: number): number =>
    100 * Math.min(1, Math.max(0, (number - low) / Math.max(high - low, Number.MIN_VALUE)));
  const spread = h("i.place-spread");
  spread.style.left = `${at(mean - deviation)}%`;
  spread.style.width = `${at(mean + deviation) - at(mean - deviation)}%`;
  const dot = h("i.interval-dot");
  dot.style.left = `${at(best)}%`;
  return h(
    "span.place",
    {},
    h("span.place-bound", {}, short(low)),
    h("span.place-bar", { "aria-hidden": "true" }, spread, dot),
    h("span.place-bound", {}, short(high)),
  );
}

/** Genes that are named after squares, as in bishop_pawns.own.e4: by what comes before, then by square. */
export function boardsOf(names: readonly string[]): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  names.forEach((name, i) => {
    const match = SQUARE.exec(name);
    if (!match) return;
    const squares = found.get(match[1]!) ?? new Map<string, number>();
    found.set(match[1]!, squares.set(match[2]! + match[3]!, i));
  });
  return new Map([...found].filter(([, squares]) => squares.size >= FEWEST_SQUARES));
}

/** A board whose squares are the more coloured the greater their weight is. */
function heatMap(title: string, squares: ReadonlyMap<string, number>, best: readonly number[]): HTMLElement {
  const values = [...squares.values()].map((i) => best[i]!);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const cell = (square: string): HTMLElement => {
    const i = squares.get(square);
    if (i === undefined) return h("td.heat-none", { "aria-label": "none" });
    const element = h("td.heat", { title: `${square}: ${short(best[i]!)}` }, short(best[i]!));
    element.style.setProperty("--heat", `${(100 * (best[i]! - least)) / Math.max(most - least, Number.MIN_VALUE)}%`);
    return element;
  };
  const files = [..."abcdefgh"];
  return h(
    "table.heat-map",
    {},
    h("caption", {}, `${readable(title)}: ${short(least)} to ${short(most)}`),
    h(
      "tbody",
      {},
      ...[..."87654321"].map((rank) =>
        h("tr", {}, h("th", { scope: "row" }, rank), ...files.map((file) => cell(file + rank))),
      ),
    ),
    h("tfoot", {}, h("tr", {}, h("td"), ...files.map((file) => h("th", { scope: "col" }, file)))),
  );
}
