/** What runs log, one plot for each number; runs that are compared share a plot, each in its own colour. */

import { amount } from "../amounts";
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

interface ShownCurve {
  plot: Plot;
  /** Which run and which number each curve is. */
  parts: { run: number; number: string }[];
}

export class Curves {
  readonly element = h("div.curves");
  private shown = new Map<string, ShownCurve>();
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
    const titles = numbers.filter((number) => !isInterval(number, numbers));
    titles.sort((a, b) => Number(isMeasured(b, numbers)) - Number(isMeasured(a, numbers)));
    this.shown = new Map(titles.map((title) => [title, plotOf(title, runs)]));
    fill(
      this.element,
      ...[...this.shown].map(([title, { plot }]) =>
        h("figure.curve", {}, h("figcaption", {}, readable(title)), plot.element),
      ),
    );
  }
}

/** One number of all runs; where it has an interval, that is a band around it. */
function plotOf(title: string, runs: readonly Logged[]): ShownCurve {
  const parts: ShownCurve["parts"] = [];
  const curves: Curve[] = [];
  const bands: [number, number][] = [];
  runs.forEach(({ curves: logged, title: name }, run) => {
    const color = `--curve-${run % COLORS}`;
    if (title in logged) {
      parts.push({ run, number: title });
      curves.push({ label: runs.length > 1 ? name : readable(title), color });
    }
    const edges = [`${title}_high`, `${title}_low`].filter((number) => number in logged);
    if (edges.length === 2) bands.push([curves.length, curves.length + 1]);
    for (const number of edges) {
      parts.push({ run, number });
      curves.push({ label: number.slice(title.length + 1), color, dashed: true });
    }
  });
  const xLabel = runs[0]?.unit ?? "steps";
  const label = `${readable(title)} over ${xLabel}`;
  return { plot: new Plot({ label, curves, bands, height: 220, axes: true, xLabel }), parts };
}

/** Is a number an end of another one's interval? */
const isInterval = (number: string, numbers: readonly string[]): boolean =>
  INTERVAL.test(number) && numbers.includes(number.replace(INTERVAL, ""));

/** Strength is what people want to see first: points of a suite, and what was measured with an interval. */
const isMeasured = (number: string, numbers: readonly string[]): boolean =>
  number.startsWith("sts") || numbers.includes(`${number}_low`);

/** What a run has last measured, in words: elo 52 (20 to 85). */
export function measured({ curves }: Logged): string[] {
  const numbers = Object.keys(curves);
  const last = (number: string): string => amount(Number((curves[number]?.[1].at(-1) ?? 0).toPrecision(4)));
  return numbers
    .filter((number) => isMeasured(number, numbers))
    .map((number) => {
      const interval = numbers.includes(`${number}_high`)
        ? ` (${last(`${number}_low`)} to ${last(`${number}_high`)})`
        : "";
      return `${readable(number)} ${last(number)}${interval}`;
    });
}

/** Numbers that people write otherwise. */
const NAMES: Record<string, string> = { elo: "Elo", sts: "STS points" };

const readable = (name: string): string => NAMES[name] ?? name.replaceAll("_", " ");

/** A curve's values at these steps; null where it has none. */
function aligned(steps: readonly number[], [at, values]: Points): (number | null)[] {
  const known = new Map(at.map((step, i) => [step, values[i]!]));
  return steps.map((step) => known.get(step) ?? null);
}
