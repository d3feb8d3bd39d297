/** A brain's map of positions, the game on it, and the choice of the brain. */

import { field, fill, h, select } from "../dom";
import { Newest } from "../newest";
import type { PanelContext } from "../panel";
import type { Played, Side } from "../records";
import { recall, remember } from "../store";
import { AtlasMap, type Dots } from "./atlas";

interface Walk {
  brain: string;
  start: string;
  moves: string[];
}

interface Walked {
  number: number;
  brain: string;
  points: [number, number][];
}

/** Plies that the server looks up. */
const LONGEST = 600;

const LEGEND = [
  ["losing", "the side to move loses"],
  ["winning", "it wins"],
  ["white", "White’s boards"],
  ["black", "Black’s"],
] as const;

export class Chart {
  private readonly brain = select([["", "none"]]);
  private readonly map: AtlasMap;
  private readonly without = h(
    "div.without",
    { hidden: true },
    h("p", {}, "No brain here has a map of positions yet. To make one from games:"),
    h("code.command", {}, "python scripts/make_atlas.py --help"),
  );
  private readonly shown = h("div.chart", { hidden: true });
  readonly element = h("section.chart-section", { "aria-label": "Map of positions" }, this.without, this.shown);

  private readonly walk: Newest<Walk, unknown>;
  private drawn = "";
  private asked = "";
  private points: [number, number][] = [];
  private game: { played: Played; at: number; bottom: Side } | null = null;

  constructor(
    private readonly context: PanelContext,
    onGo: (ply: number) => void,
  ) {
    this.map = new AtlasMap(onGo);
    this.walk = new Newest(context, "human_moves.trace");
    this.brain.onchange = () => this.choose(this.brain.value);
    fill(
      this.shown,
      field("Map of positions of", this.brain),
      this.map.element,
      h("p.quiet.legend", {}, ...LEGEND.map(([look, text]) => h("span", {}, h(`i.swatch.${look}`), text))),
    );
    context.socket.on<Dots>("human_moves.atlas", (dots) => this.hearDots(dots));
    context.socket.on<Walked>("human_moves.traced", (walked) => this.hearWalk(walked));
    context.socket.on<{ of: string; number: number }>("human_moves.failed", ({ of, number }) => {
      if (of === "traced") this.walk.landed(number);
    });
  }

  offer(brains: readonly string[]): void {
    this.without.hidden = brains.length > 0;
    this.shown.hidden = brains.length === 0;
    fill(this.brain, ...brains.map((name) => h("option", { value: name }, name)));
    const before = recall<string>("human_moves.atlas");
    const brain = before !== null && brains.includes(before) ? before : brains[0];
    if (brain === undefined) return;
    this.brain.value = brain;
    if (this.drawn !== brain) this.choose(brain);
  }

  /** The way of a game; where its positions lie is asked only if its moves are others. */
  show(played: Played, at: number, bottom: Side): void {
    this.game = { played, at, bottom };
    const brain = this.brain.value;
    const moves = played.moves.slice(0, LONGEST).map(({ uci }) => uci);
    const asked = JSON.stringify([brain, played.start, moves]);
    if (asked === this.asked) this.draw();
    else if (brain && !this.shown.hidden) {
      this.asked = asked;
      this.walk.ask({ brain, start: played.start, moves });
    }
  }

  /** The connection is another one. */
  forget(): void {
    this.walk.forget();
    this.asked = "";
  }

  hide(): void {
    this.map.hide();
  }

  private choose(brain: string): void {
    remember("human_moves.atlas", brain);
    this.context.socket.ask("human_moves.atlas", { brain }).catch(this.context.complain);
    if (this.game) this.show(this.game.played, this.game.at, this.game.bottom);
  }

  private hearDots(dots: Dots): void {
    if (dots.brain !== this.brain.value) return;
    this.drawn = dots.brain;
    this.map.drawDots(dots);
  }

  private hearWalk({ number, brain, points }: Walked): void {
    if (!this.walk.landed(number) || brain !== this.brain.value) return;
    this.points = points;
    this.draw();
  }

  /** A way that has not come yet would not fit the moves. */
  private draw(): void {
    if (!this.game) return;
    const { played, at, bottom } = this.game;
    const fits = this.points.length === Math.min(played.moves.length, LONGEST) + 1;
    if (fits) this.map.drawWay(this.points, played, at, bottom);
  }
}
