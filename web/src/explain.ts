/** Explanations of a brain; src/okapi/web/panels/explain.py sends them. */

import type { Side, Value } from "./records";

export interface PieceAttribution {
  square: string;
  side: Side;
  kind: string;
  /** For its own side; null where it cannot be taken off. */
  centipawns: number | null;
  /** What its kind would be worth here in the proportion 1 3 3 5 9. */
  usual: number;
}

export interface Attribution {
  value: Value;
  white: number;
  black: number;
  pieces: PieceAttribution[];
}

export interface NeuronFacts {
  number: number;
  influence: number;
  active: number;
  saturated: number;
  contribution: number;
}

export interface Surveyed {
  brain: string;
  count: number;
  positions: number;
  neurons: NeuronFacts[];
}

export interface NeuronDetails {
  brain: string;
  neuron: number;
  number: number;
  /** Own pawn to own king, then the enemy's; weights from a1 to h8, null where no such piece ever stands. */
  maps: { side: "own" | "enemy"; kind: string; weights: (number | null)[] }[];
  strongest: [string, number][];
  most_active: { fen: string; side: Side; activation: number }[];
  /** In the position that was asked about, the mover's view first. */
  here: { side: Side; activation: number; centipawns: number }[];
}

export interface Changed {
  before: string;
  now: string;
  positions: number;
  whole: { mean: number; low: number; high: number; lean: number; correlation: number | null };
  kinds: { name: string; positions: number; mean: number; low: number; high: number }[];
  pieces: { kind: string; before: number; now: number }[];
  squares: { kind: string; square: string; before: number; now: number; beyond: number; seen: number }[];
  boards: { fen: string; turn: Side; now: Value; before: Value }[];
}

export interface ExplainChoices {
  brains: { brain: string; neurons: boolean }[];
}

/** Pawns with a sign for differences, without for amounts. */
export const signed = (centipawns: number): string =>
  `${centipawns < 0 ? "−" : "+"}${(Math.abs(centipawns) / 100).toFixed(2)}`;
export const pawns = (centipawns: number): string =>
  `${centipawns < 0 ? "−" : ""}${(Math.abs(centipawns) / 100).toFixed(2)}`;

export const sideName = (side: Side): string => (side === "white" ? "White" : "Black");
