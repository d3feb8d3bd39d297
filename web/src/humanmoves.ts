/** What HumanMoves shows and remembers. src/okapi/web/panels/human_moves.py is the other side of some of it. */

import type { LikelyMove } from "./components/likely";
import type { Played, PositionView, Side } from "./records";

/** Shares of squares: of those with the piece that is moved and, for each, of those it goes to. */
export interface HeatMaps {
  origin: Record<string, number>;
  targets: Record<string, Record<string, number>>;
}

/** The prediction of a brain. */
export interface Prediction {
  number: number;
  fen: string;
  brain: string;
  elo: number | null;
  /** What can be set: elo, outcome. */
  inputs: string[];
  /** Legal moves only, and with illegal moves. */
  masked: HeatMaps;
  said: HeatMaps;
  /** How much of `said` is no legal move. */
  astray: number;
  moves: LikelyMove[];
}

/** What there is to choose from. */
export interface HumanMovesChoices {
  /** Those that predict moves, the usual one first, and those that have a map of positions. */
  brains: string[];
  atlases: string[];
  /** Ratings of the players that they learned from. */
  elo: [number, number];
}

/** What survives a reload. */
export interface HumanMovesSettings {
  played: Played;
  /** How many moves are played at the position that is shown. */
  at: number;
  /** Does the line follow the game of Play? */
  follows: boolean;
  brain: string;
  elo: number;
  masked: boolean;
}

export interface HumanMovesState {
  settings: HumanMovesSettings;
  /** What can be done there, and the prediction, once it has come. */
  position: PositionView | null;
  predicted: Prediction | null;
  /** The square of the piece that was clicked. */
  chosen: string | null;
}

/** What a person can do. */
export interface HumanMovesActions {
  play(move: string): Promise<void>;
  go(ply: number): void;
  takeBack(): void;
  open(text: string): Promise<void>;
  choose(square: string | null): void;
  change(changed: Partial<HumanMovesSettings>): void;
}

export const START: Played = {
  start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  start_turn: "white",
  start_number: 1,
  moves: [],
};

export const fenOf = ({ played, at }: HumanMovesSettings): string => played.moves[at - 1]?.fen ?? played.start;

export const turnOf = (settings: HumanMovesSettings): Side =>
  fenOf(settings).split(" ")[1] === "b" ? "black" : "white";

/** The heat maps that are wanted. */
export const mapsOf = ({ predicted, settings }: HumanMovesState): HeatMaps | undefined =>
  predicted?.[settings.masked ? "masked" : "said"];
