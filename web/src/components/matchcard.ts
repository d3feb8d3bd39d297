/** How a match stands: Elo with its interval, who won how often, and the test if there is one. */

import { amount } from "../amounts";
import { h } from "../dom";
import { interval, signed } from "./crosstable";

export interface Match {
  wins: number;
  draws: number;
  losses: number;
  elo: number;
  /** Null where there is no bound yet. */
  low: number | null;
  high: number | null;
  los: number;
  sprt?: { elo0: number; elo1: number; llr: number; lower: number; upper: number; verdict: string };
}

export function matchCard(names: readonly string[], match: Match): HTMLElement {
  const { elo, low, high, los, wins, draws, losses, sprt } = match;
  const reach = Math.max(50, ...[low, high, elo].map((number) => Math.abs(number ?? 0)));
  const bounds = `${low === null ? "−∞" : signed(low)} … ${high === null ? "+∞" : signed(high)}`;
  const shares = [wins, draws, losses].map((count, i) => {
    const part = h(`i.share.${["win", "draw", "loss"][i]}`);
    part.style.flexGrow = String(count);
    return part;
  });
  return h(
    "section.match-card",
    { "aria-label": "The match" },
    h("p.headline", {}, h("strong", {}, `${signed(elo)} Elo`), ` for ${names[0]} against ${names[1]}`),
    h("div.shares", { role: "img", "aria-label": `${wins} won, ${draws} drawn, ${losses} lost` }, ...shares),
    h("p", {}, `${wins} won · ${draws} drawn · ${losses} lost · ${(100 * los).toFixed(1)} % sure to be stronger`),
    interval({ elo, low: low ?? -reach, high: high ?? reach }, [-reach, reach], `95 %: ${bounds}`),
    sprt && testView(sprt),
  );
}

function testView(test: NonNullable<Match["sprt"]>): HTMLElement {
  const dot = h("i.interval-dot");
  const share = (test.llr - test.lower) / (test.upper - test.lower);
  dot.style.left = `${100 * Math.min(1, Math.max(0, share))}%`;
  return h(
    "div.test",
    {},
    h("p", {}, `Test of ${test.elo0} against ${test.elo1} Elo: ${test.verdict}`),
    h("div.test-scale", { "aria-hidden": "true" }, dot),
    h(
      "p.quiet",
      {},
      `log-likelihood ratio ${test.llr.toFixed(2)}, between ${test.lower.toFixed(2)} and ${test.upper.toFixed(2)}`,
    ),
  );
}

/** How far a tournament is: “12 of 40 games”. */
export const gamesOf = ({ games, total }: { games: number; total: number }): string =>
  `${amount(games)} of ${total ? amount(total) : "…"} games`;
