/** The terms of two values: bars to the right are for White, to the left for Black. */

import { h } from "../dom";

export interface Term {
  name: string;
  centipawns: number;
}

export interface BrainEvaluation {
  brain: string;
  terms: Term[] | null;
  rest: number;
}

/** Terms smaller than this, for both, are left out. */
const SMALLEST = 3;

export function termTable(evaluations: readonly [BrainEvaluation, BrainEvaluation]): HTMLElement | null {
  const names = [...new Set(evaluations.flatMap(({ terms }) => terms?.map(({ name }) => name) ?? []))];
  if (names.length === 0) return null;
  const share = ({ terms }: BrainEvaluation, name: string): Share =>
    terms?.find((term) => term.name === name)?.centipawns ?? null;
  const rows: { name: string; shares: Share[] }[] = names
    .map((name) => ({ name, shares: evaluations.map((evaluation) => share(evaluation, name)) }))
    .filter(({ shares }) => size(shares) >= SMALLEST)
    .sort((a, b) => size(b.shares) - size(a.shares));
  if (evaluations.some(({ rest }) => Math.abs(rest) >= SMALLEST))
    rows.push({ name: "the rest", shares: evaluations.map(({ rest }) => rest) });
  const most = Math.max(SMALLEST, ...rows.map(({ shares }) => size(shares)));
  return h(
    "table.table.terms",
    {},
    h("caption", {}, "Term by term, without a search; for White, in pawns"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Term"),
        ...evaluations.map(({ brain }, i) => h("th", { scope: "col", className: `engine-${i}` }, brain)),
      ),
    ),
    h(
      "tbody",
      {},
      ...rows.map(({ name, shares }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, name),
          ...shares.map((number, i) => h("td", {}, number === null ? "–" : bar(number, most, i))),
        ),
      ),
    ),
  );
}

/** Null where a brain knows no such term. */
type Share = number | null;

const size = (shares: readonly Share[]): number => Math.max(...shares.map((share) => Math.abs(share ?? 0)));

function bar(centipawns: number, most: number, engine: number): HTMLElement {
  const length = h(`i.term-length.engine-${engine}`);
  length.style.width = `${(50 * Math.abs(centipawns)) / most}%`;
  length.classList.toggle("for-black", centipawns < 0);
  const text = `${centipawns < 0 ? "−" : "+"}${(Math.abs(centipawns) / 100).toFixed(2)}`;
  return h("div.term", {}, h("span.term-bar", { "aria-hidden": "true" }, length), h("span.term-number", {}, text));
}
