/** The strip above or below the board: who plays, what was taken, and the clock. */

import { h } from "../dom";
import { taken } from "../notation";
import type { Side } from "../records";
import { ClockFace } from "./clock";

export class Strip {
  readonly clock = new ClockFace();
  private readonly disc = h("span.disc", { "aria-hidden": "true" });
  private readonly name = h("span.name");
  private readonly captured = h("span.captured", { "aria-hidden": "true" });
  private readonly dots = h("span.dots", { hidden: true, role: "img", "aria-label": "is thinking" }, "●●●");
  readonly element = h(
    "div.strip",
    {},
    this.disc,
    h("div.who", {}, this.name, this.dots, this.captured),
    this.clock.element,
  );

  show(side: Side, title: string, fen: string, toMove: boolean): void {
    this.name.textContent = title;
    this.captured.textContent = taken(fen, side);
    this.disc.className = `disc ${side}`;
    this.element.classList.toggle("to-move", toMove);
  }

  thinking(on: boolean): void {
    this.dots.hidden = !on;
  }
}
