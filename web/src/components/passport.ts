/** A brain's passport as a page that people can read. */

import { h } from "../dom";
import type { Desk } from "../panel";

export interface BrainSummary {
  brain: string;
  kind: string;
  weights: number;
  /** Bytes. */
  size: number;
  default: boolean;
  note: string;
  source: string;
}

interface Answer extends BrainSummary {
  facts: [string, string][];
}

export const inShort = ({ kind, weights, size }: BrainSummary): string =>
  `${kind} · ${weights.toLocaleString("en")} weights · ${size.toLocaleString("en")} bytes`;

export async function showPassport(desk: Desk, brain: string): Promise<void> {
  try {
    const passport = await desk.socket.ask<Answer>("brains.passport", { brain });
    const facts = passport.facts.flatMap(([key, text]) => [h("dt", {}, key), h("dd", {}, text)]);
    const close = h("button.primary", { onclick: () => dialog.close() }, "Close");
    const dialog = h(
      "dialog.passport",
      { onclose: () => dialog.remove(), "aria-labelledby": "passport-title" },
      h("h2", { id: "passport-title" }, brain),
      h("p.quiet", {}, inShort(passport)),
      h("dl", {}, ...facts),
      h("div.dialog-buttons", {}, close),
    );
    document.body.append(dialog);
    dialog.showModal();
  } catch (error) {
    desk.complain(error);
  }
}
