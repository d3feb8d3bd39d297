/** A board: chessground, told by the server what can be played, with a choice of piece for promotions. */

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { BRUSHES } from "./components/arrows";
import { h } from "./dom";
import { describe } from "./notation";
import type { Side } from "./records";

export interface ShownPosition {
  fen: string;
  turn: Side;
  check: boolean;
  lastMove: readonly string[];
  /** Whose pieces may be moved or, before their turn, be premoved. */
  movable: Side | "both" | null;
  destinations: Readonly<Record<string, readonly string[]>>;
  promotions: readonly string[];
}

const PIECES = [
  ["q", "queen"],
  ["n", "knight"],
  ["r", "rook"],
  ["b", "bishop"],
] as const;

export class Board {
  readonly element: HTMLElement;
  private readonly api: Api;
  private readonly words = h("p.visually-hidden", {});
  private readonly frame: HTMLElement;
  private shown: ShownPosition | null = null;
  private dialog: HTMLElement | null = null;
  private shapes: DrawShape[] = [];

  /** `onMove` is told two squares, and a letter for the piece that a pawn becomes. */
  constructor(private readonly onMove: (move: string) => void) {
    const surface = h("div.surface", { "aria-hidden": "true" });
    this.frame = h("div.board", {}, surface);
    this.element = h("div.board-box", { role: "group", "aria-label": "Board" }, this.frame, this.words);
    this.api = Chessground(surface, {
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 180 },
      drawable: { enabled: true, brushes: BRUSHES },
      premovable: { enabled: true },
      movable: { free: false, events: { after: (from, to) => this.moved(from, to) } },
    });
    new ResizeObserver(() => this.drawArrows()).observe(this.frame);
  }

  /** Put something under the squares' pieces and over them; both have the size of the board. */
  layers(under: HTMLElement, over: HTMLElement): void {
    this.frame.classList.add("layered");
    this.frame.prepend(under);
    this.frame.append(over);
  }

  /** Tell whenever another piece is chosen: its square, or nothing. */
  watchChoice(onChoice: (square: string | null) => void): void {
    let last: string | null = null;
    const look = (): void => {
      const { selected } = this.api.state;
      if ((selected ?? null) === last) return;
      last = selected ?? null;
      onChoice(last);
    };
    // A second click on a piece puts it down when the button is let go, which is no event of the board.
    for (const end of ["mouseup", "touchend"]) document.addEventListener(end, () => setTimeout(look));
    this.api.set({ events: { select: look } });
  }

  /** Choose no piece any more. */
  letGo(): void {
    this.api.selectSquare(null);
  }

  get orientation(): Side {
    return this.api.state.orientation;
  }

  set orientation(side: Side) {
    if (side !== this.orientation) this.api.set({ orientation: side });
  }

  /** Show a position. The same position again changes nothing: neither arrows nor a piece that is dragged. */
  show(shown: ShownPosition): void {
    if (JSON.stringify(shown) === JSON.stringify(this.shown)) return;
    this.shown = shown;
    this.draw(shown);
  }

  /** Undo a move that the server did not accept. */
  putBack(): void {
    if (this.shown) this.draw(this.shown);
  }

  private draw(shown: ShownPosition): void {
    this.cancelPromotion();
    const dests = new Map(Object.entries(shown.destinations) as [Key, Key[]][]);
    this.api.set({
      fen: shown.fen,
      turnColor: shown.turn,
      check: shown.check ? shown.turn : false,
      lastMove: [...shown.lastMove] as Key[],
      movable: { color: shown.movable ?? undefined, dests },
      premovable: { enabled: shown.movable !== null && shown.movable !== "both" },
    });
    if (shown.movable === null) this.api.cancelPremove();
    this.words.textContent = describe(shown.fen, shown.turn, shown.check);
  }

  /** Play what was moved ahead of time, if it is legal now. */
  playPremove(): void {
    this.api.playPremove();
  }

  arrows(shapes: DrawShape[]): void {
    this.shapes = shapes;
    this.drawArrows();
  }

  /**
   * A board that is not shown has no size, and arrows no place: they are drawn when it is shown again.
   * The size that counts is the one chessground keeps: it is older than the page's until the page is laid out.
   */
  private drawArrows(): void {
    const hidden = this.api.state.dom.bounds().width === 0;
    if (hidden) this.api.setShapes([]);
    this.api.setAutoShapes(hidden ? [] : this.shapes);
  }

  private moved(from: string, to: string): void {
    if (!this.shown?.promotions.includes(from + to)) this.onMove(from + to);
    else this.askPromotion(from, to);
  }

  private askPromotion(from: string, to: string): void {
    const side = this.shown!.turn;
    const file = to.charCodeAt(0) - "a".charCodeAt(0);
    const column = this.orientation === "white" ? file : 7 - file;
    const choose = (letter: string) => {
      this.cancelPromotion();
      this.onMove(from + to + letter);
    };
    const buttons = PIECES.map(([letter, name]) =>
      h("button", { onclick: () => choose(letter), "aria-label": name, title: name }, figure(name, side)),
    );
    const list = h("div.promotion-choice", {}, ...buttons);
    list.style.left = `${column * 12.5}%`;
    if (this.orientation !== side) list.classList.add("from-below");
    this.dialog = h("div.promotion.cg-wrap", { role: "dialog", "aria-label": "Promote to" }, list);
    this.dialog.onclick = (event) => event.target === this.dialog && this.putBack();
    this.dialog.onkeydown = (event) => event.key === "Escape" && this.putBack();
    this.frame.append(this.dialog);
    buttons[0]!.focus();
  }

  private cancelPromotion(): void {
    this.dialog?.remove();
    this.dialog = null;
  }
}

/** One piece as chessground draws it, to be shown inside a `.cg-wrap`. */
export function figure(role: string, side: Side): HTMLElement {
  const piece = document.createElement("piece");
  piece.className = `${role} ${side}`;
  return piece;
}
