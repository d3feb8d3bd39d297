/** League: which way of learning is best? Pictures whose points show the brains' cards, and the tables behind them. */

import "../styles/league.css";
import { showModelCard } from "../components/modelcard";
import { type Column, table } from "../components/table";
import { fill, h, select } from "../dom";
import type { PanelContext, Mounted, Panel } from "../panel";

interface Row {
  name: string;
  /** Where one plays it; empty if its brain is not here. */
  link: string;
  way: string;
  elo: string;
  interval: string;
  games: number;
  score: string;
}

interface Season {
  answers: string[];
  /** SVG that the server drew. */
  pictures: { title: string; svg: string }[];
  tables: { title: string; heads: string[]; rows: string[][] }[];
  pools: { title: string; note: string; games: number; rows: Row[] }[];
  left_out: string[];
  command: string;
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
    this.season.onclick = (event) => this.open(event);
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

  /** A link of a brain shows its card first; from there one plays it. */
  private open(event: MouseEvent): void {
    const link = (event.target as Element).closest("a")?.getAttribute("href");
    const brain = new URLSearchParams(link?.split("?")[1]).get("brain");
    if (brain === null) return;
    event.preventDefault();
    void showModelCard(this.context, brain);
  }

  private draw({ seasons, season, shown }: ShownLeague): void {
    fill(this.seasons, ...seasons.map((name) => h("option", { value: name }, name)));
    this.seasons.value = season ?? "";
    this.seasons.hidden = seasons.length < 2;
    fill(this.season, ...(shown ? parts(shown) : nothing()));
  }
}

const nothing = (): HTMLElement[] => [
  h("p.quiet", {}, "No league was played yet. To train every way of learning and to rate all brains:"),
  h("code.command", {}, "okapi league"),
];

function parts(season: Season): (HTMLElement | false)[] {
  return [
    season.answers.length > 0 &&
      section("Answers", h("ul.answers", {}, ...season.answers.map((text) => h("li", {}, text)))),
    section("Pictures", h("div.season-pictures", {}, ...season.pictures.map(picture))),
    ...season.tables.map(({ title, heads, rows }) => section(title, boxed(title, table(title, texts(heads), rows)))),
    ...season.pools.map(({ title, note, games, rows }) =>
      section(
        `Ratings, ${title}`,
        h("p.quiet", {}, `${games.toLocaleString("en")} games. ${note}`),
        boxed(title, table(`Ratings, ${title}`, RATED, rows)),
      ),
    ),
    season.left_out.length > 0 &&
      section("Left out", h("ul", {}, ...season.left_out.map((text) => h("li.quiet", {}, text)))),
    section("How it was made", h("code.command", {}, season.command)),
  ];
}

const section = (title: string, ...children: HTMLElement[]): HTMLElement =>
  h("section", {}, h("h3", {}, title), ...children);

const boxed = (title: string, inside: HTMLElement): HTMLElement =>
  h("div.table-box", { tabIndex: 0, role: "group", "aria-label": title }, inside);

/** Columns of a table whose cells are texts: the first is words. */
const texts = (heads: readonly string[]): Column<string[]>[] =>
  heads.map((title, place) => ({ title, cell: (row) => row[place] ?? "", number: place > 0 }));

const RATED: Column<Row>[] = [
  {
    title: "Player",
    cell: ({ name, link }) => (link ? h("a", { href: link, title: `The card of ${name}` }, name) : name),
  },
  { title: "Way of learning", cell: ({ way }) => way },
  { title: "Elo", cell: ({ elo }) => elo, number: true },
  { title: "95 %", cell: ({ interval }) => interval, number: true },
  { title: "Games", cell: ({ games }) => String(games), number: true },
  { title: "Score", cell: ({ score }) => score, number: true },
];

/** Drawn by the server, in the colours of whatever is around it; its points are links. */
function picture({ title, svg }: { title: string; svg: string }): HTMLElement {
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return h("figure.season-picture", {}, h("figcaption.visually-hidden", {}, title), document.importNode(drawn, true));
}
