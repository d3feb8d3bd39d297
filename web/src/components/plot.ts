/** Curves: uPlot in the colours of the theme, as wide as there is room. */

import uPlot from "uplot";
import { h } from "../dom";

export interface Curve {
  label: string;
  /** A custom property of base.css, as in --accent. */
  color: string;
  /** Fill the area below. */
  filled?: boolean;
  /** A thin, broken line. */
  dashed?: boolean;
  /** Not drawn and not named: it only bounds a band. */
  edge?: boolean;
}

export interface PlotOptions {
  label: string;
  curves: readonly Curve[];
  /** Pairs of curves, the upper one first, between which the area is filled. */
  bands?: readonly (readonly [number, number])[];
  height?: number;
  /** Least and greatest value; as the data says if not given. */
  range?: [number, number];
  axes?: boolean;
  /** What is counted on the x axis. */
  xLabel?: string;
  /** There is nothing between 1 and 2 on the x axis. */
  whole?: boolean;
  /** Told the index of a point that was clicked. */
  onPick?: (index: number) => void;
}

const FEW = 40;
const WHOLE_STEPS = [0, 1, 2, 3, 4, 5].flatMap((zeros) => [1, 2, 5].map((step) => step * 10 ** zeros));

export class Plot {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private data: uPlot.AlignedData;
  private marked: number | null = null;

  constructor(private readonly options: PlotOptions) {
    this.element = h("div.plot", { role: "img", "aria-label": options.label });
    this.data = [[], ...options.curves.map(() => [])];
    new ResizeObserver(() => this.resize()).observe(this.element);
    window.addEventListener("themechange", () => this.rebuild());
  }

  /** Points: what is on the x axis, then one list for each curve. */
  show(x: number[], ...curves: (number | null)[][]): void {
    this.data = [x, ...curves];
    if (this.plot) this.plot.setData(this.data);
    else this.rebuild();
  }

  /** Mark a point, or none. */
  mark(index: number | null): void {
    this.marked = index;
    if (!this.plot) return;
    const x = index === null ? undefined : this.data[0][index];
    const left = x === undefined ? -10 : this.plot.valToPos(x, "x");
    this.plot.setCursor({ left, top: 1 }, false);
  }

  private rebuild(): void {
    this.plot?.destroy();
    this.plot = null;
    const { width } = this.element.getBoundingClientRect();
    if (width === 0) return;
    const { curves, bands = [], height = 90, range, axes = false, whole = false, onPick } = this.options;
    const ink = color(this.element, "--quiet");
    const thin = { stroke: color(this.element, "--line"), width: 1 };
    const axis = { show: axes, stroke: ink, grid: thin, ticks: thin };
    this.plot = new uPlot(
      {
        width,
        height,
        legend: { show: axes },
        padding: axes ? [8, 26, 0, 0] : [2, 0, 2, 0],
        scales: { x: { time: false }, y: range ? { range } : {} },
        axes: [whole ? { ...axis, incrs: WHOLE_STEPS } : axis, { ...axis, size: 58 }],
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
        bands: bands.map(([upper, lower]) => ({
          series: [upper + 1, lower + 1] as [number, number],
          fill: color(this.element, curves[upper]!.color, 0.2),
        })),
        series: [
          { label: this.options.xLabel },
          ...curves.map((curve) => ({
            label: curve.label,
            class: curve.edge ? "edge" : undefined,
            stroke: curve.edge ? undefined : color(this.element, curve.color),
            fill: curve.filled ? color(this.element, curve.color, 0.25) : undefined,
            width: curve.dashed ? 1 : 1.5,
            dash: curve.dashed ? [3, 4] : undefined,
            spanGaps: true,
            points: {
              show:
                curve.dashed || curve.edge ? false : (_: uPlot, series: number) => axes && isSparse(this.data[series]!),
              size: 5,
            },
          })),
        ],
        hooks: {
          ready: [(plot) => plot.over.addEventListener("click", () => onPick?.(plot.cursor.idx ?? 0))],
        },
      },
      this.data,
      this.element,
    );
    this.mark(this.marked);
  }

  private resize(): void {
    const { width } = this.element.getBoundingClientRect();
    if (width === 0) return;
    if (this.plot) this.plot.setSize({ width, height: this.options.height ?? 90 });
    else this.rebuild();
    this.mark(this.marked);
  }
}

/** Few points are drawn as dots, too: a single one would be invisible as a line. */
const isSparse = (values: ArrayLike<number | null | undefined>): boolean =>
  Array.from(values).filter((value) => value !== null && value !== undefined).length <= FEW;

/** A colour of the theme as a canvas understands it. */
export function color(element: HTMLElement, name: string, opacity = 1): string {
  const probe = h("i");
  probe.style.color = `var(${name})`;
  element.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return opacity === 1 ? found : found.replace(/rgb\((.*)\)/, `rgba($1, ${opacity})`);
}
