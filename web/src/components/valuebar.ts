/** A value as a bar of three parts: White wins, draw, Black wins. White is at the bottom unless the board is turned. */

import { h } from "../dom";
import type { Side, Value } from "../records";

const percent = (share: number): string => `${Math.round(100 * share)} %`;

export class ValueBar {
  private readonly parts = {
    win: h("div.part.win"),
    draw: h("div.part.draw"),
    loss: h("div.part.loss"),
  };
  private readonly number = h("span.bar-number", { "aria-hidden": "true" });
  readonly element = h(
    "div.value-bar",
    { role: "img", "aria-label": "No value yet" },
    this.parts.loss,
    this.parts.draw,
    this.parts.win,
    this.number,
  );

  /** Show a value and its source; nothing where there is none. */
  show(value: Value | null, engine: string): void {
    const [win, draw, loss] = value?.wdl ?? [0.25, 0.5, 0.25];
    this.parts.win.style.flexGrow = String(win);
    this.parts.draw.style.flexGrow = String(draw);
    this.parts.loss.style.flexGrow = String(loss);
    this.number.textContent = value?.text ?? "";
    this.number.classList.toggle("behind", (value?.white ?? 0.5) < 0.5);
    this.element.classList.toggle("empty", value === null);
    const text = value ? `${inWords(value)}, says ${engine}` : "No value yet";
    this.element.setAttribute("aria-label", text);
    this.element.title = text;
  }

  turn(bottom: Side): void {
    this.element.classList.toggle("turned", bottom === "black");
  }
}

/** The same in words, with its point of view. */
export function inWords(value: Value): string {
  const [win, draw, loss] = value.wdl;
  return `White wins ${percent(win)}, draw ${percent(draw)}, Black wins ${percent(loss)}; ${value.text} for White`;
}
