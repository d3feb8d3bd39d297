/** What Analyse looks like: the board with its bar, lines, moves, graph and report. */

import "../styles/analyse.css";
import { Board } from "../board";
import { field, fill, h, select } from "../dom";
import { type Line, type LineMove, type PositionView, type Side, type Thoughts, type Value } from "../records";
import { FIRST, type Tree } from "../tree";
import { arrow, arrowsFor } from "./arrows";
import { GameGraph } from "./gamegraph";
import { Lines } from "./lines";
import { MoveTree, type Remark } from "./movetree";
import { Peek } from "./peek";
import { remarkOn, type Report, ReportCard, type ReportedMove } from "./reportcard";
import { stepByWheel, steps } from "./steps";
import { Strip } from "./strip";
import { inWords, ValueBar } from "./valuebar";

export interface Settings {
  /** A brain, or a program that the command line named. */
  speaker: string;
  lines: number;
  on: boolean;
  threat: boolean;
  effort: string;
}

/** The best lines, and who says so of which position. */
export interface Spoken extends Thoughts {
  speaker: string;
  fen: string;
}

export interface Threat {
  speaker: string;
  fen: string;
  /** Nothing where there is no threat. */
  sentence: string;
  line: Line | null;
}

export interface State {
  tree: Tree;
  at: number;
  bottom: Side;
  settings: Settings;
  position: PositionView | null;
  opening: string;
  thoughts: Spoken | null;
  thinking: boolean;
  threat: Threat | null;
  report: Report | null;
  writing: boolean;
}

/** What a person can do here. */
export interface Actions {
  play: (move: string) => Promise<boolean>;
  follow: (moves: readonly LineMove[]) => Promise<void>;
  go: (at: number) => void;
  goToPly: (ply: number) => void;
  change: (settings: Partial<Settings>) => void;
  look: (endless: boolean) => void;
  promote: () => void;
  remove: () => void;
  flip: () => void;
  askForText: () => void;
  edit: () => void;
  write: () => void;
  cancel: () => void;
}

const MOST_LINES = 5;
const EFFORTS = [
  ["quick", "Quick"],
  ["normal", "Normal"],
  ["deep", "Thorough"],
] as const;

export class View {
  private state: State | null = null;
  private readonly peek = new Peek();
  private readonly board: Board;
  private readonly bar = new ValueBar();
  private readonly strips = { top: new Strip(), bottom: new Strip() };
  private readonly lines: Lines;
  private readonly moves: MoveTree;
  private readonly graph: GameGraph;
  private readonly card: ReportCard;
  private readonly says = h("p.says");
  private readonly figures = h("span.figures");
  private readonly deeper = h("button.plain", { onclick: () => this.actions.look(true) }, "Look deeper");
  private readonly danger = h("p.danger", { hidden: true });
  private readonly verdict = h("p.verdict", { hidden: true });
  private readonly opening = h("p.opening");
  private readonly progress = h("progress", { max: 1, "aria-label": "How far the report is" });
  private readonly phase = h("span.phase");
  private readonly invitation: HTMLElement;
  readonly entry = h("input.entry", {
    type: "text",
    placeholder: "Move: e4, Nf3, O-O …",
    "aria-label": "Type a move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    enterKeyHint: "send",
  });
  private readonly controls;

  constructor(
    private readonly root: HTMLElement,
    private readonly actions: Actions,
    speakers: readonly string[],
    below: HTMLElement,
  ) {
    this.board = new Board((move) => void actions.play(move));
    this.lines = new Lines(
      (moves) => void actions.follow(moves),
      this.peek,
      () => this.board.orientation,
      MOST_LINES,
    );
    this.moves = new MoveTree(actions.go.bind(actions));
    this.graph = new GameGraph(actions.goToPly.bind(actions), (ply, box) => this.glimpse(ply, box));
    this.card = new ReportCard(actions.goToPly.bind(actions));
    this.controls = this.makeControls(speakers);
    const { write, effort, cancel } = this.controls;
    this.invitation = h("div.invitation", {}, write, effort, cancel, this.progress, this.phase);
    this.root.classList.add("analyse");
    root.append(this.stage(), this.side(below), this.card.element);
    stepByWheel(
      this.board.element,
      () => this.ply(),
      (ply) => this.goTo(ply),
    );
  }

  /** Draw everything. */
  show(state: State): void {
    this.state = state;
    const { tree, at, position, bottom } = state;
    const move = tree.moves[at];
    this.peek.hide();
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
    this.opening.textContent =
      state.opening || (tree.moves.length ? "" : "Make a move, open a game, or set up a position.");
    this.showControls(state);
    this.showStrips(state);
    this.showReport(state);
    this.showThoughts(state);
    this.moves.show(tree, at, this.remarks(state));
  }

