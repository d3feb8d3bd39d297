/** The value of one brain: a bar, and the probabilities of its classes, if it has some. */

import { fill, h } from "../dom";
import type { Value } from "../records";
import { inWords, ValueBar } from "./valuebar";

export interface ClassShare {
  /** Its borders in centipawns, for White; null where it is open or unknown. */
  low: number | null;
  high: number | null;
  probability: number;
}

export interface BrainValue {
  name: string;
  /** Null while it is computed, or if it cannot. */
  value: Value | null;
  classes: readonly ClassShare[];
  error: string | null;
}

/** A bar with the name of its brain. The element stays while its value changes. */
export class ValueRow {
  private readonly bar = new ValueBar();
  private readonly name = h("span.brain-name");
  private readonly text = h("strong.brain-number");
  readonly element = h("li.brain-value", {}, this.bar.element, this.text, this.name);

  show({ name, value, error }: BrainValue): void {
    this.bar.show(value, name);
    this.name.textContent = name;
    this.element.title = error ?? (value ? inWords(value) : name);
    this.text.textContent = value ? value.text : error ? "✕" : "…";
  }
}

/** The classes of a brain as bars, those that are worst for White first; nothing if it has none. */
export function classBars({ name, classes }: BrainValue): HTMLElement | null {
  if (classes.length === 0) return null;
  const most = Math.max(...classes.map(({ probability }) => probability));
  const list = h("ol.class-bars");
  fill(list, ...classes.map((share) => classBar(share, most)));
  return h("section.class-card", { "aria-label": `Classes of ${name}` }, h("h3", {}, name), list);
}

function classBar(share: ClassShare, most: number): HTMLElement {
  const length = h("i.class-length");
  length.style.width = `${(100 * share.probability) / Math.max(most, 1e-9)}%`;
  return h(
    "li.class-bar",
    { className: share.probability === most ? "class-bar likeliest" : "class-bar" },
    h("span.class-borders", {}, borders(share)),
    h("span.class-track", { "aria-hidden": "true" }, length),
    h("span.class-share", {}, `${(100 * share.probability).toFixed(share.probability < 0.0995 ? 1 : 0)} %`),
  );
}

function borders({ low, high }: ClassShare): string {
  if (low === null && high === null) return "–";
  if (low === null) return `below ${pawns(high!)}`;
  return high === null ? `above ${pawns(low)}` : `${pawns(low)} to ${pawns(high)}`;
}

const pawns = (centipawns: number): string =>
  `${centipawns < 0 ? "−" : centipawns > 0 ? "+" : ""}${(Math.abs(centipawns) / 100).toFixed(2)}`;
