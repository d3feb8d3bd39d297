/** How far a run is, in a line. */

import { amount, duration } from "../amounts";

export interface RunSummary {
  name: string;
  title: string;
  kind: string;
  unit: string;
  state: "running" | "done" | "stopped" | "failed";
  note: string;
  /** Seconds since 1970: the start, and what was logged last. */
  started: number | null;
  last_at: number | null;
  /** How often it was started or resumed. */
  sessions: number;
  /** Has it left a brain? */
  brain: boolean;
  /** Checkpoints that were kept. */
  ages: number;
  /** What a training says at its end. */
  report: string[];
  step: number | null;
  total: number | null;
  left_s: number | null;
  numbers: Record<string, number>;
}

/** “label · 1,200 of 5,000 positions · 3 min left”. */
export const progressOf = (run: RunSummary): string => `${run.kind} · ${stepsOf(run)}`;

/** The same without what it is. */
export function stepsOf(run: RunSummary): string {
  const of = run.total === null ? "" : ` of ${amount(run.total)}`;
  const step = run.step === null ? "nothing yet" : `${amount(run.step)}${of} ${run.unit}`;
  const left = run.left_s === null ? "" : `${duration(run.left_s)} left`;
  return [step, left].filter(Boolean).join(" · ");
}
