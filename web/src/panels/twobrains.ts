/** Two brains on one position, side by side. */

import "../styles/brains.css";
import { Board } from "../board";
import { arrow } from "../components/arrows";
import { brainOptions } from "../components/brainline";
import { type BrainEvaluation, termTable } from "../components/terms";
import { inWords, ValueBar } from "../components/valuebar";
import { field, fill, h, offer, select } from "../dom";
import type { PanelContext, Mounted, Panel } from "../panel";
import type { Line, LineMove, PositionView, Side, SearchState, Value } from "../records";
import { recall, remember } from "../store";

type Pair<T> = [T, T];

interface Compared {
  fen: string;
  searches: Pair<SearchState & { brain: string; done: boolean }>;
  parting: Parting | null;
}

interface Parting {
  /** What both expect, in SAN. */
  shared: string[];
  /** The position where they part. */
  fen: string;
  moves: Pair<LineMove>;
}

interface TwoBrainsAnswer {
  position: PositionView;
  evaluations: Pair<BrainEvaluation & { value: Value }>;
}

interface TwoBrainsRequest {
  first: string;
  second: string;
  fen: string;
  nodes: number;
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** Bishops, knights and a tense centre: brains disagree here. */
const EXAMPLE = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";
const NODES = [
  ["20000", "20 thousand positions each"],
  ["200000", "200 thousand positions each"],
  ["2000000", "2 million positions each"],
  ["20000000", "20 million positions each"],
] as const;
const BRUSHES = ["good", "yellow"] as const;

export const twoBrains: Panel = {
  id: "two_brains",
  title: "Two brains",
  about: "Two brains search one position.",
  mount: (root, context) => new TwoBrains(root, context),
};

class TwoBrains implements Mounted {
  private request: TwoBrainsRequest;
  private answer: TwoBrainsAnswer | null = null;
  private compared: Compared | null = null;
  /** A position that was clicked; null shows where the lines part. */
  private looked: { fen: string; uci: string } | null = null;

  private readonly board = new Board(() => {});
  private readonly bars: Pair<ValueBar> = [new ValueBar(), new ValueBar()];
  private readonly choices: Pair<HTMLSelectElement>;
  private readonly nodes: HTMLSelectElement;
  private readonly fen = h("input", { type: "text", spellcheck: false, autocomplete: "off" });
  private readonly parting = h("p.parting", { role: "status" });
  private readonly columns: Pair<HTMLElement> = [h("div.engine.engine-0"), h("div.engine.engine-1")];
  private readonly terms = h("div.terms-box");
  private readonly steps: HTMLElement;

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    const known = context.hello.brains;
    const before = recall<TwoBrainsRequest>("brains.wish");
    const kept = (name: string | undefined, otherwise: string): string =>
      name !== undefined && known.includes(name) ? name : otherwise;
    this.request = {
      first: kept(before?.first, known[0]!),
      second: kept(before?.second, known.find((name) => name === "material") ?? known.at(-1)!),
      fen: before?.fen ?? EXAMPLE,
      nodes: before?.nodes ?? 200_000,
    };
    const options = brainOptions(context.hello, known);
    this.choices = [select(options, this.request.first), select(options, this.request.second)];
    this.nodes = select(NODES, String(this.request.nodes));
    this.steps = h("div.looks", { role: "group", "aria-label": "What the board shows" });
    this.fen.value = this.request.fen;
    for (const control of [...this.choices, this.nodes]) control.onchange = () => this.compare();
    this.bars[1].element.classList.add("right");
    root.classList.add("brains");
    root.append(this.stage(), this.side(), this.terms);
    context.socket.on<Compared>("brains.compared", (news) => this.update(news));
  }

  // --- What the frame calls ---

  offered(): void {
    const { hello } = this.context;
    for (const choice of this.choices) offer(choice, brainOptions(hello, hello.brains));
  }

  shown(query: URLSearchParams): void {
    const [fen, first] = [query.get("fen"), query.get("first")];
    if (fen === null && first === null) return;
    history.replaceState(null, "", "#two_brains");
    if (fen !== null) this.fen.value = fen;
    if (first !== null) this.choices[0].value = first;
    if (this.answer) this.compare();
  }

  hidden(): void {
    this.context.socket.ask("brains.stop").catch(() => {});
  }

  connected(): void {
    this.compare();
  }

  // --- Asking ---

  private compare(): void {
    this.request = {
      first: this.choices[0].value,
      second: this.choices[1].value,
      fen: this.fen.value.trim() || START,
      nodes: Number(this.nodes.value),
    };
    this.context.socket.ask<TwoBrainsAnswer>("brains.compare", this.request).then((answer) => {
      this.answer = answer;
      this.compared = null;
      this.looked = null;
      this.fen.value = answer.position.fen;
      remember("brains.wish", this.request);
      this.draw();
    }, this.context.complain);
  }

  private update(news: Compared): void {
    if (news.fen !== this.answer?.position.fen) return;
    this.compared = news;
    this.draw();
  }

  private look(fen: string, uci = ""): void {
    this.looked = { fen, uci };
    this.draw();
  }

  // --- Drawing ---

  private stage(): HTMLElement {
    return h(
      "div.stage",
      {},
      h("div.board-row", {}, this.bars[0].element, this.board.element, this.bars[1].element),
      this.steps,
    );
  }

