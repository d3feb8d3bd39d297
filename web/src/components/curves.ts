/** What runs log, one plot for each number; runs that are compared share a plot, each in its own colour. */

import { fill, h } from "../dom";
import { type Curve, Plot } from "./plot";

/** Steps and values. */
type Points = [number[], number[]];

export interface Logged {
  name: string;
  title: string;
  unit: string;
  /** By name. Those of x_low and x_high are the interval of x. */
  curves: Record<string, Points>;
}

/** Curves of a run have one of these colours of base.css. */
export const COLORS = 6;

const INTERVAL = /_(low|high)$/;

interface Shown {
  plot: Plot;
  /** Which run and which number each curve is. */
  parts: { run: number; number: string }[];
}

export class Curves {
  readonly element = h("div.curves");
  private shown = new Map<string, Shown>();
  private key = "";

  show(runs: readonly Logged[]): void {
    const numbers = [...new Set(runs.flatMap(({ curves }) => Object.keys(curves)))];
    const key = JSON.stringify([numbers, runs.map(({ name }) => name)]);
    if (key !== this.key) this.build(runs, numbers);
    this.key = key;
    for (const { plot, parts } of this.shown.values()) {
      const curves = parts.map(({ run, number }): Points => runs[run]!.curves[number] ?? [[], []]);
      const steps = [...new Set(curves.flatMap(([at]) => at))].sort((a, b) => a - b);
      plot.show(steps, ...curves.map((curve) => aligned(steps, curve)));
    }
  }

  private build(runs: readonly Logged[], numbers: readonly string[]): void {
    const isInterval = (number: string): boolean =>
      INTERVAL.test(number) && numbers.includes(number.replace(INTERVAL, ""));
    this.shown = new Map(
      numbers
        .filter((number) => !isInterval(number))
        .map((title) => {
          const parts = runs.flatMap((_, run) =>
            [title, `${title}_low`, `${title}_high`]
              .filter((number) => number in runs[run]!.curves)
              .map((number) => ({ run, number })),
          );
          const curves: Curve[] = parts.map(({ run, number }) => ({
            label:
              number === title
                ? runs.length > 1
                  ? runs[run]!.title
                  : readable(title)
                : number.slice(title.length + 1),
            color: `--curve-${run % COLORS}`,
            dashed: number !== title,
          }));
          const xLabel = runs[0]?.unit ?? "steps";
          const label = `${readable(title)} over ${xLabel}`;
          return [title, { plot: new Plot({ label, curves, height: 220, axes: true, xLabel }), parts }];
        }),
    );
    fill(
      this.element,
      ...[...this.shown].map(([title, { plot }]) =>
        h("figure.curve", {}, h("figcaption", {}, readable(title)), plot.element),
      ),
    );
  }
}

const readable = (name: string): string => name.replaceAll("_", " ");

/** A curve's values at these steps; null where it says nothing. */
function aligned(steps: readonly number[], [at, values]: Points): (number | null)[] {
  const known = new Map(at.map((step, i) => [step, values[i]!]));
  return steps.map((step) => known.get(step) ?? null);
}