  /** Draw what changes while the position stays: lines, value, arrows, threat. */
  showThoughts(state: State): void {
    this.state = state;
    const { thoughts, threat, settings, position, tree, at, thinking } = state;
    const lines = settings.on ? (thoughts?.lines ?? []) : [];
    this.lines.show(lines);
    this.lines.element.classList.toggle("waiting", settings.on && lines.length === 0 && !position?.ending);
    const { value, speaker } = this.value(state);
    this.bar.turn(state.bottom);
    this.bar.show(value, speaker);
    this.says.textContent = position?.ending
      ? `The game is over: ${position.ending}.`
      : value
        ? `${speaker}: ${inWords(value)}.`
        : settings.on
          ? `${settings.speaker} looks at the position …`
          : "Nobody looks at the position.";
    this.figures.textContent =
      settings.on && thoughts
        ? `depth ${thoughts.depth} · ${short(thoughts.nodes)} positions · ${short(thoughts.nps)}/s`
        : "";
    this.deeper.hidden = thinking || !settings.on || lines.length === 0;
    this.danger.hidden = !settings.threat || !threat;
    this.danger.textContent = threat ? `${threat.sentence || "No threat"}, says ${threat.speaker}.` : "";
    const shapes = arrowsFor(lines, tree.turn(at));
    const first = settings.threat ? threat?.line?.moves[0] : undefined;
    if (first) shapes.push(arrow(first.uci, "threat"));
    const judged = this.judged(state);
    if (!settings.on && judged?.mark) shapes.push(...this.missed(judged));
    this.board.arrows(shapes);
  }

  hide(): void {
    this.peek.hide();
  }

  /** Undo what a hand has moved and the server did not accept. */
  putBack(): void {
    this.board.putBack();
  }

  /** What the report says of the moves of the main line, by their numbers in the tree. */
  remarks({ tree, report }: State): Map<number, Remark> {
    const line = tree.line();
    const moves = report?.moves.filter(({ ply }) => ply < line.length) ?? [];
    return new Map(moves.map((move) => [line[move.ply]!, { mark: move.mark, text: remarkOn(move) }]));
  }

  // --- Building ---

  private stage(): HTMLElement {
    const row = h("div.board-row", {}, this.bar.element, this.board.element);
    return h(
      "div.stage",
      {},
      this.strips.top.element,
      row,
      this.strips.bottom.element,
      h("div.game-story", {}, this.graph.element, this.invitation),
    );
  }

