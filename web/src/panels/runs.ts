/** Runs: what training, labelling, matches and other long work leave behind, while it goes on. */

import "../styles/runs.css";
import { amount } from "../amounts";
import { Board } from "../board";
import { COLORS, Curves, type Logged, measured } from "../components/curves";
import { when } from "../components/runcard";
import { progressOf, type RunSummary } from "../components/runprogress";
import { inWords, ValueBar } from "../components/valuebar";
import { fill, h } from "../dom";
import type { PanelContext, Mounted, Panel } from "../panel";
import type { Side, Value } from "../records";
import { recall, remember } from "../store";

interface Sample {
  fen: string | null;
  turn: Side;
  value: Value | null;
  step: number | null;
  note: string;
}

type LoggedRun = RunSummary & Logged & { settings: Record<string, string>; samples: Sample[] };

const MOST = 6;
const SAMPLES = 3;
const FEW_SETTINGS = 10;

export const runs: Panel = {
  id: "runs",
  title: "Runs",
  about: "Curves, samples and settings of long work.",
  mount: (root, context) => new Runs(root, context),
};

class Runs implements Mounted {
  private chosen: string[] | null = recall<string[]>("runs.chosen");
  private folder = "runs";
  private items = new Map<string, RunItem>();
  /** Runs whose settings were opened. */
  private readonly opened = new Set<string>();
  private readonly list = h("ul.run-list");
  private readonly empty = h("div.empty", { hidden: true });
  private readonly head = h("div.run-head");
  private readonly curves = new Curves();
  private readonly views = Array.from({ length: SAMPLES }, () => new SampleView());
  private readonly samples = h(
    "section.samples",
    { hidden: true, "aria-label": "Samples" },
    h("h3", {}, "Samples"),
    h("div.sample-row", {}, ...this.views.map(({ element }) => element)),
  );

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    root.classList.add("runs");
    root.append(
      h("aside.run-side", { "aria-label": "All runs" }, h("h2", {}, "Runs"), this.list, this.empty),
      h("div.run-main", {}, this.head, this.curves.element, this.samples),
    );
    context.socket.on<{ runs: RunSummary[] }>("runs.listed", ({ runs }) => this.showList(runs));
    context.socket.on<{ runs: LoggedRun[] }>("runs.shown", ({ runs }) => this.showRuns(runs));
  }

  shown(): void {
    this.watch();
  }

  hidden(): void {
    this.context.socket.ask("runs.rest").catch(() => {});
  }

  connected(): void {
    if (this.head.closest("[hidden]") === null) this.watch();
  }

  private watch(): void {
    this.context.socket.ask<{ folder: string }>("runs.watch", { names: this.chosen ?? [] }).then(({ folder }) => {
      this.folder = folder;
    }, this.context.complain);
  }

  private choose(name: string, only: boolean): void {
    const chosen = this.chosen ?? [];
    if (only) this.chosen = [name];
    else if (chosen.includes(name)) this.chosen = chosen.filter((other) => other !== name);
    else this.chosen = [...chosen, name].slice(-MOST);
    remember("runs.chosen", this.chosen);
    this.watch();
  }

  // --- Drawing ---

  private showList(all: readonly RunSummary[]): void {
    const names = all.map(({ name }) => name);
    const kept = this.chosen?.filter((name) => names.includes(name));
    if (kept?.length !== this.chosen?.length) this.chosen = kept ?? null;
    if (!this.chosen?.length && all[0]) this.choose(all[0].name, true);
    this.items = new Map(
      all.map((run) => [run.name, this.items.get(run.name) ?? new RunItem(run, (only) => this.choose(run.name, only))]),
    );
    for (const run of all) {
      const place = this.chosen?.indexOf(run.name) ?? -1;
      this.items.get(run.name)!.show(run, place);
    }
    const elements = [...this.items.values()].map(({ element }) => element);
    if (
      elements.some((element, i) => this.list.children[i] !== element) ||
      elements.length !== this.list.children.length
    )
      fill(this.list, ...elements);
    this.empty.hidden = all.length > 0;
    fill(
      this.empty,
      h("p", {}, `There are no runs in the folder ${this.folder}/ yet.`),
      h("p.quiet", {}, "Matches, tournaments and labelling appear here by themselves. Try in a terminal:"),
      h("code", {}, "okapi match okapi-28 material --games 1000 --nodes 5000"),
    );
    if (all.length === 0) this.showRuns([]);
  }

  private showRuns(runs: readonly LoggedRun[]): void {
    this.curves.show(runs);
    fill(this.head, ...runs.map((run, place) => about(run, place, this.opened)));
    const newest = runs.flatMap(({ samples }) => samples.filter(({ fen }) => fen)).slice(-SAMPLES);
    this.samples.hidden = newest.length === 0;
    this.views.forEach((view, i) => view.show(newest.at(-1 - i)));
  }
}

