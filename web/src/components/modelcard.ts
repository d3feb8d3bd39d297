/** A brain's model card as a page that people can read. */

import { h } from "../dom";
import type { PanelContext } from "../panel";

export interface BrainSummary {
  brain: string;
  kind: string;
  /** Weights and bytes that people can read. */
  size_text: string;
  sentence: string;
  /** The measured Elo with its interval; empty if it was not measured. */
  elo_text: string;
  default: boolean;
  shipped: boolean;
  source: string;
}

interface ModelCardAnswer extends BrainSummary {
  facts: [string, string][];
}

export const inShort = ({ kind, size_text, elo_text }: BrainSummary): string =>
  [kind, size_text, elo_text].filter(Boolean).join(" · ");

export async function showModelCard(context: PanelContext, brain: string): Promise<void> {
  try {
    const card = await context.socket.ask<ModelCardAnswer>("brains.card", { brain });
    const facts = card.facts.flatMap(([key, text]) => [h("dt", {}, key), h("dd", {}, text)]);
    const href = `#play?${new URLSearchParams({ brain })}`;
    const play = h("a.card-link", { href, onclick: () => dialog.close() }, "Play");
    const close = h("button.primary", { onclick: () => dialog.close() }, "Close");
    const dialog = h(
      "dialog.model-card",
      { onclose: () => dialog.remove(), "aria-labelledby": "model-card-title" },
      h("h2", { id: "model-card-title" }, brain),
      h("p.quiet", {}, inShort(card)),
      h("p", {}, card.sentence),
      h("dl", {}, ...facts),
      h("div.dialog-buttons", {}, play, close),
    );
    document.body.append(dialog);
    dialog.showModal();
  } catch (error) {
    context.complain(error);
  }
}
