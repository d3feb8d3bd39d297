/** Judges: one position, judged by several brains at once; and where a brain and its teacher disagree most. */

import "../styles/judges.css";
import { Board } from "../board";
import { type Disagreed, type Disagreement, Disagreements } from "../components/disagreements";
import { type ClassShare, classBars, type Verdict, VerdictBar } from "../components/verdict";
import { field, fill, h, select } from "../dom";
import type { Desk, Mounted, Panel } from "../panel";
import type { PositionView, Value } from "../records";
import { recall, remember } from "../store";

interface Judged {
  fen: string;
  opinions: { brain: string; value: Value | null; classes: ClassShare[]; error: string | null }[];
}

interface Choices {
  brains: { brain: string; place: "shipped" | "runs" }[];
  /** Folders of runs that have a list of disagreements. */
  lists: string[];
}

interface Wish {
  fen: string;
  brains: string[];
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** Both sides attack: judges differ here. */
const EXAMPLE = "r4rk1/1bq2ppp/p2bpn2/1p6/3BP3/P1NQ4/1PP1BPPP/R4RK1 w - - 0 15";
const MOST = 8;

export const judges: Panel = { id: "judges", title: "Judges", mount: (root, desk) => new Judges(root, desk) };

class Judges implements Mounted {
  private wish: Wish;
  private position: PositionView | null = null;
  private judged: Judged | null = null;
  /** What a teacher says of the position that is shown, if it comes from a list. */
  private told: { disagreement: Disagreement; listed: Disagreed } | null = null;

  private readonly board = new Board(() => {});
  private readonly fen = h("input", { type: "text", spellcheck: false, autocomplete: "off" });
  private readonly strip = h("ul.verdicts", { "aria-label": "What the judges say" });
  private readonly bars: VerdictBar[] = [];
  private readonly classes = h("div.class-cards");
  private readonly says = h("p.says", { role: "status" });
  private readonly choices = h("div.judge-choices");
  private readonly links = h("div.looks");
  private readonly lists = select([["", "none"]]);
  private readonly disagreements = new Disagreements((told, listed) => this.look(told, listed));
  private readonly without = h("p.quiet", {}, "No run has left such a list yet. To make one:");
  private readonly command = h(
    "code.command",
    {},
    "okapi brains compare BRAIN --teacher labels.samples --leave runs/mine",
  );

  readonly keys = [["n p", "next and previous position of the list"]] as const;

  constructor(
    root: HTMLElement,
    private readonly desk: Desk,
  ) {
    const before = recall<Wish>("judges.wish");
    this.wish = { fen: before?.fen ?? EXAMPLE, brains: before?.brains ?? desk.hello.brains.slice(0, 3) };
    this.fen.value = this.wish.fen;
    this.lists.onchange = () => this.open(this.lists.value);
    root.classList.add("judges");
    root.append(this.stage(), this.side(), this.listed());
    desk.socket.on<Choices>("judges.listed", (choices) => this.offer(choices));
    desk.socket.on<Judged>("judges.judged", (judged) => this.update(judged));
    desk.socket.on<Disagreed>("judges.disagreed", (listed) => this.showList(listed));
  }

  // --- What the frame calls ---

  shown(query: URLSearchParams): void {
    const fen = query.get("fen");
    if (fen === null) return;
    history.replaceState(null, "", "#judges");
    this.fen.value = fen;
    if (this.position) this.judge();
  }

  connected(): void {
    this.desk.socket.ask("judges.listed").catch(this.desk.complain);
    this.judge();
  }

  key(event: KeyboardEvent): boolean {
    const by = { n: 1, p: -1 }[event.key];
    return by !== undefined && this.disagreements.step(by);
  }

  // --- Asking ---

  private judge(): void {
    const fen = this.fen.value.trim() || START;
    if (fen !== this.told?.disagreement.fen) this.told = null;
    const asked = { fen, brains: this.wish.brains };
    this.desk.socket.ask<{ position: PositionView }>("judges.judge", asked).then(
      ({ position }) => {
        if (position.fen !== this.judged?.fen) this.judged = null;
        this.position = position;
        this.fen.value = position.fen;
        this.wish = { fen: position.fen, brains: asked.brains };
        remember("judges.wish", this.wish);
        this.draw();
      },
      (error: unknown) => this.desk.complain(error),
    );
  }

  private update(judged: Judged): void {
    if (judged.fen !== this.position?.fen) return;
    this.judged = judged;
    this.draw();
  }

  private look(disagreement: Disagreement, listed: Disagreed): void {
    this.told = { disagreement, listed };
    this.fen.value = disagreement.fen;
    this.board.element.scrollIntoView({ block: "nearest" });
    this.judge();
  }

