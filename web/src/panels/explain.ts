/** Explain: what each piece is worth to a brain, what its neurons like, and what changed since another brain. */

import "../styles/explain.css";
import { Board } from "../board";
import { brainOptions } from "../components/brainline";
import { ChangesView } from "../components/changes";
import { copyButton, linkTo } from "../components/exports";
import { NeuronView } from "../components/neurons";
import { Peek } from "../components/peek";
import { AttributionBoard } from "../components/attribution";
import { field, fill, h, offer, select } from "../dom";
import {
  type Changed,
  type ExplainChoices,
  type NeuronDetails,
  pawns,
  type Surveyed,
  type Attribution,
} from "../explain";
import { Newest } from "../newest";
import type { PanelContext, Mounted, Panel } from "../panel";
import { other, type PositionView } from "../records";
import { recall, remember } from "../store";

interface ExplainSettings {
  fen: string;
  brain: string;
  /** Another brain to compare with, or none. */
  against: string;
  neuron: number | null;
}

interface ExplainQuestion {
  fen: string;
  brain: string;
  against: string | null;
  move: string | null;
}

const KEYS = [
  ["u", "take back"],
  ["f", "flip the board"],
  ["n p", "next and previous neuron"],
] as const;

const USUAL: ExplainSettings = {
  fen: "r4rk1/1bq2ppp/p2bpn2/1p6/3BP3/P1NQ4/1PP1BPPP/R4RK1 w - - 0 15",
  brain: "",
  against: "",
  neuron: null,
};

export const explain: Panel = {
  id: "explain",
  title: "Explain",
  about: "What each piece and each neuron contributes.",
  mount: (root, context) => new Explain(root, context),
};

class Explain implements Mounted {
  readonly keys = KEYS;
  private settings: ExplainSettings = { ...USUAL, ...recall<ExplainSettings>("explain.settings") };
  private choices: ExplainChoices["brains"] = [];
  private position: PositionView | null = null;
  private attributions: Attribution[] = [];
  private surveyed: Surveyed | null = null;
  /** Positions that were left by a move, the last one last. */
  private before: string[] = [];

