/** League: every way of learning in one table, and what strength costs in data, compute and time. */

import "../styles/league.css";
import { amount } from "../amounts";
import { type Standings, standingsTable } from "../components/crosstable";
import { type Column, table } from "../components/table";
import { fill, h, select } from "../dom";
import type { PanelContext, Mounted, Panel } from "../panel";

interface Entry {
  name: string;
  way: string;
  learned_from: string;
  samples: number | null;
  operations: number | null;
  weights: number;
  seconds: number;
  searches: boolean;
}

interface Season {
  answers: string[];
  tables: (Standings & { title: string })[];
  entries: Entry[];
  /** SVG that the server drew. */
  pictures: { title: string; svg: string }[];
  left_out: string[];
  commands: string[];
}

interface ShownLeague {
  seasons: string[];
  season: string | null;
  shown: Season | null;
}

export const league: Panel = {
  id: "league",
  title: "League",
  about: "Ratings of brains, and how each was trained.",
  mount: (root, context) => new League(root, context),
};

class League implements Mounted {
  private readonly seasons = select([], "");
  private readonly season = h("div.season");

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    root.classList.add("league");
    this.seasons.setAttribute("aria-label", "Season");
    this.seasons.onchange = () => this.ask(this.seasons.value);
    root.append(h("div.league-head", {}, h("h2", {}, "The league"), this.seasons), this.season);
  }

  shown(): void {
    this.ask(this.seasons.value || null);
  }

  private ask(season: string | null): void {
    this.context.socket
      .ask<ShownLeague>("league.show", season ? { season } : {})
      .then((answer) => this.draw(answer), this.context.complain);
  }

  private draw({ seasons, season, shown }: ShownLeague): void {
    fill(this.seasons, ...seasons.map((name) => h("option", { value: name }, name)));
    this.seasons.value = season ?? "";
    this.seasons.hidden = seasons.length < 2;
    fill(this.season, ...(shown ? parts(shown) : nothing()));
  }
}

const nothing = (): HTMLElement[] => [
  h(
    "p.quiet",
    {},
    "No league was played yet. To play every brain against every other, at equal nodes and with a clock:",
  ),
  h("code.command", {}, "okapi league"),
];

function parts(season: Season): (HTMLElement | false)[] {
  return [
    section("Answers", h("ul.answers", {}, ...season.answers.map((text) => h("li", {}, text)))),
    ...season.tables.map((standings) => section(standings.title, standingsTable(standings, true))),
    section(
      "What strength costs",
      h("div.season-pictures", {}, ...season.pictures.map(picture)),
      h("div.table-box", { tabIndex: 0, role: "group", "aria-label": "Entrants" }, entrants(season.entries)),
    ),
    season.left_out.length > 0 &&
      section("Left out", h("ul", {}, ...season.left_out.map((text) => h("li.quiet", {}, text)))),
    section("How it was made", ...season.commands.map((command) => h("code.command", {}, command))),
  ];
}

const section = (title: string, ...children: HTMLElement[]): HTMLElement =>
  h("section", {}, h("h3", {}, title), ...children);

/** Drawn by the server, in the colours of whatever is around it. */
function picture({ title, svg }: { title: string; svg: string }): HTMLElement {
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return h("figure.season-picture", {}, h("figcaption.visually-hidden", {}, title), document.importNode(drawn, true));
}

function entrants(entries: readonly Entry[]): HTMLElement {
  const columns: Column<Entry>[] = [
    { title: "Brain", cell: ({ name, searches }) => (searches ? link(name) : name) },
    { title: "Way of learning", cell: ({ way }) => way },
    { title: "Learned from", cell: ({ learned_from }) => learned_from },
    { title: "Positions", cell: ({ samples }) => known(samples), number: true },
    { title: "Multiplications", cell: ({ operations }) => known(operations), number: true },
    { title: "Weights", cell: ({ weights }) => amount(weights), number: true },
    { title: "Nodes a second", cell: (entry) => (entry.searches ? rounded(1 / entry.seconds) : "–"), number: true },
  ];
  return table("Entrants: how they learned, and what it cost", columns, entries);
}

const link = (brain: string): HTMLElement =>
  h("a", { href: `#play?${new URLSearchParams({ brain })}`, title: `Play against ${brain}` }, brain);

const known = (number: number | null): string => (number === null ? "–" : rounded(number));

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Two digits say enough; large numbers as powers of ten. */
function rounded(number: number): string {
  if (number < 1e9) return amount(Number(number.toPrecision(2)));
  const [mantissa, power = ""] = number.toExponential(1).split("e+");
  return `${mantissa} × 10${power.replace(/\d/g, (digit) => RAISED.charAt(Number(digit)))}`;
}