  private side(): HTMLElement {
    const [first, second] = this.choices;
    const form = h(
      "form.two-brains-form",
      {},
      h("div.pair", {}, field("Left", first), field("Right", second)),
      field("Position (FEN)", this.fen),
      h("div.pair", {}, field("They look at", this.nodes), h("button.primary", { type: "submit" }, "Compare")),
    );
    form.onsubmit = (event) => {
      event.preventDefault();
      this.compare();
    };
    return h(
      "div.comparison",
      {},
      h("h2", {}, "Two brains, one position"),
      form,
      this.parting,
      h("div.engines", {}, ...this.columns),
    );
  }

  private draw(): void {
    if (!this.answer) return;
    const { position, evaluations } = this.answer;
    const parting = this.compared?.parting ?? null;
    const shown = this.looked ?? { fen: parting?.fen ?? position.fen, uci: "" };
    const turn: Side = shown.fen.split(" ")[1] === "w" ? "white" : "black";
    this.board.show({
      fen: shown.fen,
      turn,
      check: false,
      lastMove: shown.uci ? [shown.uci.slice(0, 2), shown.uci.slice(2, 4)] : [],
      movable: null,
      destinations: {},
      promotions: [],
    });
    this.board.arrows(this.arrows(shown.fen, parting));
    this.drawSteps(shown.fen, parting);
    fill(this.parting, ...this.sentence(parting));
    evaluations.forEach((evaluation, i) => this.drawBrain(i as 0 | 1, evaluation));
    fill(this.terms, termTable(evaluations));
  }

  /** What each would play in the position that is shown, if it has said so. */
  private arrows(fen: string, parting: Parting | null): ReturnType<typeof arrow>[] {
    const moves =
      parting && fen === parting.fen
        ? parting.moves
        : fen === this.answer?.position.fen
          ? (this.compared?.searches.map((search) => search.lines[0]?.moves[0]) ?? [])
          : [];
    const same = moves[0]?.uci === moves[1]?.uci;
    return moves.flatMap((move, i) => (move ? [arrow(move.uci, same ? "best" : BRUSHES[i]!)] : []));
  }

  private drawSteps(fen: string, parting: Parting | null): void {
    const { position } = this.answer!;
    const button = (text: string, target: string | null): HTMLElement =>
      h(
        "button",
        {
          "aria-pressed": String(target === fen),
          disabled: target === null,
          onclick: () => target && this.look(target),
        },
        text,
      );
    const link = (panel: string, text: string): HTMLElement | null =>
      this.context.hello.panels.includes(panel)
        ? h("a.look-link", { href: `#${panel}?${new URLSearchParams({ fen })}` }, text)
        : null;
    fill(
      this.steps,
      button("The position", position.fen),
      button("Where they differ", parting?.fen ?? null),
      h("span.spring"),
      link("play", "Play on"),
      link("analyse", "Analyse"),
    );
  }

  private sentence(parting: Parting | null): (Node | string)[] {
    const { position, evaluations } = this.answer!;
    if (position.ending) return [`The game is over: ${position.ending}.`];
    const lines = this.compared?.searches.map((search) => search.lines[0]) ?? [];
    if (!lines[0] || !lines[1]) return ["Both search …"];
    if (!parting) return ["Their best lines agree, as far as the shorter one goes."];
    const names = evaluations.map(({ brain }, i) => h(`strong.engine-${i}`, {}, brain));
    const [one, other] = parting.moves;
    const number = one.turn === "white" ? `${one.number}. ` : `${one.number}… `;
    const before = parting.shared.length ? `Both expect ${parting.shared.join(" ")}; then ` : "They differ at once: ";
    return [before, names[0]!, ` plays ${number}${one.san}, `, names[1]!, ` ${number}${other.san}.`];
  }

  private drawBrain(i: 0 | 1, evaluation: BrainEvaluation & { value: Value }): void {
    const search = this.compared?.searches[i];
    const best = search?.lines[0];
    const value = best?.value ?? evaluation.value;
    this.bars[i].show(value, evaluation.brain);
    const facts = search?.lines.length
      ? `depth ${search.depth} · ${search.nodes.toLocaleString("en")} positions${search.done ? "" : " …"}`
      : "has not looked ahead";
    fill(
      this.columns[i],
      h("h3", {}, h("span.dot", { "aria-hidden": "true" }), evaluation.brain),
      h("p.value", {}, h("strong", {}, value.text), " for White"),
      h("p.quiet", {}, best ? inWords(value).split(";")[0]! : "without looking ahead"),
      h("p.quiet", {}, `at first sight ${evaluation.value.text} · ${facts}`),
      h("ol.lines", {}, ...(search?.lines ?? []).map((line, rank) => this.line(line, rank === 0))),
    );
  }

  private line(line: Line, best: boolean): HTMLElement {
    const parting = this.compared?.parting;
    const moves = line.moves.slice(0, 10).map((move, i) => {
      const number = move.turn === "white" ? `${move.number}. ` : i === 0 ? `${move.number}… ` : "";
      const parts = best && parting?.shared.length === i;
      return h(
        "button.line-move",
        { onclick: () => this.look(move.fen, move.uci), className: parts ? "line-move parts" : "line-move" },
        number + move.san,
      );
    });
    return h("li", {}, h("span.line-value", {}, line.value.text), ...moves);
  }
}
