/** A field in which moves are typed. */

import { h } from "../dom";

export class MoveEntry {
  private readonly field = h("input.entry", {
    type: "text",
    placeholder: "Move: e4, Nf3, O-O …",
    "aria-label": "Type a move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    enterKeyHint: "send",
  });
  readonly element: HTMLFormElement;

  /** `play` resolves to something true once the move is made. */
  constructor(play: (move: string) => Promise<unknown>) {
    const enter = (event: Event): void => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text) void play(text).then((played) => played && (this.field.value = ""));
    };
    this.element = h("form.entry-form", { onsubmit: enter }, this.field);
  }

  focus(): void {
    this.field.focus();
  }
}
