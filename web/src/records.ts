/** The records that src/okapi/web/{views,game}.py send. */

export type Side = "white" | "black";
export const other = (side: Side): Side => (side === "white" ? "black" : "white");

/** A value as White sees it. */
export interface Value {
  white: number;
  /** Win, draw, loss. */
  wdl: [number, number, number];
  /** +0.35, #3, #-2 */
  text: string;
}

export interface LineMove {
  uci: string;
  san: string;
  /** After the move. */
  fen: string;
  number: number;
  turn: Side;
}

export interface Line {
  moves: LineMove[];
  value: Value;
  depth: number;
}

/** The state of a running search. */
export interface SearchState {
  lines: Line[];
  depth: number;
  nodes: number;
  nps: number;
  seconds: number;
}

export interface PositionView {
  fen: string;
  turn: Side;
  check: boolean;
  destinations: Record<string, string[]>;
  /** Pairs of squares, as in e7e8, where a piece has to be chosen. */
  promotions: string[];
  ending: string | null;
}

export interface PlayedMove {
  uci: string;
  san: string;
  /** After the move. */
  fen: string;
  squares: [string, string];
  check: boolean;
  value: Value | null;
}

/** A line of moves from some position: a game, or a variation. */
export interface Played {
  start: string;
  start_turn: Side;
  start_number: number;
  moves: Omit<PlayedMove, "value">[];
}

export interface Seat {
  player: string;
  brain?: string | null;
  elo?: number | null;
  nodes?: number | null;
  movetime_ms?: number | null;
  depth?: number | null;
  /** Of a person, where two play, or of a named opponent. */
  name?: string | null;
}

export interface TimeControl {
  time_ms: number;
  increment_ms: number;
}

export interface Setup {
  white: Seat;
  black: Seat;
  fen?: string | null;
  chess960?: number | null;
  clock?: TimeControl | null;
}

export const RESULTS = { "1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Draw", "*": "" } as const;

export interface GameView extends Played {
  /** The same for all states of one game. */
  game_id: string;
  chess960: boolean;
  moves: PlayedMove[];
  /** C50 Italian Game: of the last position that has a name. */
  opening: string | null;
  position: PositionView;
  seats: Record<Side, Seat & { title: string; person: boolean }>;
  /** The side of the only person, if there is just one. */
  person: Side | null;
  clock: (TimeControl & Record<Side, number> & { running: Side | null }) | null;
  result: keyof typeof RESULTS;
  reason: string;
  paused: boolean;
  /** Kept by the page, and brought back after a reload. */
  record: Pick<Setup, "white" | "black" | "fen" | "clock">;
}

export interface Opponent extends Seat {
  name: string;
  sentence: string;
  /** Measured, with its 95 % interval; null as long as it was not. */
  rating: number | null;
  low: number | null;
  high: number | null;
  games: number | null;
}

/** The seat of a named opponent. */
export const seatOf = ({ name, player, brain, elo, nodes, depth }: Opponent): Seat => ({
  name,
  player,
  brain,
  elo,
  nodes,
  depth,
});

/** The first message of a server. */
export interface Hello {
  version: string;
  /** Another one after a restart. */
  started: string;
  panels: string[];
  brains: string[];
  players: string[];
  elo: [number, number];
  /** Players of papers, each with a sentence. */
  papers: Record<string, string>;
  /** Named opponents, the weakest first. */
  opponents: Opponent[];
  /** Players that are brains which predict moves, with the ratings that each can be told; null: none. */
  predicting: Record<string, [number, number] | null>;
  /** What lists say of each brain beside its name: its measured Elo, empty if there is none, and its sentence. */
  lines: Record<string, { elo: string; sentence: string }>;
}

/** News by kind. */
export interface Tells {
  hello: Hello;
  error: { error: string; hint: string };
  "play.game": { game: GameView };
  "play.search": SearchState & { side: Side; fen: string };
  "play.hint": { brain: string; fen: string; line: Line | null };
}
