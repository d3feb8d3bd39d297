/** The best lines as they are found: click a move to go there, point at it to see the position. */

import { h } from "../dom";
import { moveNumber } from "../notation";
import type { Line, LineMove, Side } from "../records";
import type { Peek } from "./peek";
import { inWords } from "./valuebar";

const LONGEST = 12;

/** One line. Its elements stay where they are while the moves change, so that a click always meets what it aimed at. */
class EngineLineRow {
  readonly element = h("li.line", { hidden: true });
  private readonly value = h("span.line-value");
  private readonly buttons: HTMLButtonElement[] = [];
  private moves: LineMove[] = [];

  constructor(onPick: (moves: LineMove[]) => void, peek: Peek, bottom: () => Side) {
    this.element.append(this.value);
    for (let i = 0; i < LONGEST; i++) {
      const button = h("button.line-move", { tabIndex: i === 0 ? 0 : -1 });
      button.onclick = () => {
        peek.hide();
        onPick(this.moves.slice(0, i + 1));
      };
      peek.watch(button, bottom, () => this.moves[i] ?? null);
      this.buttons.push(button);
      this.element.append(button);
    }
  }

  show(line: Line | undefined): void {
    this.element.hidden = !line;
    if (!line) return;
    this.moves = line.moves;
    this.value.textContent = line.value.text;
    this.value.classList.toggle("behind", line.value.white < 0.5);
    this.value.title = inWords(line.value);
    this.buttons.forEach((button, i) => {
      const move = line.moves[i];
      button.hidden = !move;
      if (!move) return;
      button.textContent = moveNumber(move.number, move.turn, i === 0) + move.san;
    });
  }
}

export class Lines {
  private readonly rows: EngineLineRow[];
  readonly element: HTMLElement;

  /** `onPick` is told the moves up to the one that was clicked. */
  constructor(onPick: (moves: LineMove[]) => void, peek: Peek, bottom: () => Side, most: number) {
    this.rows = Array.from({ length: most }, () => new EngineLineRow(onPick, peek, bottom));
    this.element = h("ol.lines", { "aria-label": "Best lines" }, ...this.rows.map((row) => row.element));
  }

  show(lines: readonly Line[]): void {
    this.rows.forEach((row, i) => row.show(lines[i]));
  }
}
