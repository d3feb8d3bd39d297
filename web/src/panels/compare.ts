/** Compare: one position, valued by several brains at once; and where a brain and its teacher disagree most. */

import "../styles/compare.css";
import { Board } from "../board";
import { brainChoice } from "../components/brainline";
import { type Disagreed, type Disagreement, Disagreements } from "../components/disagreements";
import { type ClassShare, classBars, type BrainValue, ValueRow } from "../components/valuerow";
import { field, fill, h, select } from "../dom";
import type { PanelContext, Mounted, Panel } from "../panel";
import type { PositionView, Value } from "../records";
import { recall, remember } from "../store";

interface Valued {
  fen: string;
  evaluations: { brain: string; value: Value | null; classes: ClassShare[]; error: string | null }[];
}

interface CompareChoices {
  brains: { brain: string; place: "shipped" | "runs" }[];
  /** Folders of runs that have a list of disagreements. */
  lists: string[];
}

interface Selection {
  fen: string;
  brains: string[];
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** Both sides attack: brains differ here. */
const EXAMPLE = "r4rk1/1bq2ppp/p2bpn2/1p6/3BP3/P1NQ4/1PP1BPPP/R4RK1 w - - 0 15";
const MOST = 8;
const FIRST = ["champion", "okapi-28", "material"];

export const compare: Panel = {
  id: "compare",
  title: "Compare",
  about: "Several brains value one position without search.",
  mount: (root, context) => new Compare(root, context),
};

class Compare implements Mounted {
  private selection: Selection;
  private position: PositionView | null = null;
  private valued: Valued | null = null;
  /** The teacher's value of the position, if it comes from a list. */
  private told: { disagreement: Disagreement; listed: Disagreed } | null = null;

  private readonly board = new Board(() => {});
  private readonly fen = h("input", { type: "text", spellcheck: false, autocomplete: "off" });
  private readonly strip = h("ul.brain-values", { "aria-label": "Values of the brains" });
  private readonly bars: ValueRow[] = [];
  private readonly classes = h("div.class-cards");
  private readonly says = h("p.says", { role: "status" });
  private readonly choices = h("div.compare-choices");
  private readonly links = h("div.looks");
  private readonly lists = select([["", "none"]]);
  private readonly disagreements = new Disagreements((told, listed) => this.look(told, listed));
  private readonly without = h("p.quiet", {}, "No run has left such a list yet. To make one:");
  private readonly command = h("code.command", {}, "okapi brains compare BRAIN --teacher labels.samples --leave mine");

  readonly keys = [["n p", "next and previous position of the list"]] as const;

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    const before = recall<Selection>("compare.selection");
    const first = context.hello.brains.filter((brain) => FIRST.includes(brain));
    this.selection = { fen: before?.fen ?? EXAMPLE, brains: before?.brains ?? first };
    this.fen.value = this.selection.fen;
    this.lists.onchange = () => this.open(this.lists.value);
    root.classList.add("compare");
    root.append(this.stage(), this.side(), this.listed());
    context.socket.on<CompareChoices>("compare.listed", (choices) => this.offer(choices));
    context.socket.on<Valued>("compare.valued", (valued) => this.update(valued));
    context.socket.on<Disagreed>("compare.disagreed", (listed) => this.showList(listed));
  }

  // --- What the frame calls ---

  shown(query: URLSearchParams): void {
    const fen = query.get("fen");
    if (fen === null) return;
    history.replaceState(null, "", "#compare");
    this.fen.value = fen;
    if (this.position) this.ask();
  }

  connected(): void {
    this.context.socket.ask("compare.listed").catch(this.context.complain);
    this.ask();
  }

  offered(): void {
    this.context.socket.ask("compare.listed").catch(this.context.complain);
  }

  key(event: KeyboardEvent): boolean {
    const by = { n: 1, p: -1 }[event.key];
    return by !== undefined && this.disagreements.step(by);
  }

  // --- Asking ---

  private ask(): void {
    const fen = this.fen.value.trim() || START;
    if (fen !== this.told?.disagreement.fen) this.told = null;
    const asked = { fen, brains: this.selection.brains };
    this.context.socket.ask<{ position: PositionView }>("compare.values", asked).then(
      ({ position }) => {
        if (position.fen !== this.valued?.fen) this.valued = null;
        this.position = position;
        this.fen.value = position.fen;
        this.selection = { fen: position.fen, brains: asked.brains };
        remember("compare.selection", this.selection);
        this.draw();
      },
      (error: unknown) => this.context.complain(error),
    );
  }

  private update(valued: Valued): void {
    if (valued.fen !== this.position?.fen) return;
    this.valued = valued;
    this.draw();
  }

  private look(disagreement: Disagreement, listed: Disagreed): void {
    this.told = { disagreement, listed };
    this.fen.value = disagreement.fen;
    this.board.element.scrollIntoView({ block: "nearest" });
    this.ask();
  }

  private open(place: string): void {
    if (place) this.context.socket.ask("compare.disagreements", { place }).catch(this.context.complain);
  }

  private toggle(brain: string, chosen: boolean): void {
    const others = this.selection.brains.filter((name) => name !== brain);
    this.selection.brains = chosen ? [...others, brain].slice(-MOST) : others;
    this.ask();
  }

