/** Neurons: a list of those with the most influence, and what the chosen one likes. */

import { fill, h } from "../dom";
import { type Liked, type NeuronFacts, sideName, signed, type Surveyed } from "../explain";
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

  show(liked: Liked): void {
    const most = Math.max(1e-9, ...liked.maps.flatMap(({ weights }) => weights.map((weight) => Math.abs(weight ?? 0))));
    const here = liked.here.map(
      ({ side, loudness, centipawns }) =>
        `with ${sideName(side)}’s eyes it adds up ${loudness.toFixed(2)} and says ${signed(centipawns)} for ${sideName(side)}`,
    );
    const strongest = liked.strongest.map(([what, weight]) => `${what} ${signed(100 * weight)}`);
    fill(
      this.card,
      h("h3", {}, `Neuron ${liked.neuron}`),
      h("p", {}, `In this position: ${here.join("; ")}.`),
      h(
        "p.quiet",
        {},
        `Largest weights: ${strongest.join(", ")}. Own side below, own king on a to d; red is positive, blue negative.`,
      ),
      h("div.likes", {}, ...liked.maps.map((map) => likes(map, most))),
      h("h4", {}, "Positions with its largest activation"),
      h("ul.exciting", {}, ...liked.exciting.map((excited) => h("li", {}, this.excited(excited)))),
    );
  }

  private item({ number, influence, awake, favour }: NeuronFacts, most: number): HTMLElement {
    const length = h("i.neuron-length");
    length.style.width = `${(100 * influence) / most}%`;
    const title = `awake in ${Math.round(100 * awake)} % of all views, where it says ${signed(favour)} for the side that sees it`;
    const onclick = (): void => this.actions.choose(number);
    return h(
      "button.neuron",
      { onclick, title, "aria-pressed": "false", "data-neuron": String(number) },
      h("span", {}, String(number)),
      h("span.neuron-track", { "aria-hidden": "true" }, length),
      h("span.neuron-influence", {}, influence.toFixed(1)),
    );
  }

  private excited({ fen, side, loudness }: Liked["exciting"][0]): HTMLElement {
    const onclick = (): void => {
      this.peek.hide();
      this.actions.open(fen);
    };
    const button = h("button", { onclick }, `${loudness.toFixed(2)} with ${sideName(side)}’s eyes`);
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
function likes({ side, kind, weights }: Liked["maps"][0], most: number): HTMLElement {
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
    "figure.like",
    {},
    h("div.like-board", { role: "img", "aria-label": said }, ...rows),
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
