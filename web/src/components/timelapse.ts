/** A brain grows: its checkpoints on a slider, with its strength, what pieces are worth to it, and what it plays. */

import { Board } from "../board";
import { field, fill, h, select } from "../dom";
import { Newest } from "../newest";
import type { PanelContext } from "../panel";
import type { PositionView, Value } from "../records";
import { recall, remember } from "../store";
import { arrow } from "./arrows";
import { Generations } from "./generations";
import { KINDS, PieceHeat, type PieceValues } from "./pieceheat";
import { Plot } from "./plot";
import type { RunSummary } from "./runprogress";
import { signed } from "./crosstable";

export interface Age {
  step: number;
  /** Null before it is known, and for brains that predict moves. */
  pieces: PieceValues | null;
  elo_material?: number;
  elo_material_low?: number;
  elo_material_high?: number;
  elo_previous?: number;
  elo_previous_low?: number;
  elo_previous_high?: number;
  games?: number;
}

interface Move {
  uci: string;
  san: string;
  value: Value | null;
}

export interface ChosenPosition {
  title: string;
  fen: string;
}

const OWN = "own";

export class TimeLapse {
  private name: string | null = null;
  /** What a person has chosen; without that, the newest run is shown, and one that ships before there is any. */
  private chosen: string | null = recall<string>("train.lapse");
  private runs: readonly RunSummary[] = [];
  private known = 0;
  private ages: readonly Age[] = [];
  private ready = 0;
  private moves: readonly (Move | null)[] = [];
  /** The age that is looked at; null follows the newest. */
  private viewed: number | null = null;
  private kind = 1;
  private positions: readonly ChosenPosition[] = [];
  private position: PositionView | null = null;

  private readonly choice = h("select", { onchange: () => this.choose(this.choice.value) });
  private readonly where = h("select", { onchange: () => this.place(), "aria-label": "Position" });
  private readonly fen = h("input", { type: "text", spellcheck: false, placeholder: "FEN", "aria-label": "FEN" });
  private readonly pieces = h("div.piece-kinds", { role: "group", "aria-label": "Piece" });
  private readonly board = new Board((move) => this.look(this.position!.fen, move));
  private readonly heat = new PieceHeat();
  private readonly average = h("p.lapse-fact");
  private readonly plays = h("p.lapse-fact");
  private readonly elo = h("p.lapse-elo");
  private readonly title = h("p.quiet");
  private readonly plot: Plot;
  private readonly unmeasured = h("p.quiet", {}, "Its strength was not measured.");
  private readonly bar = new Generations((place) => this.go(place), "age");
  private readonly play = h("a.button.primary", {}, "Play it at this age");
  private readonly empty = h("p.empty", {}, "No training has left two checkpoints yet. Start one below.");
  private readonly stage: HTMLElement;
  private readonly question: Newest<{ run: string; fen: string; move?: string }, { position: PositionView }>;
  readonly element: HTMLElement;

