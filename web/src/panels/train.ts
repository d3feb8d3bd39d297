/** Train: a brain that grows, a form to train another one, and all trainings with their cards and curves. */

import "../styles/train.css";
import type { Logged } from "../components/curves";
import { RunCard, type Training } from "../components/runcard";
import type { RunSummary } from "../components/runprogress";
import { type Age, TimeLapse } from "../components/timelapse";
import { type Offer, TrainForm } from "../components/trainform";
import { TrainingCharts } from "../components/trainingcharts";
import { fill, h } from "../dom";
import type { PanelContext, Mounted, Panel } from "../panel";
import { recall, remember } from "../store";

const KEYS = [
  ["← →", "one age back, one on"],
  ["Home End", "to the first age, to the last"],
  ["p", "play the ages, or pause"],
] as const;

export const train: Panel = {
  id: "train",
  title: "Grow",
  about: "Train a brain, and see it at every age.",
  mount: (root, context) => new Train(root, context),
};

class Train implements Mounted {
  readonly keys = KEYS;
  private chosen: string | null = recall<string>("train.run");
  private cards = new Map<string, RunCard>();
  private readonly lapse: TimeLapse;
  private readonly form: TrainForm;
  private readonly charts = new TrainingCharts();
  private readonly list = h("ul.run-cards");
  private readonly heading = h("h2", {}, "Trainings");
  private readonly folder = h("p.quiet");
  private readonly done = new Map<string, string>();

  constructor(
    private readonly root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    root.classList.add("train");
    this.lapse = new TimeLapse(context);
    this.form = new TrainForm(context, (run) => this.watch(run));
    root.append(
      this.lapse.element,
      this.form.element,
      h("section.trainings", { "aria-label": "Trainings" }, this.heading, this.folder, this.list, this.charts.element),
    );
    context.socket.on<{ runs: Training[]; recorded: RunSummary[] }>("train.listed", (news) => this.show(news));
    context.socket.on<{ run: Logged | null }>("train.shown", ({ run }) => this.charts.showLosses(run));
    context.socket.on<{ run: string; ages: Age[] }>("train.aged", ({ run, ages }) => {
      if (run === this.chosen) this.charts.showAges(ages);
    });
  }

  shown(): void {
    this.watch(this.chosen, false);
    this.context.socket.ask<Offer>("train.offer").then((offer) => {
      this.form.show(offer);
      this.lapse.offer(offer.positions);
      this.folder.textContent = `In ${offer.folder}`;
    }, this.context.complain);
  }

  hidden(): void {
    this.lapse.stop();
    this.context.socket.ask("train.rest").catch(() => {});
  }

  connected(): void {
    this.lapse.connected();
    if (!this.root.hidden) this.shown();
  }

  offered(): void {
    this.form.offered();
  }

  key(event: KeyboardEvent): boolean {
    return this.lapse.key(event.key);
  }

  private watch(run: string | null, lapse = true): void {
    this.chosen = run;
    if (run !== null) remember("train.run", run);
    this.charts.showLosses(null);
    this.charts.showAges([]);
    this.context.socket.ask("train.watch", { run }).catch(this.context.complain);
    if (run !== null && lapse) this.lapse.choose(run);
  }

  private show({ runs, recorded }: { runs: readonly Training[]; recorded: readonly RunSummary[] }): void {
    this.announce(runs);
    this.lapse.list(runs, recorded);
    this.form.know(
      [...runs, ...recorded].map(({ name }) => name),
      runs.some(({ state, own }) => own && state === "running"),
    );
    this.cards = new Map(
      runs.map(({ name }) => [
        name,
        this.cards.get(name) ?? new RunCard(this.context, name, { onWatch: (run) => this.watch(run) }),
      ]),
    );
    for (const run of runs) this.cards.get(run.name)!.show(run, run.name === this.chosen);
    const elements = [...this.cards.values()].map(({ element }) => element);
    const same = elements.length === this.list.children.length;
    if (!same || elements.some((element, i) => this.list.children[i] !== element)) fill(this.list, ...elements);
    this.heading.hidden = this.folder.hidden = runs.length === 0;
  }

  /** Say it when a training ends. */
  private announce(runs: readonly Training[]): void {
    for (const { name, state } of runs) {
      if (this.done.get(name) === "running" && state !== "running") this.context.announce(`${name}: ${state}`);
      this.done.set(name, state);
    }
  }
}