/** A run in the list. Its elements stay while what they say changes, so that a click always meets what it aimed at. */
class RunItem {
  private readonly state = h("span.state");
  private readonly facts = h("span.run-facts.quiet");
  private readonly bar = h("progress");
  private readonly compare: HTMLInputElement;
  readonly element: HTMLElement;

  constructor({ title, name }: RunSummary, onChoose: (only: boolean) => void) {
    this.compare = h("input", { type: "checkbox", onchange: () => onChoose(false), "aria-label": `Compare ${title}` });
    this.bar.setAttribute("aria-label", `How far ${title} is`);
    this.element = h(
      "li.run-item",
      {},
      this.compare,
      h("button.run-name", { onclick: () => onChoose(true), title: name }, title),
      this.state,
      this.bar,
      this.facts,
    );
  }

  show(run: RunSummary, place: number): void {
    this.element.classList.toggle("chosen", place >= 0);
    this.element.style.setProperty("--curve", place < 0 ? "transparent" : `var(--curve-${place % COLORS})`);
    this.compare.checked = place >= 0;
    this.state.textContent = run.state;
    this.state.className = `state ${run.state}`;
    this.facts.textContent = progressOf(run);
    this.bar.hidden = run.total === null;
    this.bar.max = run.total ?? 1;
    this.bar.value = run.step ?? 0;
  }
}

class SampleView {
  private readonly board = new Board(() => {});
  private readonly bar = new ValueBar();
  private readonly words = h("p.quiet");
  readonly element = h(
    "figure.sample",
    {},
    h("div.board-row", {}, this.bar.element, this.board.element),
    h("figcaption", {}, this.words),
  );

  show(sample: Sample | undefined): void {
    this.element.hidden = !sample?.fen;
    if (!sample?.fen) return;
    const { fen, turn, value, note, step } = sample;
    this.board.show({ fen, turn, check: false, lastMove: [], movable: null, destinations: {}, promotions: [] });
    this.bar.show(value, "the run");
    const words = [step !== null && `at ${amount(step)}`, note, value && inWords(value).split("; ")[1]];
    this.words.textContent = words.filter(Boolean).join(" · ");
  }
}

function about(run: LoggedRun, place: number, opened: Set<string>): HTMLElement {
  const strength = measured(run);
  const element = h(
    "article.run-about",
    {},
    h("h2", {}, run.title, h("span", { className: `state ${run.state}` }, run.state)),
    h("p", {}, [progressOf(run), when(run)].filter(Boolean).join(" · ")),
    strength.length > 0 && h("p.run-strength", {}, strength.join(" · ")),
    run.note && h("p.run-note", {}, run.note),
    run.report.length > 0 && h("p", {}, run.report.join(" ")),
    settingsOf(run, opened),
  );
  element.style.setProperty("--curve", `var(--curve-${place % COLORS})`);
  return element;
}

/** A few settings are seen at once; many would hide the curves, and are folded. */
function settingsOf({ name, settings }: LoggedRun, opened: Set<string>): HTMLElement {
  const rows = Object.entries(settings).map(([key, text]) =>
    h("div.setting", {}, h("dt", {}, key.replaceAll("_", " ")), h("dd", {}, text)),
  );
  const list = h("dl", {}, ...rows);
  if (rows.length <= FEW_SETTINGS) return list;
  const details = h("details", { open: opened.has(name) }, h("summary", {}, `${rows.length} settings`), list);
  details.ontoggle = () => (details.open ? opened.add(name) : opened.delete(name));
  return details;
}
