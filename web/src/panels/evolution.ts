/** Evolution: the generations of a run pass by, and the champions of two of them play each other. */

import "../styles/evolution.css";
import { ChampionMatch, type Matches } from "../components/championmatch";
import { type GeneHistory, GeneHistoryPlot, GeneCurves } from "../components/genecurves";
import { Generations } from "../components/generations";
import { GenePicker } from "../components/genepicker";
import { type Genes, GeneTable, readable, type Weights } from "../components/genes";
import { type RunSummary, stepsOf } from "../components/runprogress";
import { fill, h } from "../dom";
import type { PanelContext, Mounted, Panel } from "../panel";
import { recall, remember } from "../store";

interface Lineage {
  problem: { error: string; hint: string } | null;
  /** Null before anything is there. */
  genes: Genes | null;
  recipe: string;
  generations: number[];
  scores: { best: number[]; mean: number[]; spread: number[] };
  /** The weights that were chosen. */
  weights: (GeneHistory & { gene: number })[];
  /** The first and the last generation that has one. */
  champions: number[];
}

type EvolutionRun = RunSummary & Lineage;

interface Passed {
  generation: number;
  /** Null if this run does not tell them. */
  weights: Weights | null;
  champion: boolean;
}

const MOST_CURVES = 12;
const KEYS = [
  ["← →", "one generation back, one on"],
  ["Home End", "to the first, to the last generation"],
  ["p", "let generations pass, or pause"],
] as const;

export const evolution: Panel = {
  id: "evolution",
  title: "Evolution",
  about: "Generations of players, and matches between them.",
  mount: (root, context) => new Evolution(root, context),
};

class Evolution implements Mounted {
  readonly keys = KEYS;
  private name: string | null = recall<string>("evolution.run");
  private chosen: number[] | null = null;
  private folder = "runs";
  private run: EvolutionRun | null = null;
  /** The place of the generation that is looked at; null follows the run. */
  private viewed: number | null = null;
  private passed: Passed | null = null;
  private asking = false;
  private items = new Map<string, EvolutionItem>();

