/** The moves of the root: how likely each is, how many nodes both trees spend on it, and how deep they go there. */

import { amount } from "../amounts";
import { fill, h } from "../dom";
import type { Growth, RootMove } from "../trees";
import { percent } from "./likely";

export class RootMoves {
  private readonly rows = h("tbody");
  readonly element = h(
    "div.table-box.root-moves",
    { tabIndex: 0, role: "region", "aria-label": "Moves of the position" },
    h(
      "table.table",
      {},
      h("thead", {}, h("tr", {}, ...HEADINGS.map(([text, look]) => h("th", { scope: "col", className: look }, text)))),
      this.rows,
    ),
  );

  constructor(
    private readonly onPoint: (move: RootMove | null) => void,
    private readonly onPlay: (move: RootMove) => void,
  ) {}

  show(moves: readonly RootMove[], trees: readonly Growth[], isLikely: boolean): void {
    fill(this.rows, ...moves.map((move) => this.row(move, trees, isLikely)));
  }

  private row(move: RootMove, trees: readonly Growth[], isLikely: boolean): HTMLElement {
    const counts = trees.flatMap(({ below, deepest }, side) => {
      const node = move.nodes[side];
      const look = `number side-${side}`;
      return [
        h("td", { className: look }, node === undefined ? "–" : amount(below[node]!)),
        h("td", { className: look }, node === undefined ? "–" : String(deepest[node]!)),
      ];
    });
    const button = h(
      "button.plain.root-move",
      { onclick: () => this.onPlay(move), title: `Play ${move.san}` },
      move.san,
    );
    const row = h("tr", {}, h("td", {}, button), h("td.number", {}, isLikely ? percent(move.share) : "–"), ...counts);
    row.onpointerenter = () => this.onPoint(move);
    row.onpointerleave = () => this.onPoint(null);
    button.onfocus = () => this.onPoint(move);
    button.onblur = () => this.onPoint(null);
    return row;
  }
}

const HEADINGS = [
  ["move", ""],
  ["likely", "number"],
  ["nodes", "number side-0"],
  ["plies", "number side-0"],
  ["nodes", "number side-1"],
  ["plies", "number side-1"],
] as const;
