/** Which weights are shown as curves: a list to tick, with a search for those who have hundreds. */

import { field, fill, h } from "../dom";
import { readable } from "./genes";

/** Boxes that are shown at a time; the search finds the others. */
const MOST_LISTED = 60;

export class GenePicker {
  private names: readonly string[] = [];
  private chosen: readonly number[] = [];
  private key = "";
  private readonly search = h("input", { type: "text", placeholder: "knight", autocomplete: "off" });
  private readonly list = h("div.gene-list");
  private readonly more = h("p.quiet", { role: "status" });
  readonly element: HTMLElement;

  /** `onChosen` is told the chosen genes, or null for those that moved most; `onSearch` that the search has changed. */
  constructor(
    private readonly most: number,
    private readonly onChosen: (genes: number[] | null) => void,
    onSearch: () => void,
  ) {
    this.search.oninput = () => {
      this.draw();
      onSearch();
    };
    this.element = h(
      "details.gene-picker",
      {},
      h("summary", {}, "Choose weights"),
      h(
        "div.gene-tools",
        {},
        field("Search", this.search),
        h("button", { type: "button", onclick: () => onChosen(null) }, "Those that changed most"),
      ),
      h("fieldset", {}, h("legend", {}, `Curves, at most ${most}`), this.list),
      this.more,
    );
  }

  show(names: readonly string[], chosen: readonly number[]): void {
    const key = JSON.stringify([names, chosen]);
    if (key === this.key) return;
    this.key = key;
    this.names = names;
    this.chosen = chosen;
    this.draw();
  }

  /** Does the search find this name? */
  finds(name: string): boolean {
    const words = this.search.value.trim().toLowerCase().split(/\s+/);
    return words.every((word) => readable(name).toLowerCase().includes(word));
  }

  private draw(): void {
    const found = this.names.flatMap((name, i) => (this.finds(name) ? [i] : []));
    const chosen = found.filter((i) => this.chosen.includes(i));
    const listed = [...new Set([...chosen, ...found])].slice(0, MOST_LISTED).sort((a, b) => a - b);
    fill(this.list, ...listed.map((i) => this.box(i)));
    this.more.textContent =
      found.length > listed.length
        ? `${found.length - listed.length} more: search for them`
        : `${found.length} weights`;
  }

  private box(gene: number): HTMLElement {
    const checked = this.chosen.includes(gene);
    const box = h("input", {
      type: "checkbox",
      checked,
      disabled: !checked && this.chosen.length >= this.most,
      onchange: () =>
        this.onChosen(
          checked
            ? this.chosen.filter((other) => other !== gene)
            : [...this.chosen, gene].sort((first, second) => first - second),
        ),
    });
    return h("label.entrant", {}, box, h("span", {}, readable(this.names[gene]!)));
  }
}
