/** A small board that floats beside whatever is pointed at, and shows a position before one goes there. */

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key } from "@lichess-org/chessground/types";
import { h } from "../dom";
import type { Side } from "../records";

const SIZE = 208;
const GAP = 10;

export interface Glimpse {
  fen: string;
  /** Two squares, as in e2e4. */
  uci?: string;
  caption?: string;
}

export class Peek {
  private readonly caption = h("p.peek-caption");
  private readonly box: HTMLElement;
  private readonly api: Api;
  private shown = "";

  constructor() {
    const surface = h("div.surface");
    this.box = h("div.peek", { hidden: true, "aria-hidden": "true" }, h("div.board", {}, surface), this.caption);
    document.body.append(this.box);
    this.api = Chessground(surface, { viewOnly: true, coordinates: false, animation: { enabled: false } });
  }

  /** Show a position above or below `anchor`, wherever there is room. */
  show({ fen, uci = "", caption = "" }: Glimpse, bottom: Side, anchor: DOMRect): void {
    const what = [fen, bottom, anchor.left, anchor.top].join();
    if (what === this.shown) return;
    this.shown = what;
    this.box.hidden = false;
    this.caption.textContent = caption;
    const height = this.box.offsetHeight;
    const below = anchor.bottom + GAP + height < window.innerHeight;
    this.box.style.left = `${Math.max(GAP, Math.min(anchor.left, window.innerWidth - SIZE - 2 * GAP))}px`;
    this.box.style.top = `${below ? anchor.bottom + GAP : Math.max(GAP, anchor.top - GAP - height)}px`;
    const lastMove = uci ? ([uci.slice(0, 2), uci.slice(2, 4)] as Key[]) : undefined;
    this.api.set({ fen, orientation: bottom, lastMove });
    this.api.redrawAll();
  }

  hide(): void {
    this.box.hidden = true;
    this.shown = "";
  }

  /** Show something while an element is pointed at or has the focus. */
  watch(element: HTMLElement, bottom: () => Side, what: () => Glimpse | null): void {
    const show = (): void => {
      const glimpse = what();
      if (glimpse) this.show(glimpse, bottom(), element.getBoundingClientRect());
    };
    // Only a pointer that moves asks for it, not a line that appears under one that rests.
    element.addEventListener("pointermove", (event) => event.pointerType !== "touch" && show());
    element.addEventListener("pointerleave", () => this.hide());
    element.addEventListener("focus", () => element.matches(":focus-visible") && show());
    element.addEventListener("blur", () => this.hide());
  }
}
