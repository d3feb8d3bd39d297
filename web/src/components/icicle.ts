/** A search tree as bands, one for each ply: a node hangs below its parent, as wide as its part of the search. */

import { h } from "../dom";
import type { Growth, Places, Width } from "../trees";
import { color } from "./plot";
import { walk } from "./steps";

const ROOT = 16;
/** Heights of a band, in pixels: they share what there is. */
const ALL_BANDS = 330;
const LOWEST = 9;
const HIGHEST = 46;
/** Nodes from this width on have an edge, and from that one on a name. */
const EDGED = 4;
const NAMED = 34;

export interface Hands {
  /** A node is pointed at, or none any more. */
  point(node: number | null): void;
  /** A node was chosen. */
  choose(node: number): void;
}

export class Icicle {
  private readonly canvas = h("canvas", { "aria-hidden": "true" });
  readonly element = h("div.icicle", { role: "group", tabIndex: 0 }, this.canvas);
  private growth: Growth | null = null;
  private places: Places = { left: new Float64Array(), wide: new Float64Array() };
  private plies = 1;
  /** The line to this node is marked. */
  private marked: number | null = null;
  /** The part below this move of the root stands out. */
  private lit: number | null = null;

  constructor(
    private readonly curve: string,
    private readonly hands: Hands,
  ) {
    new ResizeObserver(() => this.draw()).observe(this.element);
    window.addEventListener("themechange", () => this.draw());
    this.canvas.onpointermove = (event) => event.pointerType !== "touch" && hands.point(this.at(event));
    this.canvas.onpointerleave = () => hands.point(null);
    this.canvas.onclick = (event) => {
      const node = this.at(event);
      if (node !== null) hands.choose(node);
    };
    this.element.onkeydown = (event) => this.step(event);
  }

  /** A tree, drawn as deep as `plies`, so that two of them can be compared. */
  show(growth: Growth | null, width: Width, plies: number, label: string): void {
    this.growth = growth;
    this.plies = Math.max(1, plies);
    if (growth) this.places = growth.places(width);
    this.element.setAttribute("aria-label", label);
    this.draw();
  }

  mark(node: number | null): void {
    if (node === this.marked) return;
    this.marked = node;
    this.draw();
  }

  light(node: number | null): void {
    if (node === this.lit) return;
    this.lit = node;
    this.draw();
  }

  // --- Drawing ---

  private get band(): number {
    return Math.max(LOWEST, Math.min(HIGHEST, Math.floor(ALL_BANDS / this.plies)));
  }

  private get width(): number {
    return this.element.clientWidth;
  }

  private box(node: number): [number, number, number, number] {
    const { left, wide } = this.places;
    const ply = this.growth!.plies[node]!;
    const top = ply === 0 ? 0 : ROOT + (ply - 1) * this.band;
    return [left[node]! * this.width, top, wide[node]! * this.width, (ply === 0 ? ROOT : this.band) - 1];
  }

  private draw(): void {
    const { width, growth } = this;
    const height = ROOT + this.plies * this.band;
    if (width === 0) return;
    const fine = window.devicePixelRatio || 1;
    this.canvas.width = width * fine;
    this.canvas.height = height * fine;
    this.canvas.style.height = `${height}px`;
    if (!growth) return;
    const pen = this.canvas.getContext("2d")!;
    pen.scale(fine, fine);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const inner = color(this.element, this.curve);
    const leaf = color(this.element, this.curve, 0.5);
    const faint = color(this.element, this.curve, 0.15);
    const [paper, ink] = [color(this.element, "--card"), color(this.element, "--ink")];
    for (let node = 0; node < growth.size; node++) {
      const isLeaf = growth.children[node]!.length === 0;
      const isLit = this.lit === null || node === 0 || growth.isBelow(node, this.lit);
      pen.fillStyle = !isLit ? faint : isLeaf ? leaf : inner;
      const [x, y, wide, high] = this.box(node);
      pen.fillRect(x, y, wide > EDGED ? wide - 1 : wide, high);
      if (wide < NAMED || high < 12 || node === 0) continue;
      pen.fillStyle = isLeaf || !isLit ? ink : paper;
      pen.fillText(growth.view.sans[node]!, x + 4, y + high / 2, wide - 8);
    }
    this.drawMark(pen);
  }

  /** The line to the node that is pointed at; one that is too narrow to be seen gets a few pixels. */
  private drawMark(pen: CanvasRenderingContext2D): void {
    if (this.marked === null || !this.growth) return;
    pen.strokeStyle = color(this.element, "--ink");
    pen.fillStyle = color(this.element, "--good", 0.55);
    pen.lineWidth = 1.5;
    for (const node of this.growth.path(this.marked)) {
      const [x, y, wide, high] = this.box(node);
      const shown = Math.max(3, wide - 1);
      const from = Math.min(x, this.width - shown);
      pen.fillRect(from, y, shown, high);
      pen.strokeRect(from + 0.5, y + 0.5, Math.max(1, shown - 1), high - 1);
    }
  }

  // --- Pointing ---

  private at(event: MouseEvent): number | null {
    const { growth } = this;
    if (!growth) return null;
    const ply = event.offsetY < ROOT ? 0 : 1 + Math.floor((event.offsetY - ROOT) / this.band);
    const row = growth.rows[ply] ?? [];
    const x = event.offsetX / this.width;
    const { left, wide } = this.places;
    let [low, high] = [0, row.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (left[row[middle]!]! <= x) low = middle + 1;
      else high = middle;
    }
    const node = row[low - 1];
    return node !== undefined && x < left[node]! + wide[node]! ? node : null;
  }

  /** Up to the parent, down to the first child, to the left and right among siblings. */
  private step(event: KeyboardEvent): void {
    const { growth } = this;
    if (!growth) return;
    const here = this.marked ?? 0;
    const siblings = growth.children[growth.view.parents[here] ?? -1] ?? [here];
    const beside = (by: number): number => siblings[siblings.indexOf(here) + by] ?? here;
    const widest = (): number =>
      growth.children[here]!.reduce(
        (best, node) => (growth.below[node]! > growth.below[best]! ? node : best),
        growth.children[here]![0] ?? here,
      );
    const keys = {
      ArrowUp: () => Math.max(0, growth.view.parents[here]!),
      ArrowDown: widest,
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
    };
    walk(event, keys, (node) => this.hands.choose(node));
  }
}