  private readonly list = h("ul.tournament-list");
  private readonly empty = h("div.empty", { hidden: true });
  private readonly title = h("h2");
  private readonly facts = h("p", { role: "status" });
  private readonly problem = h("p.failure", { role: "alert", hidden: true });
  private readonly bar = new Generations((place) => this.look(place));
  private readonly score = new GeneHistoryPlot("Score", (generation) => this.pick(generation), 240);
  private readonly curves = new GeneCurves((generation) => this.pick(generation));
  private readonly picker: GenePicker;
  private readonly table = new GeneTable();
  private readonly untold = h("p.quiet", { hidden: true }, "This run does not log its weights.");
  private readonly play = h("a.play-champion", {}, "");
  private readonly champions: ChampionMatch;
  private readonly main: HTMLElement;

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    this.picker = new GenePicker(
      MOST_CURVES,
      (genes) => this.choose(genes),
      () => this.drawWeights(),
    );
    this.champions = new ChampionMatch(context);
    root.classList.add("evolution");
    this.main = h(
      "div.evolution-main",
      { hidden: true },
      h("div.evolution-head", {}, this.title, this.facts),
      this.problem,
      h("div.passing", {}, this.bar.element, this.play),
      this.score.element,
      this.champions.element,
      h("section", { "aria-label": "Weights" }, h("h3", {}, "Weights"), this.untold, this.picker.element),
      this.curves.element,
      this.table.element,
    );
    root.append(
      h(
        "aside.tournament-side",
        { "aria-label": "Runs of evolution" },
        h("h2", {}, "Evolution"),
        this.list,
        this.empty,
      ),
      this.main,
    );
    context.socket.on<{ runs: RunSummary[] }>("evolution.listed", ({ runs }) => this.showList(runs));
    context.socket.on<{ run: EvolutionRun | null }>("evolution.shown", ({ run }) => this.show(run));
    context.socket.on<Matches>("evolution.matches", (matches) => this.champions.show(matches));
  }

  // --- What the frame calls ---

  shown(): void {
    this.watch();
  }

  hidden(): void {
    this.bar.stop();
    this.context.socket.ask("evolution.rest").catch(() => {});
  }

  connected(): void {
    if (this.main.closest("section[hidden]") === null) this.watch();
  }

  key(event: KeyboardEvent): boolean {
    return this.bar.key(event.key);
  }

  // --- Choosing ---

  private watch(): void {
    this.context.socket
      .ask<{ folder: string }>("evolution.watch", { run: this.name, genes: this.chosen })
      .then(({ folder }) => (this.folder = folder), this.context.complain);
  }

  private open(name: string): void {
    this.bar.stop();
    this.name = name;
    this.chosen = this.run = this.passed = this.viewed = null;
    remember("evolution.run", name);
    this.watch();
  }

  private choose(genes: number[] | null): void {
    this.chosen = genes;
    this.watch();
  }

  // --- Generations ---

  private get place(): number {
    const last = Math.max(0, (this.run?.generations.length ?? 0) - 1);
    return Math.min(this.viewed ?? last, last);
  }

  private get generation(): number {
    return this.run?.generations[this.place] ?? 0;
  }

  private pick(generation: number): void {
    this.bar.go(this.run?.generations.indexOf(generation) ?? 0);
  }

  private look(place: number): void {
    const { run } = this;
    if (!run?.genes) return;
    this.viewed = place >= run.generations.length - 1 ? null : place;
    this.bar.show(run.generations, this.place);
    this.score.mark(scoresOf(run), this.generation);
    this.curves.mark(this.generation);
    void this.fetch();
  }

  /** Ask for the weights of the generation that is looked at: one question at a time, however fast the slider is. */
  private async fetch(): Promise<void> {
    if (this.asking || !this.run?.generations.length) return;
    this.asking = true;
    const { name, generation } = this;
    try {
      this.passed = await this.context.socket.ask<Passed>("evolution.generation", { run: name, generation });
      this.drawWeights();
    } catch (error) {
      this.context.complain(error);
      return;
    } finally {
      this.asking = false;
    }
    if (name !== this.name || generation !== this.generation) void this.fetch();
  }

  // --- Drawing ---

  private showList(runs: readonly RunSummary[]): void {
    if (runs[0] && !runs.some(({ name }) => name === this.name)) this.open(runs[0].name);
    this.items = new Map(
      runs.map(({ name }) => [name, this.items.get(name) ?? new EvolutionItem(() => this.open(name))]),
    );
    for (const run of runs) this.items.get(run.name)!.show(run, run.name === this.name);
    const elements = [...this.items.values()].map(({ element }) => element);
    if (
      elements.length !== this.list.children.length ||
      elements.some((element, i) => this.list.children[i] !== element)
    )
      fill(this.list, ...elements);
    this.empty.hidden = runs.length > 0;
    fill(
      this.empty,
      h("p", {}, `There is no evolution in the folder ${this.folder}/ yet.`),
      h("p.quiet", {}, "Runs of evolution appear here by themselves. Try in a terminal:"),
      h("code", {}, "okapi evolve vazquez-five --size quick"),
    );
  }

  private show(run: EvolutionRun | null): void {
    this.main.hidden = !run;
    if (!run || run.name !== this.name) return;
    this.run = run;
    this.title.textContent = run.title;
    this.facts.textContent = [run.state, stepsOf(run), run.genes && `${run.genes.names.length} weights`, run.note]
      .filter(Boolean)
      .join(" · ");
    this.problem.hidden = !run.problem;
    this.problem.textContent = run.problem ? `${run.problem.error}: ${run.problem.hint}` : "";
    this.main.classList.toggle("bare", !run.genes);
    this.champions.offer(run.name, run.genes ? run.champions : []);
    if (!run.genes) return;
    this.score.show(scoresOf(run));
    this.untold.hidden = run.weights.length > 0 || this.chosen !== null;
    this.chosen ??= run.weights.length && run.generations.length > 1 ? run.weights.map(({ gene }) => gene) : null;
    this.picker.element.hidden = !this.untold.hidden;
    this.picker.show(
      run.genes.names,
      run.weights.map(({ gene }) => gene),
    );
    this.curves.show(
      new Map(run.weights.map((history) => [readable(run.genes!.names[history.gene]!), history])),
      this.generation,
    );
    this.look(this.place);
  }

  private drawWeights(): void {
    const { run, passed } = this;
    if (!run?.genes || !passed) return;
    const { weights, generation, champion } = passed;
    this.table.element.hidden = !weights;
    if (weights) this.table.show(run.genes, weights, (name) => this.picker.finds(name));
    this.play.hidden = !champion;
    this.play.textContent = `Play against the champion of generation ${generation}`;
    this.play.href = `#play?${new URLSearchParams({ brain: `${run.name}@${generation}` })}`;
  }
}

/** A run in the list. Its elements stay while what they say changes, so that a click always meets what it aimed at. */
class EvolutionItem {
  private readonly name = h("span.tournament-names");
  private readonly state = h("span.state");
  private readonly folder = h("span.quiet");
  private readonly facts = h("span.quiet");
  private readonly bar = h("progress", { "aria-label": "How far it is" });
  private readonly button: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor(onclick: () => void) {
    this.button = h("button.tournament-item", { onclick }, this.name, this.state, this.folder, this.facts);
    this.element = h("li", {}, this.button, this.bar);
  }

  show(run: RunSummary, current: boolean): void {
    this.name.textContent = run.title;
    this.folder.textContent = run.name;
    this.state.textContent = run.state;
    this.state.className = `state ${run.state}`;
    this.facts.textContent = stepsOf(run);
    this.bar.hidden = run.total === null;
    this.bar.max = run.total ?? 1;
    this.bar.value = run.step ?? 0;
    if (current) this.button.setAttribute("aria-current", "true");
    else this.button.removeAttribute("aria-current");
  }
}

function scoresOf({ generations, scores: { best, mean, spread } }: Lineage): GeneHistory {
  return { generations, best, mean, deviation: spread };
}
