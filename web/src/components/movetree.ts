/** The moves of a game with its side lines, as in a book: the main line in two columns, side lines between its rows. */

import { type Child, fill, h } from "../dom";
import { FIRST, type Tree, type TreeMove } from "../tree";
import { reveal } from "./movelist";

/** The report of a move. */
export interface Remark {
  mark: string;
  text: string;
}

export class MoveTree {
  readonly element = h("ol.moves.tree", { tabIndex: 0, "aria-label": "Moves" });
  private readonly buttons = new Map<number, HTMLButtonElement>();
  private shown = "";

  constructor(private readonly onSelect: (at: number) => void) {}

  show(tree: Tree, at: number, remarks: ReadonlyMap<number, Remark>): void {
    const key = JSON.stringify([tree.game.start, tree.moves, [...remarks]]);
    if (key !== this.shown) this.build(tree, remarks);
    this.shown = key;
    for (const [i, button] of this.buttons) {
      const here = i === at;
      button.classList.toggle("current", here);
      if (here) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      if (here) reveal(this.element, button);
    }
    if (at === FIRST) this.element.scrollTo({ top: 0, left: 0 });
  }

  private build(tree: Tree, remarks: ReadonlyMap<number, Remark>): void {
    this.buttons.clear();
    const rows: HTMLElement[] = [];
    let row: HTMLElement | null = null;
    for (const i of tree.line()) {
      const move = tree.moves[i]!;
      if (move.turn === "white" || row === null) {
        row = h("li", {}, h("span.number", {}, `${move.number}.`));
        if (move.turn === "black") row.append(h("span.move.gap", {}, "…"));
        rows.push(row);
      }
      row.append(this.button(i, move, remarks));
      const others = tree.after(move.before).slice(1);
      const asides = [
        move.comment && h("p.comment", {}, move.comment),
        ...others.map((other) => h("p.side-line", {}, ...this.inline(tree, other, remarks))),
      ].filter((aside) => aside !== "");
      if (asides.length) {
        if (move.turn === "white" && tree.after(i).length) row.append(h("span.move.gap", {}, "…"));
        rows.push(h("li.aside", {}, ...asides));
        row = null;
      }
    }
    fill(this.element, ...rows);
  }

  /** A side line in a row of text, with its own side lines in brackets. */
  private inline(tree: Tree, from: number, remarks: ReadonlyMap<number, Remark>): Child[] {
    const words: Child[] = [];
    let interrupted = true;
    for (const i of [from, ...tree.line(from)]) {
      const move = tree.moves[i]!;
      if (move.turn === "white" || interrupted) {
        words.push(h("span.number", {}, `${move.number}${move.turn === "white" ? "." : "…"}`));
      }
      words.push(this.button(i, move, remarks));
      if (move.comment) words.push(h("span.comment", {}, move.comment));
      const others = i === from ? [] : tree.after(move.before).slice(1);
      for (const other of others) words.push("(", ...this.inline(tree, other, remarks), ")");
      interrupted = others.length > 0 || move.comment !== "";
    }
    return words;
  }

  private button(i: number, move: TreeMove, remarks: ReadonlyMap<number, Remark>): HTMLButtonElement {
    const { mark, text } = remarks.get(i) ?? { mark: move.mark, text: "" };
    const sign = mark && h("span.mark", { "data-mark": mark }, mark);
    const button = h("button.move", { onclick: () => this.onSelect(i), title: text, tabIndex: -1 }, move.san, sign);
    this.buttons.set(i, button);
    return button;
  }
}
