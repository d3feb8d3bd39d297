/** How many nodes each of two trees has at each ply, as bars that look away from each other. */

import { amount } from "../amounts";
import { fill, h } from "../dom";
import type { Growth } from "../trees";

export class Plies {
  private readonly rows = h("tbody");
  readonly element = h(
    "table.plies",
    {},
    h("caption.visually-hidden", {}, "Nodes of both trees by ply"),
    h("thead", {}, h("tr", {}, ...["left", "ply", "right"].map((title) => h("th", { scope: "col" }, title)))),
    this.rows,
  );

  show(trees: readonly Growth[]): void {
    const plies = Math.max(0, ...trees.map(({ rows }) => rows.length));
    const most = Math.max(1, ...trees.flatMap(({ rows }) => rows.map((row) => row.length)));
    const bar = (side: number, ply: number): HTMLElement => {
      const count = trees[side]?.rows[ply]?.length ?? 0;
      const length = h("i.ply-bar");
      length.style.width = `${(100 * count) / most}%`;
      const parts = [
        h("span.ply-track", { "aria-hidden": "true" }, length),
        h("span", {}, count ? amount(count) : "–"),
      ];
      return h("td", { className: side === 0 ? "left" : "right" }, h("div.ply-cell", {}, ...parts));
    };
    const row = (ply: number): HTMLElement =>
      h("tr", {}, bar(0, ply), h("th", { scope: "row" }, String(ply)), bar(1, ply));
    fill(this.rows, ...Array.from({ length: Math.max(0, plies - 1) }, (_, i) => row(i + 1)));
  }
}