  // --- Drawing ---

  private stage(): HTMLElement {
    return h("div.stage", {}, h("div.board-row", {}, this.board.element), this.links);
  }

  private side(): HTMLElement {
    const form = h("form.compare-form", {}, field("Position (FEN)", this.fen), h("button.primary", {}, "Compare"));
    form.onsubmit = (event) => {
      event.preventDefault();
      this.ask();
    };
    return h(
      "div.comparison",
      {},
      h("h2", {}, "One position, several brains"),
      form,
      h("fieldset.compare-picker", {}, h("legend", {}, `Brains, ${MOST} at most`), this.choices),
      this.says,
      this.strip,
      this.classes,
    );
  }

  private listed(): HTMLElement {
    return h(
      "section.disagreement-section",
      { "aria-labelledby": "disagreements-title" },
      h("h2", { id: "disagreements-title" }, "Where a brain and its teacher disagree most"),
      field("List of", this.lists),
      this.without,
      this.command,
      this.disagreements.element,
    );
  }

  private offer({ brains, lists }: CompareChoices): void {
    const known = brains.map(({ brain }) => brain);
    this.selection.brains = this.selection.brains.filter((brain) => known.includes(brain));
    const box = (brain: string): HTMLElement => {
      const input = h("input", { type: "checkbox", name: brain, checked: this.selection.brains.includes(brain) });
      input.onchange = () => this.toggle(brain, input.checked);
      return brainChoice("compare-choice", this.context.hello, input);
    };
    fill(this.choices, ...known.map(box));
    const chosen = this.lists.value || lists[0] || "";
    fill(this.lists, ...(lists.length ? lists : ["none"]).map((place) => h("option", { value: place }, place)));
    this.lists.disabled = lists.length === 0;
    this.without.hidden = this.command.hidden = lists.length > 0;
    if (lists.includes(chosen)) {
      this.lists.value = chosen;
      this.open(chosen);
    }
  }

  /** The list, and its brain among the brains, if it is here. */
  private showList(listed: Disagreed): void {
    this.disagreements.show(listed);
    const boxes = [...this.choices.querySelectorAll("input")].filter(({ name }) => isOf(listed, name));
    if (boxes[0] && !boxes.some(({ checked }) => checked)) boxes[0].click();
  }

  private draw(): void {
    if (!this.position) return;
    const { fen, turn, check, ending } = this.position;
    this.board.show({ fen, turn, check, lastMove: [], movable: null, destinations: {}, promotions: [] });
    const rows = this.rows();
    while (this.bars.length < rows.length) this.bars.push(new ValueRow());
    rows.forEach((row, i) => this.bars[i]!.show(row));
    const shown = this.bars.slice(0, rows.length).map(({ element }) => element);
    if (shown.length !== this.strip.children.length) fill(this.strip, ...shown);
    fill(this.classes, ...rows.map(classBars));
    this.says.textContent = ending ? `The game is over: ${ending}.` : spread(rows);
    const link = (panel: string, text: string): HTMLElement =>
      h("a.look-link", { href: `#${panel}?${new URLSearchParams({ fen })}` }, text);
    fill(this.links, link("play", "Play on"), link("analyse", "Analyse"), link("brains", "Look ahead"));
  }

  /** The teacher and what was written down first, then the brains. */
  private rows(): BrainValue[] {
    const brains = this.selection.brains.map((name): BrainValue => {
      const said = this.valued?.evaluations.find(({ brain }) => brain === name);
      return { name, value: said?.value ?? null, classes: said?.classes ?? [], error: said?.error ?? null };
    });
    if (!this.told) return brains;
    const { disagreement, listed } = this.told;
    const plain = { classes: [], error: null };
    const teacher = { name: "teacher", value: disagreement.teacher, ...plain };
    const noted = { name: `${listed.brain}, then`, value: disagreement.value, ...plain };
    const isHere = this.selection.brains.some((brain) => isOf(listed, brain));
    return isHere ? [teacher, ...brains] : [teacher, noted, ...brains];
  }
}

/** Is this the brain that a list is about? One of a run is named by its place. */
const isOf = (listed: Disagreed, brain: string): boolean => brain === listed.place || brain === listed.brain;

/** Who gives White most, and who worst. */
function spread(rows: readonly BrainValue[]): string {
  const spoken = rows.flatMap(({ name, value }) => (value ? [{ name, value }] : []));
  const failed = rows.find(({ error }) => error);
  if (failed) return `${failed.name} gives no value: ${failed.error}`;
  if (spoken.length < rows.length) return "The brains evaluate the position …";
  const sorted = [...spoken].sort((a, b) => b.value.white - a.value.white);
  const [best, worst] = [sorted[0], sorted.at(-1)];
  if (!best || !worst) return "Choose a brain.";
  if (best === worst) return `${best.name} gives White ${percent(best.value)}.`;
  return `${best.name} gives White most (${percent(best.value)}), ${worst.name} least (${percent(worst.value)}).`;
}

const percent = (value: Value): string => `${Math.round(100 * value.white)} %`;
