/** The report of a game: how both sides played, and every mistake with its sentence. */

import { fill, h } from "../dom";
import type { Line, Side, Value } from "../records";

export interface ReportSummary {
  moves: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  accuracy: number;
  average_loss: number;
  missed_mates: number;
  missed_wins: number;
  only_moves: number;
}

export interface ReportedMove {
  ply: number;
  /** 23... Qxb2?? */
  name: string;
  side: Side;
  mark: string;
  note: string | null;
  loss: number;
  sentence: string;
  /** The best move, unless the sentence names it. */
  better: string;
  best: Line;
  reply: Line;
}

/** As the server writes it; it grows until `phase` is empty. */
export interface Report {
  by: string;
  phase: string;
  share: number;
  left_s: number;
  opening: { eco: string; name: string; ply: number } | null;
  values: Value[];
  moves: ReportedMove[];
  summary: Record<Side, ReportSummary>;
}

const NOTES: Record<string, string> = {
  "missed mate": "misses a mate",
  "missed win": "misses a win",
  "only move": "the only move",
};

/** What is said of a move, in one sentence. */
export function remarkOn(move: ReportedMove): string {
  const sentence = move.sentence || NOTES[move.note ?? ""] || `gives away ${Math.round(100 * move.loss)} %`;
  return move.better && move.mark ? `${sentence}. Better was ${move.better}.` : `${sentence}.`;
}

export class ReportCard {
  private readonly cards = h("div.accuracies");
  private readonly by = h("p.quiet");
  private readonly list = h("ol.mistakes", { "aria-label": "Mistakes" });
  private readonly rows = new Map<number, HTMLElement>();
  readonly element = h(
    "section.report",
    { "aria-label": "Report", hidden: true },
    h("div.report-side", {}, this.cards, explanation(), this.by),
    this.list,
  );
  private shown = "";

  constructor(private readonly onPick: (ply: number) => void) {}

  show(report: Report | null, names: Record<Side, string>, current: number | null): void {
    this.element.hidden = report === null;
    if (!report) return;
    const key = JSON.stringify([report.summary, report.moves, report.phase === "", names]);
    if (key !== this.shown) this.build(report, names);
    this.shown = key;
    for (const [ply, row] of this.rows) row.classList.toggle("current", ply + 1 === current);
  }

  private build(report: Report, names: Record<Side, string>): void {
    fill(this.cards, ...(["white", "black"] as const).map((side) => card(side, names[side], report.summary[side])));
    this.by.textContent = `Written by ${report.by}${report.phase ? ": not finished yet" : ""}.`;
    this.rows.clear();
    const items = report.moves.map((move) => {
      const row = h(
        "button.mistake",
        { onclick: () => this.onPick(move.ply + 1) },
        h("span.mistake-name", { "data-mark": move.mark }, move.name),
        h("span.mistake-text", {}, remarkOn(move)),
      );
      this.rows.set(move.ply, row);
      return h("li", {}, row);
    });
    const none = h("li.quiet", {}, report.phase ? "No mistake found so far." : "No mistake was found.");
    fill(this.list, ...(items.length ? items : [none]));
  }
}

function card(side: Side, name: string, summary: ReportSummary): HTMLElement {
  const counts = [
    [summary.blunders, "??", "blunders"],
    [summary.mistakes, "?", "mistakes"],
    [summary.inaccuracies, "?!", "inaccuracies"],
  ] as const;
  return h(
    "div.accuracy",
    {},
    h("p.accuracy-name", {}, h(`span.disc.${side}`, { "aria-hidden": "true" }), name),
    h("p.accuracy-number", {}, `${summary.accuracy.toFixed(1)} %`, h("small", {}, " accuracy")),
    h(
      "p.accuracy-counts",
      {},
      ...counts.map(([count, mark, words]) =>
        h("span", { title: words }, h("b", { "data-mark": mark, "aria-label": words }, mark), ` ${count}`),
      ),
    ),
    h("p.quiet", {}, `${(100 * summary.average_loss).toFixed(1)} % given away in a move`),
  );
}

function explanation(): HTMLElement {
  return h(
    "details.formula",
    {},
    h("summary", {}, "How accuracy is computed"),
    h(
      "p",
      {},
      "A move that loses a share ",
      h("i", {}, "loss"),
      " of the point counts 103.17 · e^(−4.354 · loss) − 3.17, between 0 and 100: 100 for nothing, 64 for a tenth of a point, " +
        "40 for a fifth. A side's accuracy is the mean over its moves. What a move gives away is the value of the best move " +
        "less the value after the move played, as the engine named below sees it; from 5 % on it is marked ?!, from 10 % ?, " +
        "from 20 % ??. Whatever seems a mistake was looked at again, four times as long.",
    ),
  );
}
