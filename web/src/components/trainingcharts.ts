/** What a training has learned: both losses on one chart, and on another its Elo, with intervals, at each checkpoint. */

import { fill, h } from "../dom";
import type { Logged } from "./curves";
import { Plot } from "./plot";
import type { Age } from "./timelapse";

const LOSSES = ["train_loss", "validation_loss"] as const;

export class TrainingCharts {
  private readonly losses = new Plot({
    label: "Loss in training and in validation",
    curves: [
      { label: "training loss", color: "--curve-0" },
      { label: "validation loss", color: "--curve-1" },
    ],
    height: 220,
    axes: true,
    xLabel: "step",
  });
  private readonly elos = new Plot({
    label: "Elo against material and against the checkpoint before, with 95 % intervals",
    curves: [
      { label: "against material", color: "--curve-2" },
      { label: "at most", color: "--curve-2", edge: true },
      { label: "at least", color: "--curve-2", edge: true },
      { label: "against the checkpoint before", color: "--curve-3" },
      { label: "at most", color: "--curve-3", edge: true },
      { label: "at least", color: "--curve-3", edge: true },
    ],
    bands: [
      [1, 2],
      [4, 5],
    ],
    height: 220,
    axes: true,
    xLabel: "step",
  });
  private readonly lossFigure = h("figure.curve", {}, h("figcaption", {}, "Loss"), this.losses.element);
  private readonly eloFigure = h("figure.curve", {}, h("figcaption", {}, "Elo"), this.elos.element);
  readonly element = h("div.curves.training-charts");

  constructor() {
    fill(this.element, this.eloFigure, this.lossFigure);
  }

  showLosses(logged: Logged | null): void {
    const curves = LOSSES.map((name) => logged?.curves[name] ?? [[], []]);
    this.lossFigure.hidden = curves.every(([at]) => at!.length === 0);
    const steps = [...new Set(curves.flatMap(([at]) => at!))].sort((a, b) => a - b);
    const values = curves.map(([at, found]) => {
      const known = new Map(at!.map((step, i) => [step, found![i]!]));
      return steps.map((step) => known.get(step) ?? null);
    });
    this.losses.show(steps, ...values);
  }

  showAges(ages: readonly Age[]): void {
    const measured = ages.filter(({ elo_material }) => elo_material !== undefined);
    this.eloFigure.hidden = measured.length === 0;
    const column = (name: keyof Age): (number | null)[] =>
      measured.map((age) => (age[name] as number | undefined) ?? null);
    this.elos.show(
      measured.map(({ step }) => step),
      column("elo_material"),
      column("elo_material_high"),
      column("elo_material_low"),
      column("elo_previous"),
      column("elo_previous_high"),
      column("elo_previous_low"),
    );
  }
}
