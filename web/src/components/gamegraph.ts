/** Win, draw and loss through a game, in the colours of the value bar, with its mistakes as dots. */

import uPlot from "uplot";
import { h } from "../dom";
import type { Value } from "../records";
import { color } from "./plot";

const HEIGHT = 104;
/** Dots keep so far from the edge that they are seen whole. */
const EDGE = 0.06;

export interface Dot {
  ply: number;
  /** ?!, ? or ??; nothing for a note without a mark. */
  mark: string;
}

export class GameGraph {
  readonly element = h("div.plot.game-graph", { role: "img" });
  private plot: uPlot | null = null;
  private data: uPlot.AlignedData = [[], [], [], [], []];
  private dots: readonly Dot[] = [];
  private current: number | null = null;

  /** `onPick` is told the ply that was clicked, `onHover` the one that is pointed at, and where. */
  constructor(
    private readonly onPick: (ply: number) => void,
    private readonly onHover: (ply: number | null, at: DOMRect) => void,
  ) {
    new ResizeObserver(() => this.rebuild()).observe(this.element);
    window.addEventListener("themechange", () => this.rebuild());
  }

  /** `values` of the positions known so far, of `length` in all. */
  show(values: readonly Value[], length: number, dots: readonly Dot[], current: number | null): void {
    const at = (ply: number, of: (value: Value) => number): number | null => (values[ply] ? of(values[ply]) : null);
    const plies = Array.from({ length }, (_, ply) => ply);
    this.data = [
      plies,
      plies.map((ply) => at(ply, () => 1)),
      plies.map((ply) => at(ply, ({ wdl: [win, draw] }) => win + draw)),
      plies.map((ply) => at(ply, ({ wdl: [win] }) => win)),
      plies.map((ply) => at(ply, ({ white }) => white)),
    ];
    this.dots = dots;
    this.current = current;
    const last = values.at(-1);
    this.element.setAttribute(
      "aria-label",
      `White's expected score through the game: ${dots.length} moves marked${last ? `, ${last.text} for White at the end` : ""}`,
    );
    if (this.plot && this.plot.data[0].length === length) this.plot.setData(this.data);
    else this.rebuild();
  }

  private rebuild(): void {
    this.plot?.destroy();
    this.plot = null;
    const { width } = this.element.getBoundingClientRect();
    if (width === 0 || this.data[0].length < 2) return;
    const fill = (name: string) => ({
      fill: color(this.element, name),
      width: 0,
      points: { show: false },
    });
    this.plot = new uPlot(
      {
        width: width - 2,
        height: HEIGHT,
        legend: { show: false },
        padding: [0, 0, 0, 0],
        scales: { x: { time: false }, y: { range: [0, 1] } },
        axes: [{ show: false }, { show: false }],
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        series: [
          {},
          fill("--black-part"),
          fill("--draw-part"),
          fill("--white-part"),
          { stroke: color(this.element, "--curve"), width: 1.6, points: { show: false } },
        ],
        hooks: {
          draw: [(plot) => this.drawOver(plot)],
          setCursor: [(plot) => this.hover(plot)],
          ready: [(plot) => plot.over.addEventListener("click", () => this.pick(plot))],
        },
      },
      this.data,
      this.element,
    );
  }

  private pick(plot: uPlot): void {
    if (typeof plot.cursor.idx === "number") this.onPick(plot.cursor.idx);
  }

  private hover(plot: uPlot): void {
    const { idx, left } = plot.cursor;
    const inside = typeof idx === "number" && left !== undefined && left >= 0;
    const box = plot.over.getBoundingClientRect();
    this.onHover(inside ? idx : null, new DOMRect(box.left + (left ?? 0), box.top, 1, box.height));
  }

  /** The half, the position that is looked at, and the mistakes. */
  private drawOver(plot: uPlot): void {
    const { ctx } = plot;
    const x = (ply: number): number => plot.valToPos(ply, "x", true);
    const y = (value: number): number => plot.valToPos(value, "y", true);
    const stroke = (name: string, width: number, ...[x1, y1, x2, y2]: [number, number, number, number]): void => {
      ctx.beginPath();
      ctx.strokeStyle = color(this.element, name);
      ctx.lineWidth = width * devicePixelRatio;
      ctx.moveTo(x1, y1);
      ctx.lineTo(x2, y2);
      ctx.stroke();
    };
    ctx.save();
    stroke("--half", 1, x(0), y(0.5), x(this.data[0].length - 1), y(0.5));
    if (this.current !== null) stroke("--curve", 2, x(this.current), y(0), x(this.current), y(1));
    for (const { ply, mark } of this.dots) {
      const value = this.data[4]?.[ply + 1];
      if (value === null || value === undefined) continue;
      const radius = (mark === "??" ? 5 : 4) * devicePixelRatio;
      ctx.beginPath();
      ctx.arc(x(ply + 1), y(Math.max(EDGE, Math.min(1 - EDGE, value))), radius, 0, 2 * Math.PI);
      ctx.fillStyle = color(this.element, MARK_COLORS[mark] ?? "--good");
      ctx.fill();
      ctx.strokeStyle = color(this.element, "--card");
      ctx.lineWidth = 1.5 * devicePixelRatio;
      ctx.stroke();
    }
    ctx.restore();
  }
}

const MARK_COLORS: Record<string, string> = { "??": "--blunder", "?": "--mistake", "?!": "--inaccuracy" };
