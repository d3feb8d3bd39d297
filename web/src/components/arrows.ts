/** Arrows that say how good a move is: wide and green for the best, narrower and paler the more it gives away. */

import type { DrawBrushes, DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import type { Line, Side } from "../records";

export const BRUSHES: DrawBrushes = {
  green: { key: "g", color: "#15781b", opacity: 0.8, lineWidth: 10 },
  red: { key: "r", color: "#a32020", opacity: 0.8, lineWidth: 10 },
  blue: { key: "b", color: "#1f4e8c", opacity: 0.8, lineWidth: 10 },
  yellow: { key: "y", color: "#c98a00", opacity: 0.8, lineWidth: 10 },
  best: { key: "best", color: "#1b7f4b", opacity: 0.75, lineWidth: 12 },
  good: { key: "good", color: "#2f6fa8", opacity: 0.6, lineWidth: 10 },
  poor: { key: "poor", color: "#8a8178", opacity: 0.5, lineWidth: 8 },
  threat: { key: "threat", color: "#b3362b", opacity: 0.7, lineWidth: 10 },
};

/** Beyond this loss of expected score a move is no alternative. */
const ALTERNATIVE = 0.1;

export function arrow(uci: string, brush: keyof typeof BRUSHES & string, label = "", width?: number): DrawShape {
  return {
    orig: uci.slice(0, 2) as Key,
    dest: uci.slice(2, 4) as Key,
    brush,
    modifiers: width === undefined ? undefined : { lineWidth: width },
    label: label ? { text: label } : undefined,
  };
}

/** One arrow a line, best first; each is labelled with the expected score of the side to move, in percent. */
export function arrowsFor(lines: readonly Line[], turn: Side): DrawShape[] {
  const expected = (line: Line): number => (turn === "white" ? line.value.white : 1 - line.value.white);
  const best = lines[0] ? expected(lines[0]) : 0;
  return lines
    .filter((line) => line.moves.length > 0)
    .map((line, rank) => {
      const loss = best - expected(line);
      const brush = rank === 0 ? "best" : loss < ALTERNATIVE ? "good" : "poor";
      const width = Math.max(4, 13 - 60 * loss);
      return arrow(line.moves[0]!.uci, brush, `${Math.round(100 * expected(line))}`, width);
    })
    .reverse();
}
