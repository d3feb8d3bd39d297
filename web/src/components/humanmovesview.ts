/** HumanMoves as it is seen: the board with its colours, what can be set, likely moves, the line, the map. */

import { Board } from "../board";
import { field, fill, h, offer, select } from "../dom";
import {
  type HumanMovesActions,
  type HumanMovesChoices,
  fenOf,
  mapsOf,
  START,
  type HumanMovesState,
  turnOf,
} from "../humanmoves";
import type { PanelContext } from "../panel";
import { other, type Side } from "../records";
import { brainOptions } from "./brainline";
import { Chart } from "./chart";
import { copyButton, linkTo } from "./exports";
import { Heat } from "./heat";
import { Likely, percent } from "./likely";
import { MoveList } from "./movelist";
import { stepByWheel, steps } from "./steps";

export class HumanMovesView {
  private state: HumanMovesState | null = null;
  private readonly board: Board;
  private readonly heat: Heat;
  private readonly likely: Likely;
  private readonly moves: MoveList;
  readonly chart: Chart;
  private readonly brain = select([["", "none"]]);
  private readonly masked = h("input", { type: "checkbox", role: "switch" });
  private readonly follows = h("input", { type: "checkbox" });
  private readonly elo = h("input", { type: "range", step: 25 });
  private readonly rating = h("output");
  private readonly range = h("span");
  private readonly text = h("input", { type: "text", spellcheck: false, autocomplete: "off" });
  private readonly says = h("p.says", { role: "status" });
  private readonly links = h("div.looks");
  private readonly without = h(
    "div.without",
    { hidden: true },
    h("p", {}, "No brain here predicts moves. To train one on games that you have:"),
    h("code.command", {}, "okapi train moves --games games.okapi"),
  );

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
    private readonly actions: HumanMovesActions,
  ) {
    this.board = new Board((move) => void actions.play(move));
    this.heat = new Heat(this.board);
    this.likely = new Likely(({ uci }) => void actions.play(uci));
    this.moves = new MoveList((ply) => actions.go(ply));
    this.chart = new Chart(context, (ply) => actions.go(ply));
    this.board.watchChoice((square) => actions.choose(square));
    this.brain.onchange = () => actions.change({ brain: this.brain.value });
    this.masked.onchange = () => actions.change({ masked: this.masked.checked });
    this.follows.onchange = () => actions.change({ follows: this.follows.checked });
    this.elo.oninput = () => actions.change({ elo: Number(this.elo.value) });
    root.classList.add("human-moves");
    root.append(this.stage(), this.side());
  }

  get bottom(): Side {
    return this.board.orientation;
  }

  turnTo(side: Side): void {
    this.board.orientation = side;
  }

  flip(): void {
    this.turnTo(other(this.bottom));
    if (!this.state) return;
    const { played, at } = this.state.settings;
    this.show(this.state);
    this.chart.show(played, at, this.bottom);
  }

  /** Undo a move that the server did not accept. */
  putBack(): void {
    this.board.putBack();
  }

  /** Choose no piece any more. */
  letGo(): void {
    this.board.letGo();
  }

  toggleMask(): void {
    this.masked.click();
  }

  offer({ brains, atlases, elo }: HumanMovesChoices): void {
    offer(this.brain, brainOptions(this.context.hello, brains));
    this.brain.disabled = this.masked.disabled = brains.length === 0;
    this.without.hidden = brains.length > 0;
    this.elo.min = String(elo[0]);
    this.elo.max = String(elo[1]);
    this.range.textContent = ` (${elo[0]} to ${elo[1]})`;
    this.chart.offer(atlases);
  }

  show(state: HumanMovesState): void {
    this.state = state;
    const { settings, position, predicted, chosen } = state;
    const { played, at, elo, masked, follows, brain } = settings;
    this.board.show({
      fen: fenOf(settings),
      turn: turnOf(settings),
      check: played.moves[at - 1]?.check ?? position?.check ?? false,
      lastMove: [],
      movable: position ? turnOf(settings) : null,
      destinations: position?.destinations ?? {},
      promotions: position?.promotions ?? [],
    });
    this.drawHeat(state);
    this.likely.show(predicted?.moves ?? [], chosen);
    this.says.textContent = inWords(state);
    this.moves.show(played.moves, played.start_number, played.start_turn, at);
    this.brain.value = brain;
    this.elo.value = String(elo);
    this.elo.disabled = !predicted?.inputs.includes("elo");
    this.rating.textContent = String(elo);
    this.masked.checked = masked;
    this.follows.checked = follows;
    this.drawLinks(state);
  }

  private drawHeat(state: HumanMovesState): void {
    const { chosen, position } = state;
    const maps = mapsOf(state);
    const destinations = position?.destinations ?? {};
    const shares = chosen === null ? maps?.origin : maps?.targets[chosen];
    const legal = new Set(chosen === null ? Object.keys(destinations) : destinations[chosen]);
    this.heat.show(shares ?? {}, (square) => legal.has(square));
  }

  private drawLinks({ settings }: HumanMovesState): void {
    const fen = fenOf(settings);
    const link = (panel: string, text: string): HTMLElement => h("a.look-link", { href: linkTo(panel, { fen }) }, text);
    const copy = copyButton(this.context, "link", () => linkTo("human_moves", { fen, elo: String(settings.elo) }));
    fill(this.links, link("play", "Play on"), link("analyse", "Analyse"), link("compare", "Compare"), copy);
  }

  private stage(): HTMLElement {
    const { actions } = this;
    const at = (): number => this.state?.settings.at ?? 0;
    const go = (ply: number): void => actions.go(ply);
    stepByWheel(this.board.element, at, go);
    const walking = steps(at, go, () => this.flip());
    const back = h("button.plain", { onclick: () => actions.takeBack() }, "Take back");
    const bar = h("div.human-moves-steps", {}, walking, back);
    const opening = h("form.human-moves-form", {}, field("Position or game", this.text), h("button", {}, "Show"));
    opening.onsubmit = (event) => {
      event.preventDefault();
      void actions.open(this.text.value.trim() || START.start);
    };
    return h("div.stage", {}, h("div.board-row", {}, this.board.element), bar, this.links, opening);
  }

  private side(): HTMLElement {
    const controls = h(
      "div.human-moves-controls",
      {},
      field("Brain", this.brain),
      h("label.field", {}, h("span.field-label", {}, "Rating of the player ", this.rating, this.range), this.elo),
      h("label.switch", {}, this.masked, "Masked: legal moves only"),
      h("label.switch", {}, this.follows, "Follow the game in Play"),
    );
    const list = h("section.likely-section", { "aria-label": "Likely moves" }, this.says, this.likely.element);
    return h(
      "div.feeling",
      {},
      h("h2", {}, "What would people play?"),
      controls,
      this.without,
      h("div.human-moves-grid", {}, list, this.chart.element),
      this.moves.element,
    );
  }
}

/** What the colours and bars say, for people who would rather read. */
function inWords(state: HumanMovesState): string {
  const { predicted, chosen, position, settings } = state;
  if (position?.ending) return `The game is over: ${position.ending}.`;
  if (!predicted) return settings.brain ? "The brain evaluates the position …" : "";
  const who = predicted.inputs.includes("elo") ? `A player rated ${predicted.elo}` : predicted.brain;
  if (chosen !== null) {
    const share = mapsOf(state)?.origin[chosen] ?? 0;
    return `${who} would move the piece on ${chosen} in ${percent(share)} of games; the colours say where to.`;
  }
  const best = predicted.moves[0];
  const first = best ? `${who} would most likely play ${best.san} (${percent(best.share)}).` : "";
  return settings.masked ? first : `${first} ${percent(predicted.astray)} of what the brain says is no legal move.`;
}