  constructor(private readonly context: PanelContext) {
    this.plot = new Plot({
      label: "Elo against material at each age",
      curves: [
        { label: "against material", color: "--accent" },
        { label: "at most", color: "--accent", edge: true },
        { label: "at least", color: "--accent", edge: true },
      ],
      bands: [[1, 2]],
      height: 210,
      axes: true,
      xLabel: "Age",
      onPick: (index) => this.pick(index),
    });
    this.question = new Newest(context, "train.moves", ({ position }) => {
      this.position = position;
      this.moves = [];
      this.draw();
      return true;
    });
    fill(
      this.pieces,
      ...KINDS.map((kind, i) => h("button.plain", { onclick: () => this.choosePiece(i), title: kind }, kind)),
    );
    this.fen.onchange = () => this.look(this.fen.value);
    this.stage = h(
      "div.lapse-stage",
      {},
      h(
        "figure.lapse-part",
        {},
        h("div.lapse-where", {}, this.where, this.fen),
        this.board.element,
        h("figcaption", {}, this.plays),
      ),
      h("figure.lapse-part", {}, this.pieces, this.heat.element, h("figcaption", {}, this.average)),
      h("div.lapse-part.lapse-strength", {}, this.elo, this.plot.element, this.unmeasured, this.play),
    );
    this.element = h(
      "section.lapse",
      { "aria-label": "Time-lapse" },
      h("div.lapse-head", {}, h("h2", {}, "A brain grows"), field("Brain", this.choice), this.title),
      this.empty,
      this.stage,
      this.bar.element,
    );
    context.socket.on<{ run: string; ages: Age[]; ready: number }>("train.aged", (news) => this.aged(news));
    context.socket.on<{ run: string; number: number; fen: string; moves: Move[] }>("train.moved", (news) => {
      if (!this.question.landed(news.number) || news.run !== this.name) return;
      this.moves = news.moves;
      this.draw();
    });
    context.socket.on<{ of: string; number?: number }>("train.failed", ({ of, number }) => {
      if (of === "moved" && number !== undefined) this.question.landed(number);
    });
  }

  /** The positions that the server offers. */
  offer(positions: readonly ChosenPosition[]): void {
    this.positions = positions;
    const options = positions.map(({ title }, i) => [String(i), title] as const);
    fill(this.where, ...select([...options, [OWN, "Your own"]]).children);
    this.where.value = recall<string>("train.position") ?? "0";
    if (!this.where.value) this.where.value = "0";
    this.place();
  }

  /** Runs that have ages: those of the folder, then those that ship. */
  list(own: readonly RunSummary[], recorded: readonly RunSummary[]): void {
    this.runs = [...own, ...recorded].filter(({ ages }) => ages > 1);
    this.empty.hidden = this.runs.length > 0;
    this.stage.hidden = this.bar.element.hidden = this.runs.length === 0;
    const known = (name: string | null) => this.runs.find((run) => run.name === name);
    const stays = recorded.some(({ name }) => name === this.name) ? null : this.name;
    const found = known(this.chosen) ?? known(stays) ?? this.runs[0];
    const names = this.runs.map(({ name }) => name);
    if (names.join("\n") !== [...this.choice.options].map(({ value }) => value).join("\n"))
      fill(this.choice, ...select(this.runs.map(({ name }) => [name, name])).children);
    if (!found) return;
    if (found.name !== this.name || this.known === 0) this.open(found.name);
    else if (found.ages !== this.known) this.fetch(found);
    this.title.textContent = found.title === found.name ? "" : found.title;
  }

  /** The connection is another one: ask again. */
  connected(): void {
    this.question.forget();
    this.known = 0;
  }

  /** Show it now, or as soon as it has ages. */
  choose(name: string): void {
    this.chosen = name;
    remember("train.lapse", name);
    this.open(name);
  }

  private open(name: string): void {
    const run = this.runs.find((known) => known.name === name);
    if (!run) return;
    this.bar.stop();
    if (name !== this.name) this.viewed = null;
    this.name = name;
    this.choice.value = name;
    this.ages = [];
    this.moves = [];
    this.fetch(run);
    if (this.positions.length) this.place();
  }

  stop(): void {
    this.bar.stop();
  }

  key(key: string): boolean {
    return this.bar.key(key);
  }

  // --- Asking ---

  private fetch(run: RunSummary): void {
    this.known = run.ages;
    this.context.socket.ask("train.ages", { run: run.name }).catch(this.context.complain);
    if (this.position) this.look(this.position.fen);
  }

  private place(): void {
    const own = this.where.value === OWN;
    this.fen.hidden = !own;
    remember("train.position", this.where.value);
    const fen = own ? this.fen.value : this.positions[Number(this.where.value)]?.fen;
    if (own && !fen) this.fen.value = this.position?.fen ?? "";
    else if (fen) this.look(fen);
  }

  private look(fen: string, move?: string): void {
    if (this.name !== null && this.runs.length) this.question.ask({ run: this.name, fen, move });
  }

