/** The analysis of the position: value, lines, threat; and the choice of the engine. */

import type { DrawShape } from "@lichess-org/chessground/draw";
import { type AnalysisActions, judgedHere, MOST_LINES, type AnalysisState, valueHere } from "../analysis";
import { field, h, offer, type Option, select } from "../dom";
import type { Side } from "../records";
import { arrow, arrowsFor } from "./arrows";
import { Lines } from "./lines";
import type { Peek } from "./peek";
import { inWords } from "./valuebar";

/** What one line takes; room for all is kept free, so that nothing moves when they come. */
const LINE_PX = 34;

export class EngineLines {
  readonly elements: HTMLElement[];
  private state: AnalysisState | null = null;
  private readonly on = h("button.toggle", { title: "Analysis on or off (a)" }, "Analysis");
  private readonly threat = h("button.toggle", { title: "What does the other side threaten? (x)" }, "Threats");
  private readonly engine: HTMLSelectElement;
  private readonly count = select(Array.from({ length: MOST_LINES }, (_, i) => [`${i + 1}`, `${i + 1}`] as const));
  private readonly says = h("p.says");
  private readonly figures = h("span.figures");
  private readonly deeper = h("button.plain", {}, "Look deeper");
  private readonly danger = h("p.danger", { hidden: true });
  private readonly lines: Lines;

  constructor(actions: AnalysisActions, engines: readonly Option[], peek: Peek, bottom: () => Side) {
    this.engine = select(engines);
    this.lines = new Lines((moves) => void actions.follow(moves), peek, bottom, MOST_LINES);
    this.on.onclick = () => actions.change({ on: !this.state?.settings.on });
    this.threat.onclick = () => actions.change({ threat: !this.state?.settings.threat });
    this.engine.onchange = () => actions.change({ engine: this.engine.value });
    this.count.onchange = () => actions.change({ lines: Number(this.count.value) });
    this.deeper.onclick = () => actions.look(true);
    this.elements = [
      h("div.panel-controls", {}, this.on, field("By", this.engine), field("Lines", this.count), this.threat),
      h("div.engine-value", {}, this.says, h("div.figure-row", {}, this.figures, this.deeper)),
      this.lines.element,
      this.danger,
    ];
  }

  offer(engines: readonly Option[]): void {
    offer(this.engine, engines);
  }

  show(state: AnalysisState): void {
    this.state = state;
    const { search, threat, settings, position, thinking } = state;
    const lines = settings.on ? (search?.lines ?? []) : [];
    this.on.setAttribute("aria-pressed", String(settings.on));
    this.threat.setAttribute("aria-pressed", String(settings.threat));
    this.engine.value = settings.engine;
    this.count.value = String(settings.lines);
    this.lines.show(lines);
    this.lines.element.style.minHeight = settings.on && !position?.ending ? `${settings.lines * LINE_PX}px` : "";
    this.says.textContent = inASentence(state);
    this.figures.textContent = settings.on && search ? figures(state) : "";
    this.deeper.hidden = thinking || lines.length === 0 || !!search?.predicts;
    this.danger.hidden = !settings.threat || !threat;
    this.danger.textContent = threat ? `${threat.sentence || "No threat"}, says ${threat.engine}.` : "";
  }
}

/** Arrows for the best moves and for the threat; with analysis off, for the refutation of a mistake. */
export function shapesFor(state: AnalysisState): DrawShape[] {
  const { settings, search, threat, tree, at } = state;
  const shapes = settings.on ? arrowsFor(search?.lines ?? [], tree.turn(at)) : [];
  const judged = judgedHere(state);
  const threats = [
    settings.threat ? threat?.line?.moves[0] : undefined,
    !settings.on && judged?.mark ? judged.reply.moves[0] : undefined,
  ];
  for (const move of threats) if (move) shapes.push(arrow(move.uci, "threat"));
  return shapes;
}

function inASentence(state: AnalysisState): string {
  const { settings, position, search } = state;
  const { value, engine } = valueHere(state);
  if (position?.ending) return `The game is over: ${position.ending}.`;
  const likely = settings.on && search?.predicts ? search.lines[0] : undefined;
  if (likely)
    return `${search!.engine} predicts ${likely.moves[0]!.san} (${likely.value.text}), and values no position.`;
  if (value) return `${engine}: ${inWords(value)}.`;
  return settings.on ? `${settings.engine} looks at the position …` : "Analysis is off.";
}

function figures({ search, tree, at }: AnalysisState): string {
  const { depth, nodes, nps, predicts } = search!;
  if (predicts) return "no search · arrows: how likely each move is, in %";
  const side = tree.turn(at) === "white" ? "White" : "Black";
  return `depth ${depth} · ${short(nodes)} positions · ${short(nps)}/s · arrows: % for ${side}`;
}

/** 1234567 as 1.2 M. */
function short(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(0)} k` : `${(count / 1_000_000).toFixed(1)} M`;
}
