/** Neurons: a list of those with the most influence, and the weights of the chosen one. */

import { fill, h } from "../dom";
import { type NeuronDetails, type NeuronFacts, sideName, signed, type Surveyed } from "../explain";
import type { Peek } from "./peek";

const FILES = "abcdefgh";

export interface NeuronActions {
  choose: (neuron: number) => void;
  open: (fen: string) => void;
}

export class NeuronView {
  private chosen: number | null = null;
  private readonly about = h("p.quiet");
  private readonly list = h("ol.neurons", { "aria-label": "Neurons, by influence", tabIndex: 0 });
  private readonly card = h("div.neuron-card");
  readonly element = h("div.neuron-view", {}, this.about, this.list, this.card);

  constructor(
    private readonly actions: NeuronActions,
    private readonly peek: Peek,
  ) {}

  /** Nothing, and why. */
  refuse(why: string): void {
    this.about.textContent = why;
    this.list.hidden = true;
    fill(this.card);
  }

  survey({ count, positions, neurons }: Surveyed): void {
    this.about.textContent =
      `${count} neurons in ${positions} positions. Influence is by how many centipawns what one says differs ` +
      "from position to position.";
    const most = Math.max(1e-9, ...neurons.map(({ influence }) => influence));
    fill(this.list, ...neurons.map((fact) => h("li", {}, this.item(fact, most))));
    this.list.hidden = false;
    this.mark();
  }

  choose(neuron: number | null): void {
    this.chosen = neuron;
    if (neuron === null) fill(this.card);
    this.mark();
  }

  show(details: NeuronDetails): void {
    const most = Math.max(
      1e-9,
      ...details.maps.flatMap(({ weights }) => weights.map((weight) => Math.abs(weight ?? 0))),
    );
    const here = details.here.map(
      ({ side, activation, centipawns }) =>
        `for ${sideName(side)} its activation is ${activation.toFixed(2)}, which contributes ${signed(centipawns)}`,
    );
    const strongest = details.strongest.map(([what, weight]) => `${what} ${signed(100 * weight)}`);
    fill(
      this.card,
      h("h3", {}, `Neuron ${details.neuron}`),
      h("p", {}, `In this position: ${here.join("; ")}.`),
      h(
        "p.quiet",
        {},
        `Largest weights: ${strongest.join(", ")}. Own side below, own king on a to d; red is positive, blue negative.`,
      ),
      h("div.weight-maps", {}, ...details.maps.map((map) => weightMap(map, most))),
      h("h4", {}, "Positions with its largest activation"),
      h("ul.most-active", {}, ...details.most_active.map((activeBoard) => h("li", {}, this.activeBoard(activeBoard)))),
    );
  }

  private item({ number, influence, active, contribution }: NeuronFacts, most: number): HTMLElement {
    const length = h("i.neuron-length");
    length.style.width = `${(100 * influence) / most}%`;
    const title = `active in ${Math.round(100 * active)} % of all views, where it contributes ${signed(contribution)} to its side`;
    const onclick = (): void => this.actions.choose(number);
    return h(
      "button.neuron",
      { onclick, title, "aria-pressed": "false", "data-neuron": String(number) },
      h("span", {}, String(number)),
      h("span.neuron-track", { "aria-hidden": "true" }, length),
      h("span.neuron-influence", {}, influence.toFixed(1)),
    );
  }

  private activeBoard({ fen, side, activation }: NeuronDetails["most_active"][0]): HTMLElement {
    const onclick = (): void => {
      this.peek.hide();
      this.actions.open(fen);
    };
    const button = h("button", { onclick }, `${activation.toFixed(2)} for ${sideName(side)}`);
    this.peek.watch(
      button,
      () => side,
      () => ({ fen }),
    );
    return button;
  }

  private mark(): void {
    for (const button of this.list.querySelectorAll<HTMLElement>("button"))
      button.setAttribute("aria-pressed", String(button.dataset.neuron === String(this.chosen)));
  }
}

/** A small board whose squares are red where a piece adds to the neuron, and blue where it takes away. */
function weightMap({ side, kind, weights }: NeuronDetails["maps"][0], most: number): HTMLElement {
  const name = `${side} ${kind}`;
  const cells = weights.map((weight, i) => {
    const cell = h("i", { title: weight === null ? "" : `${square(i)} ${signed(100 * weight)}` });
    cell.style.setProperty("--share", String(Math.sqrt(Math.abs(weight ?? 0) / most)));
    cell.classList.toggle("less", (weight ?? 0) < 0);
    cell.classList.toggle("never", weight === null);
    return cell;
  });
  const rows = Array.from({ length: 8 }, (_, row) => cells.slice(8 * (7 - row), 8 * (8 - row))).flat();
  const best = extreme(weights, (a, b) => a > b);
  const worst = extreme(weights, (a, b) => a < b);
  const said = `${name}: adds most on ${best}, least on ${worst}`;
  return h(
    "figure.weight-map",
    {},
    h("div.weight-map-board", { role: "img", "aria-label": said }, ...rows),
    h("figcaption", {}, name),
  );
}

const square = (i: number): string => FILES[i % 8]! + (1 + Math.floor(i / 8));

function extreme(weights: readonly (number | null)[], isBetter: (a: number, b: number) => boolean): string {
  let found = -1;
  weights.forEach((weight, i) => {
    if (weight !== null && (found < 0 || isBetter(weight, weights[found]!))) found = i;
  });
  return found < 0 ? "none" : `${square(found)} (${signed(100 * weights[found]!)})`;
}