  // --- Ages ---

  private get at(): number {
    const last = Math.max(0, this.ages.length - 1);
    return Math.min(this.viewed ?? last, last);
  }

  private aged({ run, ages, ready }: { run: string; ages: Age[]; ready: number }): void {
    if (run !== this.name) return;
    this.ages = ages;
    this.ready = ready;
    const measured = ages.filter(isMeasured);
    this.plot.show(
      measured.map(({ step }) => step),
      measured.map((age) => age.elo_material!),
      measured.map((age) => age.elo_material_high ?? null),
      measured.map((age) => age.elo_material_low ?? null),
    );
    this.unmeasured.hidden = measured.length > 0;
    this.plot.element.hidden = measured.length === 0;
    this.draw();
  }

  private pick(index: number): void {
    const step = this.ages.filter(isMeasured)[index]?.step;
    this.bar.go(this.ages.findIndex((age) => age.step === step));
  }

  private go(place: number): void {
    this.viewed = place >= this.ages.length - 1 ? null : place;
    this.draw();
  }

  private choosePiece(kind: number): void {
    this.kind = kind;
    this.draw();
  }

  // --- Drawing: all of it is here already, so that the slider shows every age at once ---

  private draw(): void {
    const { ages, at } = this;
    const age = ages[at];
    const unit = (this.runs.find(({ name }) => name === this.name)?.unit ?? "steps").replace(/s$/, "");
    const steps = ages.map(({ step }) => step);
    this.bar.show(steps, at, `${unit[0]!.toUpperCase()}${unit.slice(1)}`);
    this.element.dataset.age = age ? String(age.step) : "";
    this.drawBoard(this.moves[at] ?? null);
    this.drawPieces(age?.pieces ?? null);
    this.drawStrength(age);
    this.play.href = `#play?${new URLSearchParams({ brain: `${this.name}@${age?.step ?? ""}` })}`;
    this.play.hidden = !age;
  }

  private drawBoard(move: Move | null): void {
    const { position } = this;
    if (!position) return;
    this.board.orientation = this.position!.turn;
    this.board.show({ ...position, lastMove: [], movable: "both" });
    this.board.arrows(move ? [arrow(move.uci, "best")] : []);
    const value = move?.value ? ` (${move.value.text} for White)` : "";
    this.plays.textContent = move
      ? `It plays ${move.san}${value}`
      : position.ending
        ? `The game is over: ${position.ending}`
        : "It thinks …";
  }

  private drawPieces(pieces: PieceValues | null): void {
    const { kind } = this;
    [...this.pieces.children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === kind)));
    const all = this.ages.flatMap((age) => age.pieces?.squares[kind] ?? []).map((value) => Math.abs(value ?? 0));
    this.heat.show(pieces, kind, Math.max(1, ...all));
    const known = pieces?.kinds[kind];
    const waiting = this.ready < this.ages.length ? "It is being measured …" : "It predicts moves, not values.";
    this.average.textContent =
      known === undefined ? waiting : `A ${KINDS[kind]} is worth ${(known / 100).toFixed(2)} pawns on average`;
  }

  private drawStrength(age: Age | undefined): void {
    const measured = this.ages.filter(isMeasured);
    const place = measured.findIndex(({ step }) => step === age?.step);
    this.plot.mark(place < 0 ? null : place);
    const low = age?.elo_material_low;
    const interval = low === undefined ? "" : `${signed(low)} … ${signed(age!.elo_material_high ?? low)}`;
    fill(
      this.elo,
      ...(age && isMeasured(age)
        ? [
            h("strong", {}, `${signed(age.elo_material!)} Elo`),
            h("span.quiet", {}, ` against material${interval && ` (${interval})`}`),
          ]
        : [h("span.quiet", {}, measured.length ? "Not measured at this age" : "")]),
    );
  }
}

const isMeasured = (age: Age): boolean => age.elo_material !== undefined;
