/** Brains: a card for each, with what can be done with it. */

import { type BrainSummary, inShort, showModelCard } from "../components/modelcard";
import { fill, h } from "../dom";
import type { PanelContext, Mounted, Panel } from "../panel";

export const brains: Panel = {
  id: "brains",
  title: "All brains",
  about: "Those that ship, and yours.",
  mount: (root, context) => new Brains(root, context),
};

class Brains implements Mounted {
  private readonly folder = h("p.quiet");
  private readonly cards = h("ul.cards");

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    root.append(h("section.all-brains", { "aria-label": "All brains" }, this.folder, this.cards));
  }

  shown(): void {
    this.context.socket.ask<{ brains: BrainSummary[]; folder: string }>("brains.listed").then(({ brains, folder }) => {
      this.folder.textContent = `Your brains and runs are in ${folder}.`;
      fill(this.cards, ...brains.map((brain) => this.card(brain)));
    }, this.context.complain);
  }

  connected(): void {
    this.shown();
  }

  offered(): void {
    this.shown();
  }

  private card(summary: BrainSummary): HTMLElement {
    const { brain, default: preferred, shipped, sentence, source } = summary;
    const values = this.context.hello.brains.includes(brain);
    const link = (panel: string, key: string, text: string): HTMLElement =>
      h("a.card-link", { href: `#${panel}?${new URLSearchParams({ [key]: brain })}` }, text);
    return h(
      "li.card",
      {},
      h("h3", {}, brain, preferred && h("span.badge", {}, "preferred"), !shipped && h("span.badge", {}, "yours")),
      h("p.quiet", {}, inShort(summary)),
      h("p", {}, sentence),
      source && h("p.quiet", {}, source),
      h(
        "div.card-buttons",
        {},
        link("play", "brain", "Play"),
        values && link("two_brains", "first", "Compare"),
        values ? link("explain", "brain", "Explain") : link("human_moves", "brain", "Moves"),
        h("button", { onclick: () => void showModelCard(this.context, brain) }, "Card"),
      ),
    );
  }
}
