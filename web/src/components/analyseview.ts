/** The view of Analyse: the board with its bar, the analysis, the moves, and the report. */

import "../styles/analyse.css";
import { type AnalysisActions, names, remarksOf, type AnalysisState, valueHere } from "../analysis";
import { Board } from "../board";
import { h, type Option } from "../dom";
import { FIRST } from "../tree";
import { MoveEntry } from "./entry";
import { MoveTree } from "./movetree";
import { EngineLines, shapesFor } from "./enginelines";
import { Peek } from "./peek";
import { stepByWheel, steps } from "./steps";
import { Story } from "./story";
import { Strip } from "./strip";
import { ValueBar } from "./valuebar";

export class AnalyseView {
  private state: AnalysisState | null = null;
  private readonly peek = new Peek();
  private readonly board: Board;
  private readonly bar = new ValueBar();
  private readonly strips = { top: new Strip(), bottom: new Strip() };
  private readonly lines: EngineLines;
  private readonly story: Story;
  private readonly moves: MoveTree;
  private readonly opening = h("p.opening");
  private readonly promote = h("button.plain", {}, "Main line");
  private readonly remove = h("button.plain", {}, "Delete");
  private readonly entry: MoveEntry;

  constructor(
    private readonly root: HTMLElement,
    private readonly actions: AnalysisActions,
    engines: readonly Option[],
    below: HTMLElement,
  ) {
    this.board = new Board((move) => void actions.play(move));
    this.lines = new EngineLines(actions, engines, this.peek, () => this.board.orientation);
    this.story = new Story(actions, this.peek);
    this.entry = new MoveEntry((move) => actions.play(move));
    this.moves = new MoveTree((at) => actions.go(at));
    this.promote.onclick = () => actions.promote();
    this.remove.onclick = () => actions.remove();
    root.classList.add("analyse");
    root.append(this.stage(), this.side(below), this.story.card.element);
  }

  offer(engines: readonly Option[]): void {
    this.lines.offer(engines);
  }

  /** Draw everything. */
  show(state: AnalysisState): void {
    const { tree, at, position, bottom } = state;
    if (at !== this.state?.at || tree !== this.state.tree) this.peek.hide();
    const move = tree.moves[at];
    this.root.classList.toggle("bare", tree.moves.length === 0);
    this.board.orientation = bottom;
    this.board.show({
      fen: tree.fen(at),
      turn: tree.turn(at),
      check: move ? move.check : tree.game.start_check,
      lastMove: move?.squares ?? [],
      movable: position && !position.ending ? "both" : null,
      destinations: position?.destinations ?? {},
      promotions: position?.promotions ?? [],
    });
    const requested = tree.moves.length ? "" : "Make a move, open a game, or set up a position.";
    this.opening.textContent = state.opening || requested;
    this.promote.hidden = tree.path(at).every((i) => tree.after(tree.before(i))[0] === i);
    this.remove.hidden = at === FIRST;
    this.showStrips(state);
    this.story.show(state);
    this.showSearch(state);
    this.moves.show(tree, at, remarksOf(state));
  }

  /** Draw what changes while the position stays. */
  showSearch(state: AnalysisState): void {
    this.state = state;
    const { value, engine } = valueHere(state);
    this.lines.show(state);
    this.bar.turn(state.bottom);
    this.bar.show(value, engine);
    this.board.arrows(shapesFor(state));
  }

  hide(): void {
    this.peek.hide();
  }

  focus(): void {
    this.entry.focus();
  }

  /** Undo a move that the server did not accept. */
  putBack(): void {
    this.board.putBack();
  }

  private stage(): HTMLElement {
    const { top, bottom } = this.strips;
    const row = h("div.board-row", {}, this.bar.element, this.board.element);
    stepByWheel(
      row,
      () => this.ply(),
      (ply) => this.goTo(ply),
    );
    return h("div.stage", {}, top.element, row, bottom.element, this.story.element);
  }

  private side(below: HTMLElement): HTMLElement {
    const { actions } = this;
    return h(
      "aside.side",
      { "aria-label": "Analysis" },
      ...this.lines.elements,
      this.story.verdict,
      h("div.opening-row", {}, this.opening, this.promote, this.remove),
      this.moves.element,
      steps(
        () => this.ply(),
        (ply) => this.goTo(ply),
        () => actions.flip(),
      ),
      h(
        "div.entrance",
        {},
        this.entry.element,
        h("button.primary", { onclick: () => actions.open() }, "Open"),
        h("button", { onclick: () => actions.edit() }, "Set up"),
      ),
      below,
    );
  }

  private showStrips({ tree, at, bottom, report }: AnalysisState): void {
    for (const side of ["white", "black"] as const) {
      const strip = side === bottom ? this.strips.bottom : this.strips.top;
      const accuracy = report && !report.phase ? ` · ${report.summary[side].accuracy.toFixed(0)} %` : "";
      strip.show(side, names(tree)[side] + accuracy, tree.fen(at), tree.turn(at) === side);
      strip.clock.show(null, false);
    }
  }

  /** How many moves lead to the position that is looked at. */
  private ply(): number {
    return this.state ? this.state.tree.path(this.state.at).length : 0;
  }

  /** Along the line that is looked at. */
  private goTo(ply: number): void {
    if (!this.state) return;
    const { tree, at } = this.state;
    const way = [...tree.path(at), ...tree.line(at)];
    this.actions.go(way[Math.min(ply, way.length) - 1] ?? FIRST);
  }
}
