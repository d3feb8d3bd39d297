/** A field in which moves are typed, with what is wrong with a move below it. */

import { h } from "../dom";

let entries = 0;

export class MoveEntry {
  private readonly error = h("p.entry-error", { role: "alert", id: `entry-error-${++entries}` });
  private readonly field = h("input.entry", {
    type: "text",
    placeholder: "Move: e4, Nf3, O-O …",
    "aria-label": "Type a move",
    "aria-describedby": this.error.id,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    enterKeyHint: "send",
  });
  readonly element: HTMLFormElement;

  /** `play` resolves to something true once the move is made: then keys are no longer typed but do something. */
  constructor(play: (move: string) => Promise<unknown>) {
    const played = (): void => {
      this.field.value = "";
      this.field.blur();
    };
    const enter = (event: Event): void => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text) void play(text).then((done) => done && played());
    };
    this.element = h("form.entry-form", { onsubmit: enter }, this.field, this.error);
  }

  focus(): void {
    this.field.focus();
  }

  /** What is wrong with a move; nothing any more without a text. */
  complain(text = ""): void {
    this.error.textContent = text;
    this.field.classList.toggle("wrong", text !== "");
  }
}