  private side(below: HTMLElement): HTMLElement {
    const { actions } = this;
    const enter = (event: Event): void => {
      event.preventDefault();
      const move = this.entry.value.trim();
      if (move) void actions.play(move).then((played) => played && (this.entry.value = ""));
    };
    const { on, speaker, lines, threat, promote, remove } = this.controls;
    return h(
      "aside.side",
      { "aria-label": "Analysis" },
      h("div.panel-controls", {}, on, field("By", speaker), field("Lines", lines), threat),
      h("div.opinion", {}, this.says, h("div.figure-row", {}, this.figures, this.deeper)),
      this.lines.element,
      this.danger,
      this.verdict,
      h("div.opening-row", {}, this.opening, promote, remove),
      this.moves.element,
      steps(
        () => this.ply(),
        (ply) => this.goTo(ply),
        () => actions.flip(),
      ),
      h(
        "div.entrance",
        {},
        h("form.entry-form", { onsubmit: enter }, this.entry),
        h("button.primary", { onclick: () => actions.askForText() }, "Open"),
        h("button", { onclick: () => actions.edit() }, "Set up"),
      ),
      below,
    );
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

  private makeControls(speakers: readonly string[]) {
    const { actions } = this;
    const on = h("button.toggle", { "aria-pressed": "true", title: "Analysis on or off (a)" }, "Analysis");
    on.onclick = () => actions.change({ on: !this.state?.settings.on });
    const threat = h(
      "button.toggle",
      { "aria-pressed": "false", title: "What would the other side do? (x)" },
      "Threats",
    );
    threat.onclick = () => actions.change({ threat: !this.state?.settings.threat });
    const speaker = select(speakers.map((name) => [name, name] as const));
    speaker.onchange = () => actions.change({ speaker: speaker.value });
    const lines = select(["1", "2", "3", "4", "5"].map((count) => [count, count] as const));
    lines.onchange = () => actions.change({ lines: Number(lines.value) });
    const effort = select(EFFORTS);
    effort.setAttribute("aria-label", "How thorough");
    effort.onchange = () => actions.change({ effort: effort.value });
    return {
      on,
      threat,
      speaker,
      lines,
      effort,
      write: h("button.primary", { onclick: () => actions.write() }, "Write a report"),
      cancel: h("button", { onclick: () => actions.cancel() }, "Cancel"),
      promote: h("button.plain", { onclick: () => actions.promote() }, "Main line"),
      remove: h("button.plain", { onclick: () => actions.remove() }, "Delete"),
    };
  }

  // --- Drawing ---

  private showControls({ tree, at, settings }: State): void {
    const { on, threat, speaker, lines, effort, promote, remove } = this.controls;
    on.setAttribute("aria-pressed", String(settings.on));
    threat.setAttribute("aria-pressed", String(settings.threat));
    speaker.value = settings.speaker;
    lines.value = String(settings.lines);
    effort.value = settings.effort;
    promote.hidden = at === FIRST || tree.path(at).every((i) => tree.after(tree.before(i))[0] === i);
    remove.hidden = at === FIRST;
  }

  private showStrips({ tree, at, bottom, report }: State): void {
    for (const side of ["white", "black"] as const) {
      const strip = side === bottom ? this.strips.bottom : this.strips.top;
      const accuracy = report && !report.phase ? ` · ${report.summary[side].accuracy.toFixed(0)} %` : "";
      strip.show(side, names(tree)[side] + accuracy, tree.fen(at), tree.turn(at) === side);
      strip.clock.show(null, false);
    }
  }

  private showReport(state: State): void {
    const { tree, at, report } = state;
    const line = tree.line();
    const onMain = at === FIRST || line.includes(at);
    const ply = onMain ? tree.path(at).length : null;
    this.graph.element.hidden = !report || line.length === 0;
    if (report) {
      const dots = report.moves.filter(({ mark, note }) => mark || note);
      this.graph.show(report.values, line.length + 1, dots, ply);
    }
    this.card.show(report, names(tree), ply);
    this.showInvitation(state);
    const judged = this.judged(state);
    this.verdict.hidden = !judged;
    if (judged) {
      const name = h("strong", { "data-mark": judged.mark }, judged.name);
      fill(this.verdict, name, ` ${remarkOn(judged)}`, h("span.quiet", {}, ` – ${report!.by.split(",")[0]}`));
    }
  }

  /** Offer a report, or tell how far it is and offer to stop. */
  private showInvitation({ tree, report, writing, settings }: State): void {
    const { write, cancel, effort } = this.controls;
    this.invitation.hidden = tree.moves.length === 0;
    this.progress.hidden = cancel.hidden = !writing;
    write.hidden = effort.hidden = writing;
    write.textContent = report ? "Write it again" : "Write a report";
    this.progress.value = report?.share ?? 0;
    const left = report && report.share < 1 ? ` · about ${report.left_s} s left` : "";
    this.phase.textContent = writing
      ? `${settings.speaker}: ${report?.phase || "waiting"}${left}`
      : report
        ? `Written by ${report.by}`
        : `Every move judged by ${settings.speaker}: graph, mistakes, accuracy`;
  }

  /** What is said of the position: by who looks at it now, else by the report. */
  private value({ thoughts, settings, tree, at, report }: State): { value: Value | null; speaker: string } {
    const live = settings.on ? thoughts?.lines[0]?.value : undefined;
    if (live) return { value: live, speaker: thoughts!.speaker };
    const onMain = at === FIRST || tree.line().includes(at);
    const told = onMain ? report?.values[tree.path(at).length] : undefined;
    return { value: told ?? null, speaker: report?.by ?? "" };
  }

  /** What the report says of the move that led here. */
  private judged({ tree, at, report }: State): ReportedMove | undefined {
    if (at === FIRST || tree.line()[tree.path(at).length - 1] !== at) return undefined;
    return report?.moves.find(({ ply }) => ply === tree.path(at).length - 1);
  }

  /** The reply that punishes the move. */
  private missed(judged: ReportedMove) {
    const reply = judged.reply.moves[0];
    return reply ? [arrow(reply.uci, "threat")] : [];
  }

  /** Point at the graph: a small board. */
  private glimpse(ply: number | null, box: DOMRect): void {
    const { tree, report } = this.state ?? {};
    if (!tree || ply === null) return this.peek.hide();
    const at = tree.line()[ply - 1] ?? FIRST;
    const move = tree.moves[at];
    const value = report?.values[ply];
    const name = move ? `${move.number}${move.turn === "white" ? "." : "…"} ${move.san}` : "Start";
    const caption = `${name}${this.remarks(this.state!).get(at)?.mark ?? ""}  ${value?.text ?? ""}`;
    this.peek.show({ fen: tree.fen(at), uci: move?.uci, caption }, this.board.orientation, box);
  }
}

function names(tree: Tree): Record<Side, string> {
  const { White = "?", Black = "?" } = tree.game.tags;
  return { white: White === "?" ? "White" : White, black: Black === "?" ? "Black" : Black };
}

/** 1234567 as 1.2 M. */
function short(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(0)} k` : `${(count / 1_000_000).toFixed(1)} M`;
}
