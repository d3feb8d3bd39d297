/** The report of the game: its graph, what is said of the move that led here, the whole, and how it comes about. */

import { type AnalysisActions, judgedHere, names, plyOnMain, remarksOf, type AnalysisState } from "../analysis";
import { fill, h, select } from "../dom";
import { FIRST } from "../tree";
import { GameGraph } from "./gamegraph";
import type { Peek } from "./peek";
import { remarkOn, ReportCard } from "./reportcard";

const EFFORTS = [
  ["quick", "Quick"],
  ["normal", "Normal"],
  ["deep", "Thorough"],
] as const;

export class Story {
  readonly verdict = h("p.verdict", { hidden: true });
  readonly card: ReportCard;
  readonly element: HTMLElement;
  private state: AnalysisState | null = null;
  private readonly graph: GameGraph;
  private readonly progress = h("progress", { max: 1, "aria-label": "How far the report is" });
  private readonly phase = h("span.phase");
  private readonly write = h("button.primary", {}, "Write a report");
  private readonly effort = select(EFFORTS);
  private readonly cancel = h("button", {}, "Cancel");
  private readonly form: HTMLElement;

  constructor(
    actions: AnalysisActions,
    private readonly peek: Peek,
  ) {
    const goToPly = (ply: number): void => actions.goToPly(ply);
    this.card = new ReportCard(goToPly);
    this.graph = new GameGraph(goToPly, (ply, box) => this.glimpse(ply, box));
    this.write.onclick = () => actions.write();
    this.cancel.onclick = () => actions.cancel();
    this.effort.onchange = () => actions.change({ effort: this.effort.value });
    this.effort.setAttribute("aria-label", "How thorough");
    this.form = h("div.report-form", {}, this.write, this.effort, this.cancel, this.progress, this.phase);
    this.element = h("div.game-story", {}, this.graph.element, this.form);
  }

  show(state: AnalysisState): void {
    this.state = state;
    const { tree, report } = state;
    const length = tree.line().length;
    const ply = plyOnMain(state);
    this.graph.element.hidden = !report || length === 0;
    if (report) this.graph.show(report.values, length + 1, report.moves, ply);
    this.card.show(report, names(tree), ply);
    this.showForm(state);
    const judged = judgedHere(state);
    this.verdict.hidden = !judged;
    if (!judged) return;
    const [engine] = report!.by.split(",");
    const name = h("strong", { "data-mark": judged.mark }, judged.name);
    fill(this.verdict, name, ` ${remarkOn(judged)}`, h("span.quiet", {}, ` – ${engine}`));
  }

  /** Offer a report, or tell how far it is and offer to stop. */
  private showForm({ tree, report, writing, settings }: AnalysisState): void {
    const { write, cancel, effort, progress, phase } = this;
    this.form.hidden = tree.moves.length === 0;
    progress.hidden = cancel.hidden = !writing;
    write.hidden = effort.hidden = writing;
    write.textContent = report ? "Write it again" : "Write a report";
    effort.value = settings.effort;
    progress.value = report?.share ?? 0;
    if (!writing) {
      phase.textContent = report
        ? `Written by ${report.by}`
        : `Every move analysed by ${settings.engine}: graph, mistakes, accuracy`;
    } else if (!report) phase.textContent = "waiting";
    else {
      const left = report.share < 1 ? ` · about ${report.left_s} s left` : "";
      phase.textContent = `${report.by.split(",")[0]}: ${report.phase}${left}`;
    }
  }

  /** Pointing at the graph shows the position there. */
  private glimpse(ply: number | null, box: DOMRect): void {
    if (!this.state || ply === null) return this.peek.hide();
    const { tree, report, bottom } = this.state;
    const at = tree.line()[ply - 1] ?? FIRST;
    const move = tree.moves[at];
    const name = move ? `${move.number}${move.turn === "white" ? "." : "…"} ${move.san}` : "Start";
    const caption = `${name}${remarksOf(this.state).get(at)?.mark ?? ""}  ${report?.values[ply]?.text ?? ""}`;
    this.peek.show({ fen: tree.fen(at), uci: move?.uci, caption }, bottom, box);
  }
}