  private open(place: string): void {
    if (place) this.desk.socket.ask("judges.disagreements", { place }).catch(this.desk.complain);
  }

  private toggle(brain: string, chosen: boolean): void {
    const others = this.wish.brains.filter((name) => name !== brain);
    this.wish.brains = chosen ? [...others, brain].slice(-MOST) : others;
    this.judge();
  }

  // --- Drawing ---

  private stage(): HTMLElement {
    return h("div.stage", {}, h("div.board-row", {}, this.board.element), this.links);
  }

  private side(): HTMLElement {
    const form = h("form.judge-form", {}, field("Position (FEN)", this.fen), h("button.primary", {}, "Judge"));
    form.onsubmit = (event) => {
      event.preventDefault();
      this.judge();
    };
    return h(
      "div.judgement",
      {},
      h("h2", {}, "One position, several judges"),
      form,
      h("fieldset.judge-picker", {}, h("legend", {}, `Judges, ${MOST} at most`), this.choices),
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

  private offer({ brains, lists }: Choices): void {
    const known = brains.map(({ brain }) => brain);
    this.wish.brains = this.wish.brains.filter((brain) => known.includes(brain));
    const box = (brain: string): HTMLElement => {
      const input = h("input", { type: "checkbox", name: brain, checked: this.wish.brains.includes(brain) });
      input.onchange = () => this.toggle(brain, input.checked);
      return h("label.judge-choice", {}, input, h("span", {}, brain));
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

  /** The list, and its brain among the judges, if it is here. */
  private showList(listed: Disagreed): void {
    this.disagreements.show(listed);
    const boxes = [...this.choices.querySelectorAll("input")].filter(({ name }) => isOf(listed, name));
    if (boxes[0] && !boxes.some(({ checked }) => checked)) boxes[0].click();
  }

  private draw(): void {
    if (!this.position) return;
    const { fen, turn, check, ending } = this.position;
    this.board.show({ fen, turn, check, lastMove: [], movable: null, destinations: {}, promotions: [] });
    const verdicts = this.verdicts();
    while (this.bars.length < verdicts.length) this.bars.push(new VerdictBar());
    verdicts.forEach((verdict, i) => this.bars[i]!.show(verdict));
    const shown = this.bars.slice(0, verdicts.length).map(({ element }) => element);
    if (shown.length !== this.strip.children.length) fill(this.strip, ...shown);
    fill(this.classes, ...verdicts.map(classBars));
    this.says.textContent = ending ? `The game is over: ${ending}.` : spread(verdicts);
    const link = (panel: string, text: string): HTMLElement =>
      h("a.look-link", { href: `#${panel}?${new URLSearchParams({ fen })}` }, text);
    fill(this.links, link("play", "Play on"), link("analyse", "Analyse"), link("brains", "Look ahead"));
  }

  /** The teacher and what was written down first, then the brains. */
  private verdicts(): Verdict[] {
    const brains = this.wish.brains.map((judge): Verdict => {
      const said = this.judged?.opinions.find(({ brain }) => brain === judge);
      return { judge, value: said?.value ?? null, classes: said?.classes ?? [], error: said?.error ?? null };
    });
    if (!this.told) return brains;
    const { disagreement, listed } = this.told;
    const plain = { classes: [], error: null };
    const teacher = { judge: "teacher", value: disagreement.teacher, ...plain };
    const noted = { judge: `${listed.brain}, then`, value: disagreement.value, ...plain };
    const isHere = this.wish.brains.some((brain) => isOf(listed, brain));
    return isHere ? [teacher, ...brains] : [teacher, noted, ...brains];
  }
}

/** Is this the brain that a list is about? One of a run is named by its place. */
const isOf = (listed: Disagreed, brain: string): boolean => brain === listed.place || brain === listed.brain;

/** Who thinks best of White, and who worst. */
function spread(verdicts: readonly Verdict[]): string {
  const spoken = verdicts.flatMap(({ judge, value }) => (value ? [{ judge, value }] : []));
  const failed = verdicts.find(({ error }) => error);
  if (failed) return `${failed.judge} cannot judge: ${failed.error}`;
  if (spoken.length < verdicts.length) return "They look at the position …";
  const sorted = [...spoken].sort((a, b) => b.value.white - a.value.white);
  const [best, worst] = [sorted[0], sorted.at(-1)];
  if (!best || !worst) return "Choose a judge.";
  if (best === worst) return `${best.judge} gives White ${percent(best.value)}.`;
  return `${best.judge} thinks best of White (${percent(best.value)}), ${worst.judge} worst (${percent(worst.value)}).`;
}

const percent = (value: Value): string => `${Math.round(100 * value.white)} %`;
