/** How a tournament stands: points, ratings with their intervals on one scale, and who beat whom. */

import { h } from "../dom";

export interface StandingsRow {
  name: string;
  games: number;
  points: number;
  wins: number;
  draws: number;
  losses: number;
  elo: number | null;
  low: number | null;
  high: number | null;
  time_losses: number;
  crashes: number;
  stalls: number;
  illegal: number;
}

export interface Standings {
  players: StandingsRow[];
  /** Won, drawn, lost, by name and name. */
  crosstable: Record<string, Record<string, [number, number, number]>>;
  games: number;
}

/** Without ratings where a match has a better estimate of its own. */
export function standingsTable({ players, crosstable }: Standings, ratings: boolean): HTMLElement {
  const rated = players.filter(isRated);
  const scale: [number, number] = [Math.min(...rated.map((row) => row.low)), Math.max(...rated.map((row) => row.high))];
  const cell = (row: StandingsRow, other: StandingsRow, place: number): HTMLElement => {
    if (row === other) return h("td.self", { "aria-label": "itself" });
    const [won, drawn, lost] = crosstable[row.name]?.[other.name] ?? [0, 0, 0];
    const games = won + drawn + lost;
    const points = won + drawn / 2;
    const element = h(
      "td.number.met",
      { title: `${row.name} against ${other.name}: ${won} won, ${drawn} drawn, ${lost} lost` },
      games ? `${points}–${games - points}` : "",
    );
    if (games) element.style.setProperty("--share", `${Math.round((100 * points) / games)}%`);
    element.dataset.place = String(place);
    return element;
  };
  return h(
    "div.table-box",
    { tabIndex: 0, role: "group", "aria-label": "Standings" },
    h(
      "table.table.standings",
      {},
      h("caption.visually-hidden", {}, "Standings: points, ratings with 95 % intervals, and who beat whom"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...["", "Player", "Points", "Games"].map((title, i) => heading(title, i >= 2)),
          ratings && heading("Elo, 95 %", false),
          ...players.map((_, i) => heading(String(i + 1), true)),
        ),
      ),
      h(
        "tbody",
        {},
        ...players.map((row, rank) =>
          h(
            "tr",
            {},
            h("td.number", {}, String(rank + 1)),
            h("th", { scope: "row" }, row.name, faults(row)),
            h("td.number", {}, String(row.points)),
            h("td.number", {}, String(row.games)),
            ratings && h("td", {}, isRated(row) ? interval(row, scale, ratingText(row)) : "–"),
            ...players.map((other, place) => cell(row, other, place)),
          ),
        ),
      ),
    ),
  );
}

type Rated = StandingsRow & Range;
const isRated = (row: StandingsRow): row is Rated =>
  row.games > 0 && row.elo !== null && row.low !== null && row.high !== null;

const heading = (title: string, number: boolean): HTMLElement =>
  h("th", { scope: "col", className: number ? "number" : undefined }, title);

function faults(row: StandingsRow): HTMLElement | null {
  const found = (["time_losses", "crashes", "stalls", "illegal"] as const).filter((kind) => row[kind] > 0);
  if (found.length === 0) return null;
  return h("span.faults", {}, found.map((kind) => `${row[kind]} ${kind.replace("_", " ")}`).join(", "));
}

interface Range {
  elo: number;
  low: number;
  high: number;
}

/** A rating as a dot on a line from its least to its greatest likely value; all rows share the scale. */
export function interval(row: Range, [least, most]: [number, number], text: string): HTMLElement {
  const at = (elo: number): number => (100 * (elo - least)) / Math.max(1, most - least);
  const line = h("i.interval-line");
  line.style.left = `${at(row.low)}%`;
  line.style.width = `${Math.max(1, at(row.high) - at(row.low))}%`;
  const dot = h("i.interval-dot");
  dot.style.left = `${at(row.elo)}%`;
  return h(
    "div.interval",
    {},
    h("span.interval-scale", { "aria-hidden": "true" }, line, dot),
    h("span.interval-text", {}, text),
  );
}

const ratingText = ({ elo, low, high }: Rated): string => `${signed(elo)} (${signed(low)} … ${signed(high)})`;

export const signed = (number: number): string => `${number < 0 ? "−" : "+"}${Math.abs(Math.round(number))}`;
