/** The tabs and the panels in them, in their order. src/okapi/web/panels/__init__.py is the server's half. */

import type { Panel } from "./panel";
import { analyse } from "./panels/analyse";
import { brains } from "./panels/brains";
import { compare } from "./panels/compare";
import { evolution } from "./panels/evolution";
import { experiments } from "./panels/experiments";
import { explain } from "./panels/explain";
import { humanMoves } from "./panels/humanmoves";
import { league } from "./panels/league";
import { play } from "./panels/play";
import { runs } from "./panels/runs";
import { tournaments } from "./panels/tournaments";
import { train } from "./panels/train";
import { trees } from "./panels/trees";
import { twoBrains } from "./panels/twobrains";

export interface Tab {
  /** A link to it opens its first panel. */
  id: string;
  title: string;
  /** What it is for, in one line. */
  about: string;
  /** Its sections; the first one is shown first. */
  panels: readonly Panel[];
}

export const TABS: readonly Tab[] = [
  { id: "play", title: "Play", about: "Play a brain or a person.", panels: [play] },
  { id: "analyse", title: "Analyse", about: "A position or a game, explained.", panels: [analyse] },
  { id: "train", title: "Train", about: "Train a brain, and see it grow.", panels: [train, runs, evolution] },
  {
    id: "compete",
    title: "Compete",
    about: "Let brains play, and rate them.",
    panels: [tournaments, experiments, league],
  },
  {
    id: "brains",
    title: "Brains",
    about: "What brains know and how they choose.",
    panels: [brains, twoBrains, compare, explain, humanMoves, trees],
  },
];

/** Panels and tabs that had another name: links to them still work. */
const FORMER_IDS: Record<string, string> = { inside: "explain", instinct: "human_moves", judges: "compare" };

/** The tab and the panel that a link names; brains with a position were two brains before. */
export function find(link: string, query = ""): { tab: Tab; panel: Panel } {
  const id = link === "brains" && query.startsWith("fen=") ? "two_brains" : (FORMER_IDS[link] ?? link);
  for (const tab of TABS) for (const panel of tab.panels) if (panel.id === id) return { tab, panel };
  const tab = TABS.find((known) => known.id === id) ?? TABS[0]!;
  return { tab, panel: tab.panels[0]! };
}
