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
  const save = (): Promise<void> => source.pgn().then((text) => download("okapi-game.pgn", text), desk.complain);
  const link = (): string => linkTo(source.panel, { fen: source.fen() });
  const look = (panel: string, text: string, title: string): Child => {
    const onclick = (): void => void (location.href = linkTo(panel, { fen: source.fen() }));
    return desk.hello.panels.includes(panel) && h("button.plain", { onclick, title }, text);
  };
  return h(
    "div.exports",
    {},
    copyButton(desk, "FEN", source.fen),
    copyButton(desk, "PGN", source.pgn),
    h("button.plain", { onclick: save }, "Save PGN"),
    copyButton(desk, "link", link),
    look("judges", "Judges", "Ask several brains"),
    look("inside", "Inside", "What are the pieces worth?"),
    look("instinct", "Instinct", "What would people play?"),
    look("trees", "Trees", "Where do searches look?"),
    ...more,
  );
}

/** A link to what a panel shows. */
export function linkTo(panel: string, shown: Record<string, string>): string {
  return new URL(`#${panel}?${new URLSearchParams(shown)}`, location.href).href;
}

export function copyButton(desk: Desk, name: string, text: () => string | Promise<string>): HTMLElement {
  const onclick = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(await text());
      desk.note(`${name} copied`);
    } catch (error) {
      desk.complain(error);
    }
  };
  return h("button.plain", { onclick }, `Copy ${name}`);
}
