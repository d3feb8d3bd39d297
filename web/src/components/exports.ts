/** Take a position or a game away: FEN, PGN, a file, a link. */

import { type Child, download, h } from "../dom";
import type { PanelContext } from "../panel";

export interface Source {
  /** The panel that a link leads to. */
  panel: string;
  /** The position that is looked at. */
  fen: () => string;
  pgn: () => Promise<string>;
}

/** Buttons for all of that, and `more` beside them. */
export function exports(context: PanelContext, source: Source, ...more: Child[]): HTMLElement {
  const save = (): Promise<void> => source.pgn().then((text) => download("okapi-game.pgn", text), context.complain);
  const link = (): string => linkTo(source.panel, { fen: source.fen() });
  const look = (panel: string, text: string, title: string): Child => {
    const onclick = (): void => void (location.href = linkTo(panel, { fen: source.fen() }));
    return context.hello.panels.includes(panel) && h("button.plain", { onclick, title }, text);
  };
  return h(
    "div.exports",
    {},
    copyButton(context, "FEN", source.fen),
    copyButton(context, "PGN", source.pgn),
    h("button.plain", { onclick: save }, "Save PGN"),
    copyButton(context, "link", link),
    look("compare", "Compare", "Compare several brains"),
    look("explain", "Explain", "What do the pieces contribute?"),
    look("human_moves", "Human moves", "What would people play?"),
    look("trees", "Trees", "Which positions do searches visit?"),
    ...more,
  );
}

/** A link to what a panel shows. */
export function linkTo(panel: string, shown: Record<string, string>): string {
  return new URL(`#${panel}?${new URLSearchParams(shown)}`, location.href).href;
}

export function copyButton(context: PanelContext, name: string, text: () => string | Promise<string>): HTMLElement {
  const onclick = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(await text());
      context.note(`${name} copied`);
    } catch (error) {
      context.complain(error);
    }
  };
  return h("button.plain", { onclick }, `Copy ${name}`);
}
