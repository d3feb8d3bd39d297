/** What Analyse knows, what a person can do there, and what follows from it. */

import type { Remark } from "./components/movetree";
import { remarkOn, type Report, type ReportedMove } from "./components/reportcard";
import type { Line, LineMove, PositionView, Side, SearchState, Value } from "./records";
import { FIRST, type Tree } from "./tree";

export const MOST_LINES = 5;

export interface AnalysisSettings {
  /** A brain, or a program that the command line named. */
  engine: string;
  lines: number;
  on: boolean;
  threat: boolean;
  /** How thorough a report shall be. */
  effort: string;
}

/** The best lines, their engine, and the position. */
export interface EngineSearch extends SearchState {
  engine: string;
  fen: string;
  /** Its lines are single moves, and their values are probabilities: it values no position. */
  predicts?: boolean;
}

export interface Threat {
  engine: string;
  fen: string;
  /** Nothing where there is no threat. */
  sentence: string;
  line: Line | null;
}

export interface AnalysisState {
  tree: Tree;
  /** The move whose position is looked at. */
  at: number;
  bottom: Side;
  settings: AnalysisSettings;
  position: PositionView | null;
  opening: string;
  search: EngineSearch | null;
  thinking: boolean;
  threat: Threat | null;
  report: Report | null;
  writing: boolean;
}

export interface AnalysisActions {
  play: (move: string) => Promise<boolean>;
  follow: (moves: readonly LineMove[]) => Promise<void>;
  go: (at: number) => void;
  goToPly: (ply: number) => void;
  change: (settings: Partial<AnalysisSettings>) => void;
  look: (endless: boolean) => void;
  promote: () => void;
  remove: () => void;
  flip: () => void;
  open: () => void;
  edit: () => void;
  write: () => void;
  cancel: () => void;
}

/** Who plays, as far as anybody said so. */
export function names(tree: Tree): Record<Side, string> {
  const { White = "?", Black = "?" } = tree.game.tags;
  return { white: White === "?" ? "White" : White, black: Black === "?" ? "Black" : Black };
}

/** How many moves of the main line are played here; nothing in a side line. */
export function plyOnMain({ tree, at }: AnalysisState): number | null {
  const ply = tree.path(at).length;
  return at === FIRST || tree.line()[ply - 1] === at ? ply : null;
}

/** The report of the move that led here. */
export function judgedHere(state: AnalysisState): ReportedMove | undefined {
  const ply = plyOnMain(state);
  return ply === null ? undefined : state.report?.moves.find((move) => move.ply === ply - 1);
}

/** The report of the moves of the main line, by their numbers in the tree. */
export function remarksOf({ tree, report }: AnalysisState): Map<number, Remark> {
  const line = tree.line();
  const moves = report?.moves.filter(({ ply }) => ply < line.length) ?? [];
  return new Map(moves.map((move) => [line[move.ply]!, { mark: move.mark, text: remarkOn(move) }]));
}

/** What is said of the position, and by whom: by who looks at it now, else by the report. */
export function valueHere(state: AnalysisState): { value: Value | null; engine: string } {
  const { search, settings, report } = state;
  const live = settings.on && !search?.predicts ? search?.lines[0]?.value : undefined;
  if (live) return { value: live, engine: search!.engine };
  const ply = plyOnMain(state);
  return { value: (ply === null ? null : report?.values[ply]) ?? null, engine: report?.by ?? "" };
}
