/** A table of records; numbers stand right. */

import { type Child, h } from "../dom";

export interface Column<T> {
  title: string;
  cell: (row: T) => Child;
  number?: boolean;
}

export function table<T>(caption: string, columns: readonly Column<T>[], rows: readonly T[]): HTMLTableElement {
  const side = (column: Column<T>): string | undefined => (column.number ? "number" : undefined);
  return h(
    "table.table",
    {},
    h("caption.visually-hidden", {}, caption),
    h("thead", {}, h("tr", {}, ...columns.map((c) => h("th", { scope: "col", className: side(c) }, c.title)))),
    h(
      "tbody",
      {},
      ...rows.map((row) => h("tr", {}, ...columns.map((c) => h("td", { className: side(c) }, c.cell(row))))),
    ),
  );
}
