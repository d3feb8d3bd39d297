/** Take a position or a game away: FEN, PGN, a file, a link. */

import { type Child, download, h } from "../dom";
import type { Desk } from "../panel";

export interface Source {
  /** The panel that a link leads to. */
  panel: string;
  /** The position that is looked at. */
  fen: () => string;
  pgn: () => Promise<string>;
}

/** Buttons for all of that, and `more` beside them. */
export function exports(desk: Desk, source: Source, ...more: Child[]): HTMLElement {
  const copy = (name: string, text: () => string | Promise<string>): HTMLElement => {
    const onclick = async (): Promise<void> => {
      try {
        await navigator.clipboard.writeText(await text());
        desk.note(`${name} copied`);
      } catch (error) {
        desk.complain(error);
      }
    };
    return h("button.plain", { onclick }, `Copy ${name}`);
  };
  const save = (): Promise<void> => source.pgn().then((text) => download("okapi-game.pgn", text), desk.complain);
  const link = (): string =>
    new URL(`#${source.panel}?${new URLSearchParams({ fen: source.fen() })}`, location.href).href;
  const judge = (): void => void (location.hash = `#judges?${new URLSearchParams({ fen: source.fen() })}`);
  return h(
    "div.exports",
    {},
    copy("FEN", source.fen),
    copy("PGN", source.pgn),
    h("button.plain", { onclick: save }, "Save PGN"),
    copy("link", link),
    desk.hello.panels.includes("judges") &&
      h("button.plain", { onclick: judge, title: "Ask several brains" }, "Judges"),
    ...more,
  );
}
