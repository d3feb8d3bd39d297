/** Curves through the generations: the score, and each weight that was chosen, with what the players differ by as a band. */

import { fill, h } from "../dom";
import { short } from "./genes";
import { Plot } from "./plot";

/** A number through the generations. */
export interface GeneHistory {
  generations: number[];
  best: number[];
  mean: number[];
  /** How far the players are apart: a standard deviation. */
  deviation: number[];
}

const UPPER = 2;
const LOWER = 3;

/** One plot: the best as a line, the mean as a broken one in its band. */
export class GeneHistoryPlot {
  private readonly caption = h("figcaption");
  private readonly plot: Plot;
  private generations: readonly number[] = [];
  readonly element: HTMLElement;

  constructor(
    private readonly title: string,
    onPick: (generation: number) => void,
    height = 170,
  ) {
    this.plot = new Plot({
      label: `${title} through the generations`,
      curves: [
        { label: "best", color: "--curve-0" },
        { label: "mean", color: "--curve-1", dashed: true },
        { label: "", color: "--curve-1", edge: true },
        { label: "", color: "--curve-1", edge: true },
      ],
      bands: [[UPPER, LOWER]],
      height,
      axes: true,
      xLabel: "generation",
      whole: true,
      onPick: (index) => onPick(this.generations[index] ?? 0),
    });
    this.element = h("figure.curve", {}, this.caption, this.plot.element);
  }

  show({ generations, best, mean, deviation }: GeneHistory): void {
    this.generations = generations;
    this.plot.show(
      generations,
      best,
      mean,
      mean.map((number, i) => number + deviation[i]!),
      mean.map((number, i) => number - deviation[i]!),
    );
  }

  /** Look at a generation. */
  mark(history: GeneHistory, generation: number): void {
    const after = history.generations.findIndex((number) => number > generation);
    const index = (after < 0 ? history.generations.length : after) - 1;
    if (index < 0) return;
    this.plot.mark(index);
    const [best, mean, deviation] = [history.best[index]!, history.mean[index]!, history.deviation[index]!];
    fill(
      this.caption,
      this.title,
      h("span.quiet", {}, ` best ${short(best)} · mean ${short(mean)} ± ${short(deviation)}`),
    );
  }
}

/** A plot for each weight that was chosen. */
export class GeneCurves {
  private plots = new Map<string, GeneHistoryPlot>();
  private histories = new Map<string, GeneHistory>();
  readonly element = h("div.curves");

  constructor(private readonly onPick: (generation: number) => void) {}

  /** By the names of the weights. */
  show(histories: ReadonlyMap<string, GeneHistory>, generation: number): void {
    const names = [...histories.keys()];
    if (names.join("\n") !== [...this.plots.keys()].join("\n")) {
      this.plots = new Map(names.map((name) => [name, this.plots.get(name) ?? new GeneHistoryPlot(name, this.onPick)]));
      fill(this.element, ...[...this.plots.values()].map(({ element }) => element));
    }
    this.histories = new Map(histories);
    for (const [name, history] of histories) this.plots.get(name)!.show(history);
    this.mark(generation);
  }

  mark(generation: number): void {
    for (const [name, plot] of this.plots) plot.mark(this.histories.get(name)!, generation);
  }
}
