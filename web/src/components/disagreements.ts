/** Where a brain and its teacher are furthest apart: a list to choose from, the worst first. */

import { fill, h } from "../dom";
import type { Side, Value } from "../records";

export interface Disagreement {
  fen: string;
  turn: Side;
  teacher: Value;
  value: Value;
  apart: number;
}

export interface Disagreed {
  /** The folder that it was found in. */
  place: string;
  brain: string;
  teacher: string;
  positions: Disagreement[];
}

export class Disagreements {
  private listed: Disagreed | null = null;
  private at = -1;
  private readonly about = h("p.quiet");
  private readonly list = h("ol.disagreements");
  readonly element = h("div.disagreement-box", {}, this.about, this.list);

  constructor(private readonly onChoose: (told: Disagreement, listed: Disagreed) => void) {}

  show(listed: Disagreed): void {
    this.listed = listed;
    this.at = -1;
    this.about.textContent =
      `${listed.brain} and its teacher (${listed.teacher}), where they are furthest apart; ` +
      "values are for White, in pawns, and the distance is in expected score.";
    fill(this.list, ...listed.positions.map((told, place) => h("li", {}, this.item(told, place))));
  }

  /** Some places further down the list, or up. */
  step(by: number): boolean {
    const count = this.listed?.positions.length ?? 0;
    if (count > 0) this.choose(Math.min(count - 1, Math.max(0, this.at + by)));
    return count > 0;
  }

  private item({ turn, teacher, value, apart }: Disagreement, place: number): HTMLElement {
    const side = turn === "white" ? "White" : "Black";
    return h(
      "button.disagreement",
      { onclick: () => this.choose(place), "aria-pressed": "false" },
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
    this.onChoose(this.listed!.positions[place]!, this.listed!);
  }
}

/** How far a list has to be scrolled at least, to show all of an item. */
const below = (item: HTMLElement, list: HTMLElement): number => item.offsetTop + item.offsetHeight - list.clientHeight;
