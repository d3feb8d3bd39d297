/** Opening a game or a position: pasted, dropped, or from a file; of several games one is chosen. */

import { fill, h } from "../dom";

/** What one message can carry, less its envelope. */
const LONGEST = 120_000;

/** A list longer than this is no choice any more. */
const MOST_GAMES = 500;

export interface Opener {
  /** Tell the dialog's person what is wrong with the text. */
  complain: (text: string) => void;
  close: () => void;
}

/** The games of a text, each with its tags. Only the head is looked at here; the server reads the moves. */
export function split(text: string): string[] {
  const parts = text.split(/(?<=\S[^\n]*\n\s*\n)(?=\[Event )/);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

export function titleOf(game: string): string {
  const tag = (name: string): string => new RegExp(`^\\[${name} "(.*)"\\]`, "m").exec(game)?.[1] ?? "?";
  const [date, result] = [tag("Date").replaceAll("?", "").replace(/\.*$/, ""), tag("Result")];
  return [`${tag("White")} – ${tag("Black")}`, date, result].filter((word) => word && word !== "?").join(" · ");
}

/** Ask for a text; `onText` gets one game or position and may complain. */
export function askForText(onText: (text: string, opener: Opener) => void, first = ""): void {
  const text = h("textarea", {
    rows: 8,
    spellcheck: false,
    value: first,
    placeholder: "1. e4 e5 2. Nf3 …   or   r1bqkbnr/pppp1ppp/2n5/… w KQkq - 2 3",
    "aria-label": "PGN or FEN",
  });
  const file = h("input", { type: "file", accept: ".pgn,.fen,.epd,.txt", "aria-label": "A file" });
  const error = h("p.form-error", { role: "alert", hidden: true });
  const choice = h("div.game-choice", { hidden: true });
  const opener: Opener = {
    complain: (message) => {
      error.textContent = message;
      error.hidden = false;
    },
    close: () => dialog.close(),
  };
  const offer = (): void => {
    error.hidden = true;
    const games = split(text.value);
    choice.hidden = games.length < 2;
    if (games.length < 2) open(games[0] ?? "");
    else fill(choice, h("p.field-label", {}, many(games.length)), list(games, open));
  };
  const open = (game: string): void => {
    const { length } = JSON.stringify(game);
    if (length > LONGEST) opener.complain(`The game has ${length} characters: ${LONGEST} are allowed.`);
    else onText(game, opener);
  };
  const read = async (from: File | undefined): Promise<void> => {
    if (!from) return;
    text.value = await from.text();
    offer();
  };
  file.onchange = () => void read(file.files?.[0]);
  const form = h(
    "form.opener",
    { method: "dialog" },
    h("h2", { id: "opener-title" }, "Open a game or a position"),
    h("p.quiet", {}, "Paste a PGN or a FEN, or drop a file anywhere on the board."),
    text,
    file,
    error,
    choice,
    h(
      "div.dialog-buttons",
      {},
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { type: "submit" }, "Open"),
    ),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    offer();
  };
  const dialog = h("dialog", { onclose: () => dialog.remove(), "aria-labelledby": "opener-title" }, form);
  document.body.append(dialog);
  dialog.showModal();
  text.focus();
  if (first) offer();
}

function many(count: number): string {
  return count > MOST_GAMES ? `${count} games; the first ${MOST_GAMES}:` : `${count} games: choose one`;
}

function list(games: readonly string[], open: (game: string) => void): HTMLElement {
  const items = games
    .slice(0, MOST_GAMES)
    .map((game) => h("li", {}, h("button", { type: "button", onclick: () => open(game) }, titleOf(game))));
  return h("ol", {}, ...items);
}
