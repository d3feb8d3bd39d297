/** The likeliest moves with bars; click one to play it. */

import { fill, h } from "../dom";

export interface LikelyMove {
  uci: string;
  san: string;
  squares: [string, string];
  /** Of all legal moves. */
  share: number;
}

const MOST = 10;

export class Likely {
  readonly element = h("ol.likely", { "aria-label": "The likeliest moves" });

  constructor(private readonly onPlay: (move: LikelyMove) => void) {}

  /** Those of one piece, if one was chosen. */
  show(moves: readonly LikelyMove[], chosen: string | null): void {
    const listed = moves.filter(({ squares }) => chosen === null || squares[0] === chosen).slice(0, MOST);
    const most = Math.max(1e-9, ...listed.map(({ share }) => share));
    fill(this.element, ...listed.map((move) => this.row(move, most)));
  }

  private row(move: LikelyMove, most: number): HTMLElement {
    const length = h("i.likely-length");
    length.style.width = `${(100 * move.share) / most}%`;
    const button = h(
      "button.likely-move",
      { onclick: () => this.onPlay(move), title: `Play ${move.san}` },
      h("span.likely-san", {}, move.san),
      h("span.likely-track", { "aria-hidden": "true" }, length),
      h("span.likely-share", {}, percent(move.share)),
    );
    return h("li", {}, button);
  }
}

export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
