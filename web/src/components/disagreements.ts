/** Where a brain and its teacher are furthest apart: a list to choose from, the worst first. */

import { field, fill, h, select } from "../dom";
import type { Side, Value } from "../records";

export interface Disagreement {
  fen: string;
  turn: Side;
  teacher: Value;
  value: Value;
  apart: number;
  /** Of which kinds of positions it is. */
  kinds: string[];
}

export interface Disagreed {
  /** The folder that it was found in. */
  place: string;
  brain: string;
  teacher: string;
  positions: Disagreement[];
}

const ALL = "all of them";

export class Disagreements {
  private listed: Disagreed | null = null;
  /** Those of the chosen kind, the worst first. */
  private positions: Disagreement[] = [];
  private at = -1;
  private readonly about = h("p.quiet");
  private readonly kind = select([["", ALL]]);
  private readonly kinds = field("Kind of position", this.kind);
  private readonly list = h("ol.disagreements");
  readonly element = h("div.disagreement-box", {}, this.about, this.kinds, this.list);

  constructor(private readonly onChoose: (told: Disagreement, listed: Disagreed) => void) {
    this.kind.onchange = () => this.draw();
  }

  show(listed: Disagreed): void {
    this.listed = listed;
    this.about.textContent =
      `${listed.brain} and its teacher (${listed.teacher}), where they are furthest apart; ` +
      "values are for White, in pawns, and the distance is in expected score.";
    const chosen = this.kind.value;
    const kinds = [...new Set(listed.positions.flatMap(({ kinds }) => kinds))].sort();
    fill(this.kind, h("option", { value: "" }, ALL), ...kinds.map((kind) => h("option", { value: kind }, kind)));
    this.kind.value = kinds.includes(chosen) ? chosen : "";
    this.kinds.hidden = kinds.length === 0;
    this.draw();
  }

  private draw(): void {
    const kind = this.kind.value;
    this.at = -1;
    this.positions = (this.listed?.positions ?? []).filter(({ kinds }) => !kind || kinds.includes(kind));
    fill(this.list, ...this.positions.map((told, place) => h("li", {}, this.item(told, place))));
  }

  /** Some places further down the list, or up. */
  step(by: number): boolean {
    const count = this.positions.length;
    if (count > 0) this.choose(Math.min(count - 1, Math.max(0, this.at + by)));
    return count > 0;
  }

  private item({ turn, teacher, value, apart, kinds }: Disagreement, place: number): HTMLElement {
    const side = turn === "white" ? "White" : "Black";
    return h(
      "button.disagreement",
      { onclick: () => this.choose(place), "aria-pressed": "false", title: kinds.join(", ") },
      h("strong", {}, `${place + 1}. ${side} to move`),
      h("span", {}, `teacher ${teacher.text}`),
      h("span", {}, `brain ${value.text}`),
      h("span.apart", {}, `${apart.toFixed(2)} apart`),
    );
  }

  private choose(place: number): void {
    this.at = place;
    const buttons = [...this.list.querySelectorAll("button")];
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === place)));
    const item = buttons[place]!.parentElement!;
    this.list.scrollTop = Math.min(item.offsetTop, Math.max(this.list.scrollTop, below(item, this.list)));
    this.onChoose(this.positions[place]!, this.listed!);
  }
}

/** How far a list has to be scrolled at least, to show all of an item. */
const below = (item: HTMLElement, list: HTMLElement): number => item.offsetTop + item.offsetHeight - list.clientHeight;
