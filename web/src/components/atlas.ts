/** A map of positions: dots coloured by how the side to move stands, and the way of a game through them. */

import { fill, h, svg } from "../dom";
import { other, type Played, type Side } from "../records";
import { type Glimpse, Peek } from "./peek";

export interface Dots {
  brain: string;
  /** From 0 to 1000 each way. */
  points: [number, number][];
  /** From 0, the side to move stands worst, to 100, it stands best. */
  values: number[];
}

const SIZE = 1000;
const MARGIN = 20;
/** From losing to winning. */
const COLOURS = [
  [42, 98, 190],
  [150, 150, 160],
  [200, 50, 40],
] as const;

export class AtlasMap {
  private readonly canvas = h("canvas", { width: SIZE, height: SIZE, "aria-hidden": "true" });
  private readonly way = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img" });
  private readonly peek = new Peek();
  readonly element = h("div.atlas-map", {}, this.canvas, this.way);

  /** `onGo` is told how many moves are played at a dot of the way. */
  constructor(private readonly onGo: (ply: number) => void) {}

  drawDots({ points, values }: Dots): void {
    const pen = this.canvas.getContext("2d")!;
    pen.clearRect(0, 0, SIZE, SIZE);
    const radius = points.length > 2000 ? 4 : 7;
    points.forEach(([x, y], i) => {
      pen.fillStyle = colour(values[i]! / 100);
      pen.beginPath();
      pen.arc(inside(x), inside(y), radius, 0, 2 * Math.PI);
      pen.fill();
    });
  }

  /** The way of a game: the boards that White has before each move of its own, and those that Black has. */
  drawWay(points: readonly [number, number][], played: Played, at: number, bottom: Side): void {
    this.hide();
    const sides = (["white", "black"] as const).map((side) =>
      svg("polyline", {
        class: `way ${side}`,
        points: points
          .filter((_, ply) => moverAt(played, ply) === side)
          .map(([x, y]) => `${inside(x)},${inside(y)}`)
          .join(" "),
      }),
    );
    const stops = points.map((point, ply) => this.stop(point, ply, played, at, bottom));
    const here = stops[at];
    // The position that is shown lies over the others.
    fill(this.way, ...sides, ...stops.filter((stop) => stop !== here), here);
    const moves = points.length - 1;
    this.way.setAttribute(
      "aria-label",
      moves > 0 ? `The game on the map, ${moves} moves, at move ${at}` : "The position on the map",
    );
  }

  hide(): void {
    this.peek.hide();
  }

  private stop([x, y]: [number, number], ply: number, played: Played, at: number, bottom: Side): SVGElement {
    const place = { cx: inside(x), cy: inside(y), r: ply === at ? 15 : 8 };
    const dot = svg("circle", { class: `stop ${moverAt(played, ply)}${ply === at ? " here" : ""}`, ...place });
    const move = played.moves[ply - 1];
    const caption = move ? `after ${moveNumber(played, ply - 1)} ${move.san}` : "the start";
    const glimpse: Glimpse = { fen: move?.fen ?? played.start, uci: move?.squares.join("") ?? "", caption };
    dot.addEventListener("pointerenter", () => this.peek.show(glimpse, bottom, dot.getBoundingClientRect()));
    dot.addEventListener("pointerleave", () => this.hide());
    dot.addEventListener("click", () => this.onGo(ply));
    return dot;
  }
}

/** Who is to move after so many moves. */
export const moverAt = ({ start_turn }: Played, ply: number): Side => (ply % 2 ? other(start_turn) : start_turn);

/** As before a move on a score sheet: 12. or 12… */
function moveNumber({ start_turn, start_number }: Played, ply: number): string {
  const half = ply + (start_turn === "black" ? 1 : 0);
  return `${start_number + Math.floor(half / 2)}${half % 2 ? "…" : "."}`;
}

const inside = (coordinate: number): number => MARGIN + ((SIZE - 2 * MARGIN) * coordinate) / 1000;

function colour(value: number): string {
  const [from, to] = value < 0.5 ? [COLOURS[0], COLOURS[1]] : [COLOURS[1], COLOURS[2]];
  const share = value < 0.5 ? 2 * value : 2 * value - 1;
  const mixed = from.map((part, i) => Math.round(part + share * (to[i]! - part)));
  return `rgb(${mixed.join(" ")} / 55%)`;
}