  private readonly board = new Board((move) => this.play(move));
  private readonly numbers = new AttributionBoard(this.board);
  private readonly peek = new Peek();
  private readonly neurons = new NeuronView(
    { choose: (neuron) => this.look(neuron), open: (fen) => this.open(fen) },
    this.peek,
  );
  private readonly changes = new ChangesView((fen) => this.open(fen), this.peek);
  private readonly fen = h("input", { type: "text", spellcheck: false, autocomplete: "off" });
  private readonly brain = select([["", "none"]]);
  private readonly against = select([["", "none"]]);
  private readonly says = h("p.says", { role: "status" });
  private readonly links = h("div.looks");
  private readonly tell = h("button", { onclick: () => this.compare() }, "What changed?");
  private readonly asking: Newest<ExplainQuestion, { position: PositionView }>;
  private readonly looking: Newest<{ brain: string; neuron: number; fen: string }, unknown>;

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    this.asking = new Newest(context, "explain.pieces", ({ position }, question) => this.seen(position, question));
    this.looking = new Newest(context, "explain.neuron");
    this.brain.onchange = () => this.change({ brain: this.brain.value, neuron: null });
    this.against.onchange = () => this.change({ against: this.against.value });
    root.classList.add("explain");
    root.append(this.stage(), this.side());
    context.socket.on<ExplainChoices>("explain.listed", ({ brains }) => this.offer(brains));
    context.socket.on<{ number: number; fen: string; attributions: Attribution[] }>("explain.attributed", (news) =>
      this.hear(news),
    );
    context.socket.on<Surveyed>("explain.surveyed", (surveyed) => this.hearSurvey(surveyed));
    context.socket.on<NeuronDetails>("explain.neuron", (details) => this.hearNeuron(details));
    context.socket.on<Changed>("explain.changed", (changed) => this.hearChanged(changed));
    context.socket.on<{ of: string; number?: number }>("explain.failed", ({ of, number }) => this.failed(of, number));
  }

  // --- What the frame calls ---

  shown(query: URLSearchParams): void {
    const [fen, brain] = [query.get("fen"), query.get("brain")];
    if (fen === null && brain === null) return;
    history.replaceState(null, "", "#explain");
    if (brain !== null) this.settings = { ...this.settings, brain, neuron: null };
    if (brain !== null && this.choices.length) this.connected();
    if (fen !== null && this.choices.length) this.open(fen);
    else if (fen !== null) this.settings = { ...this.settings, fen };
  }

  hidden(): void {
    this.peek.hide();
  }

  connected(): void {
    this.asking.forget();
    this.looking.forget();
    this.surveyed = null;
    this.context.socket.ask("explain.listed").catch(this.context.complain);
  }

  offered(): void {
    this.context.socket.ask("explain.listed").catch(this.context.complain);
  }

  key(event: KeyboardEvent): boolean {
    const actions: Record<string, () => void> = {
      u: () => this.takeBack(),
      f: () => this.flip(),
      n: () => this.step(1),
      p: () => this.step(-1),
    };
    actions[event.key]?.();
    return event.key in actions;
  }

  // --- Asking ---

  private offer(brains: ExplainChoices["brains"]): void {
    this.choices = brains;
    const names = brains.map(({ brain }) => brain);
    const options = brainOptions(this.context.hello, names);
    offer(this.brain, options);
    offer(this.against, [["", "nothing else"], ...options]);
    const known = (name: string, usual: string): string => (names.includes(name) ? name : usual);
    this.change({ brain: known(this.settings.brain, names[0] ?? ""), against: known(this.settings.against, "") });
  }

  private change(changed: Partial<ExplainSettings>): void {
    this.settings = { ...this.settings, ...changed };
    remember("explain.settings", this.settings);
    this.changes.clear();
    this.ask(this.settings.fen);
    this.survey();
  }

  private open(fen: string): void {
    this.before = [];
    this.ask(fen.trim() || USUAL.fen);
    this.board.element.scrollIntoView({ block: "nearest" });
  }

  private play(move: string): void {
    this.ask(this.settings.fen, move);
  }

  private takeBack(): void {
    const fen = this.before.pop();
    if (fen !== undefined) this.ask(fen);
  }

  private ask(fen: string, move: string | null = null): void {
    const { brain, against } = this.settings;
    if (brain) this.asking.ask({ fen, brain, against: against && against !== brain ? against : null, move });
  }

  private survey(): void {
    const { brain } = this.settings;
    if (!brain || this.surveyed?.brain === brain) return;
    this.surveyed = null;
    this.neurons.choose(null);
    if (!this.choices.find((choice) => choice.brain === brain)?.neurons) {
      this.neurons.refuse(`${brain} has no neurons to show: only brains of the kind nnue have some.`);
      return;
    }
    this.neurons.refuse("The neurons are measured on many positions …");
    this.context.socket.ask("explain.neurons", { brain }).catch(this.context.complain);
  }

  private look(neuron: number): void {
    this.settings = { ...this.settings, neuron };
    remember("explain.settings", this.settings);
    this.neurons.choose(neuron);
    this.looking.ask({ brain: this.settings.brain, neuron, fen: this.settings.fen });
  }

  private step(by: number): void {
    const numbers = this.surveyed?.neurons.map(({ number }) => number) ?? [];
    const at = numbers.indexOf(this.settings.neuron ?? -1) + by;
    const neuron = numbers[Math.max(0, Math.min(numbers.length - 1, at))];
    if (neuron !== undefined) this.look(neuron);
  }

  private compare(): void {
    const { brain, against } = this.settings;
    this.tell.disabled = true;
    this.context.socket.ask("explain.changes", { before: against, now: brain }).catch((error: unknown) => {
      this.context.complain(error);
      this.draw();
    });
  }

  // --- Hearing ---

  private seen(position: PositionView, { fen, move }: ExplainQuestion): boolean {
    if (move !== null) this.before.push(fen);
    this.position = position;
    this.attributions = [];
    this.settings = { ...this.settings, fen: position.fen };
    remember("explain.settings", this.settings);
    this.draw();
    return true;
  }

  private hear({ number, fen, attributions }: { number: number; fen: string; attributions: Attribution[] }): void {
    if (!this.asking.landed(number) || fen !== this.position?.fen) return;
    this.attributions = attributions;
    this.draw();
    if (this.surveyed && this.settings.neuron !== null) this.look(this.settings.neuron);
  }

  private hearSurvey(surveyed: Surveyed): void {
    if (surveyed.brain !== this.settings.brain) return;
    this.surveyed = surveyed;
    this.neurons.survey(surveyed);
    const first = surveyed.neurons[0]?.number;
    if (first !== undefined) this.look(this.settings.neuron ?? first);
  }

  private hearNeuron(details: NeuronDetails): void {
    if (!this.looking.landed(details.number)) return;
    if (details.brain === this.settings.brain && details.neuron === this.settings.neuron) this.neurons.show(details);
  }

  private hearChanged(changed: Changed): void {
    const { brain, against } = this.settings;
    this.draw();
    if (changed.now === brain && changed.before === against) this.changes.show(changed);
  }

  private failed(of: string, number?: number): void {
    if (number !== undefined) (of === "attributed" ? this.asking : this.looking).landed(number);
    this.draw();
  }

  // --- Drawing ---

  private flip(): void {
    this.board.orientation = other(this.board.orientation);
    this.numbers.draw();
  }

  private stage(): HTMLElement {
    const form = h("form.tree-form", {}, field("Position (FEN)", this.fen), h("button", {}, "Show"));
    form.onsubmit = (event) => {
      event.preventDefault();
      this.open(this.fen.value);
    };
    const back = h("button.plain", { onclick: () => this.takeBack() }, "Take back");
    const flip = h("button.plain", { onclick: () => this.flip() }, "Flip the board");
    const steps = h("div.tree-steps", {}, back, flip, this.links);
    return h("div.stage", {}, h("div.board-row", {}, this.board.element), steps, form);
  }

  private side(): HTMLElement {
    const section = (title: string, ...content: HTMLElement[]): HTMLElement =>
      h("section.explain-part", {}, h("h2", {}, title), ...content);
    return h(
      "div.explain-parts",
      {},
      section(
        "What each piece contributes",
        h("div.explain-controls", {}, field("Brain", this.brain), field("Compared with", this.against)),
        this.says,
        this.numbers.element,
      ),
      section("What its neurons react to", this.neurons.element),
      section("What changed from the other brain", this.tell, this.changes.element),
    );
  }

  private draw(): void {
    const { brain, against } = this.settings;
    const isPair = against !== "" && against !== brain;
    this.brain.value = brain;
    this.against.value = against;
    this.tell.disabled = !isPair;
    if (!this.position) return;
    const { fen, turn, check, destinations, promotions, ending } = this.position;
    const movable = ending ? null : turn;
    this.board.show({ fen, turn, check, lastMove: [], movable, destinations, promotions });
    this.fen.value = fen;
    this.numbers.show(this.attributions);
    this.says.textContent = this.inWords();
    const link = (panel: string, text: string): HTMLElement => h("a.look-link", { href: linkTo(panel, { fen }) }, text);
    const copy = copyButton(this.context, "link", () => linkTo("explain", { fen }));
    fill(this.links, link("play", "Play on"), link("analyse", "Analyse"), link("compare", "Compare"), copy);
  }

  private inWords(): string {
    const { brain, against } = this.settings;
    const [first, second] = this.attributions;
    if (!first) return "Pieces are removed, one after the other …";
    if (second)
      return `${brain} gives White ${first.value.text}, ${against} ${second.value.text}; numbers are how much more a piece contributes with ${brain}.`;
    return `${brain} gives White ${first.value.text}. The number on a piece is what its side would lose without it; the sum is ${pawns(first.white)} for White, ${pawns(first.black)} for Black.`;
  }
}
