/** Setting up a position by hand: pieces, the side to move, castling, and the starts of Chess960. */

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key, Piece } from "@lichess-org/chessground/types";
import { figure } from "../board";
import { field, fill, h, select } from "../dom";
import { icon } from "../icons";
import type { Side } from "../records";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const EMPTY = "8/8/8/8/8/8/8/8";
const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"] as const;
const RIGHTS = [
  ["K", "White, king's side"],
  ["Q", "White, queen's side"],
  ["k", "Black, king's side"],
  ["q", "Black, queen's side"],
] as const;

export interface EditorOptions {
  fen: string;
  bottom: Side;
  /** The FEN of a Chess960 start. */
  chess960: (number: number) => Promise<string>;
  /** Resolves if the position is possible, else throws a sentence. */
  onChosen: (fen: string) => Promise<void>;
}

/** Which piece the next click puts on a square; the eraser removes one, the hand moves them. */
type Tool = Piece | "rubber" | "hand";

export function editPosition({ fen, bottom, chess960, onChosen }: EditorOptions): void {
  let tool: Tool = "hand";
  const surface = h("div.surface", { "aria-hidden": "true" });
  const turn = select([
    ["w", "White to move"],
    ["b", "Black to move"],
  ]);
  const rights = RIGHTS.map(([letter, text]) => ({
    letter,
    box: h("input", { type: "checkbox", "aria-label": text }),
  }));
  const text = h("input", { type: "text", spellcheck: false });
  const number = h("input", { type: "number", min: 0, max: 959, placeholder: "0 to 959" });
  const error = h("p.form-error", { role: "alert", hidden: true });

  const write = (): void => {
    const letters = rights.filter(({ box }) => box.checked).map(({ letter }) => letter);
    text.value = `${board.getFen()} ${turn.value} ${letters.join("") || "-"} - 0 1`;
    error.hidden = true;
  };
  const show = (position: string): void => {
    const [placement = EMPTY, side = "w", castling = "-"] = position.trim().split(/\s+/);
    board.set({ fen: placement });
    turn.value = side === "b" ? "b" : "w";
    for (const { letter, box } of rights) box.checked = allows(castling, letter);
    write();
    text.value = position.trim();
  };
  const complain = (problem: unknown): void => {
    error.textContent = problem instanceof Error ? problem.message : String(problem);
    error.hidden = false;
  };
  const board: Api = Chessground(surface, {
    orientation: bottom,
    movable: { free: true, color: "both" },
    premovable: { enabled: false },
    drawable: { enabled: false },
    draggable: { deleteOnDropOff: true },
    animation: { enabled: false },
    highlight: { lastMove: false },
    events: {
      change: () => write(),
      select: (key) => apply(key),
    },
  });
  const apply = (key: Key): void => {
    if (tool === "hand") return;
    board.setPieces(new Map([[key, tool === "rubber" ? undefined : tool]]));
    board.selectSquare(null);
    write();
  };
  const take = (chosen: Tool, button: HTMLElement): void => {
    tool = chosen;
    for (const each of palette.querySelectorAll("button")) each.setAttribute("aria-pressed", String(each === button));
    board.set({ movable: { color: tool === "hand" ? "both" : undefined }, selectable: { enabled: true } });
  };
  const palette = makePalette(take, (piece, event) => board.dragNewPiece(piece, event, true));

  const forms = h(
    "div.editor-forms",
    {},
    palette,
    field("Side to move", turn),
    h(
      "fieldset.rights",
      {},
      h("legend", {}, "Castling"),
      ...rights.map(({ letter, box }) => h("label", {}, box, letter)),
    ),
    h(
      "div.editor-starts",
      {},
      h("button", { type: "button", onclick: () => show(`${START} w KQkq - 0 1`) }, "Start"),
      h("button", { type: "button", onclick: () => show(`${EMPTY} w - - 0 1`) }, "Clear"),
      h("button", { type: "button", onclick: () => board.toggleOrientation() }, "Turn"),
    ),
    field("Chess960 start", number),
    field("FEN", text),
    error,
  );
  turn.onchange = write;
  for (const { box } of rights) box.onchange = write;
  text.onchange = () => show(text.value);
  number.onchange = () => {
    if (number.value !== "") chess960(Number(number.value)).then(show, complain);
  };
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id: "editor-title" }, "Set up a position"),
    h("div.editor", {}, h("div.board", {}, surface), forms),
    h(
      "div.dialog-buttons",
      {},
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { type: "submit" }, "Analyse this"),
    ),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    onChosen(text.value).then(() => dialog.close(), complain);
  };
  const dialog = h("dialog.wide", { onclose: () => dialog.remove(), "aria-labelledby": "editor-title" }, form);
  document.body.append(dialog);
  dialog.showModal();
  board.redrawAll();
  show(fen);
}

/** Does a FEN's castling field allow this? Letters of files count for the side of their case. */
function allows(castling: string, letter: string): boolean {
  if (castling.includes(letter)) return true;
  const files = [...castling].filter((file) => /[a-h]/i.test(file) && file < "a" === letter < "a");
  return letter.toLowerCase() === "k" ? files.length > 0 : files.length > 1;
}

/** Pieces to choose or to drag, a hand and a rubber. */
function makePalette(
  take: (tool: Tool, button: HTMLElement) => void,
  drag: (piece: Piece, event: MouseEvent) => void,
): HTMLElement {
  const tool = (chosen: Tool, label: string, sign: Element | string): HTMLButtonElement => {
    const button = h("button", { type: "button", title: label, "aria-label": label, "aria-pressed": "false" }, sign);
    button.onclick = () => take(chosen, button);
    if (typeof chosen !== "string") button.onmousedown = (event) => drag(chosen, event);
    return button;
  };
  const rows = (["white", "black"] as const).map((side) =>
    ROLES.map((role) => tool({ role, color: side }, `${side} ${role}`, figure(role, side))),
  );
  const palette = h("div.palette.cg-wrap", { role: "toolbar", "aria-label": "Pieces" });
  const hand = tool("hand", "Move pieces; drag them off the board to remove them", icon("drag"));
  hand.setAttribute("aria-pressed", "true");
  fill(palette, ...rows[0]!, hand, ...rows[1]!, tool("rubber", "Remove pieces", "✕"));
  return palette;
}
