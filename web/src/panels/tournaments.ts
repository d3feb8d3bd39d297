/** Tournaments: begin, watch, stop and resume tournaments between brains and programs. */

import "../styles/tournaments.css";
import { duration } from "../amounts";
import { Board } from "../board";
import { TournamentForm } from "../components/tournamentform";
import { type Standings, standingsTable } from "../components/crosstable";
import { GameList } from "../components/gamelist";
import { gamesOf, type Match, matchCard } from "../components/matchcard";
import { ValueBar } from "../components/valuebar";
import { fill, h } from "../dom";
import type { PanelContext, Mounted, Panel } from "../panel";
import type { Side, Value } from "../records";

interface TournamentSummary {
  number: number;
  names: string[];
  state: "playing" | "stopped" | "done" | "failed";
  games: number;
  total: number;
  left_s: number | null;
}

interface LiveGame {
  number: number;
  white: string;
  black: string;
  fen: string;
  turn: Side;
  check: boolean;
  squares: string[];
  plies: number;
  /** The last move, with its number. */
  last: string;
  value: Value | null;
  depth: number;
}

interface Tournament extends TournamentSummary {
  error: { error: string; hint: string } | null;
  standings: Standings | null;
  match: Match | null;
  boards: LiveGame[];
  last: (LiveGame & { result: string; ending: string }) | null;
}

const BOARDS = 4;

export const tournaments: Panel = {
  id: "tournaments",
  title: "Tournaments",
  about: "Matches and tournaments on this machine.",
  mount: (root, context) => new Tournaments(root, context),
};

class Tournaments implements Mounted {
  private shownNumber = 0;
  private items = new Map<number, TournamentItem>();
  private standings = "";
  private readonly list = h("ul.tournament-list");
  private readonly title = h("h2");
  private readonly progress = h("progress", { "aria-label": "Games that are over" });
  private readonly facts = h("p.quiet", { role: "status" });
  private readonly stop = h("button", { onclick: () => this.act("stop") }, "Stop");
  private readonly resume = h("button.primary", { onclick: () => this.act("resume") }, "Go on");
  private readonly failure = h("p.failure", { role: "alert", hidden: true });
  private readonly match = h("div.match");
  private readonly table = h("div");
  private readonly views = Array.from({ length: BOARDS }, () => new WatchedGame());
  private readonly last = h("p.quiet");
  private readonly games: GameList;
  private readonly tournament: HTMLElement;
  private readonly nothing: HTMLElement;
  private readonly form: TournamentForm;

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    root.classList.add("tournaments");
    this.games = new GameList(context);
    this.tournament = h(
      "div.tournament",
      { hidden: true },
      h("div.tournament-head", {}, this.title, this.stop, this.resume),
      this.progress,
      this.facts,
      this.failure,
      this.match,
      this.table,
      h("div.live", {}, ...this.views.map(({ element }) => element)),
      this.last,
      this.games.element,
    );
    this.nothing = h(
      "p.empty",
      {},
      "No tournament yet. Two players play a match, more of them a tournament; games are stored, so that a tournament can be ",
      "stopped and go on. Programs that okapi play --engine NAME=PLAYER named can play, too.",
    );
    this.form = new TournamentForm(context.hello, (plan) => this.ask("tournaments.begin", plan));
    root.append(
      h("aside.tournament-side", { "aria-label": "Tournaments" }, this.form.element, this.list),
      this.nothing,
      this.tournament,
    );
    context.socket.on<{ tournaments: TournamentSummary[] }>("tournaments.listed", ({ tournaments }) =>
      this.showList(tournaments),
    );
    context.socket.on<{ tournament: Tournament | null }>("tournaments.shown", ({ tournament }) =>
      this.show(tournament),
    );
  }

  shown(): void {
    this.ask("tournaments.watch");
  }

  offered(): void {
    this.form.offer(this.context.hello);
  }

  hidden(): void {
    this.context.socket.ask("tournaments.rest").catch(() => {});
  }

  connected(): void {
    if (this.tournament.closest("section[hidden]") === null) this.ask("tournaments.watch");
  }

  private ask(action: string, data: object = {}): void {
    this.context.socket.ask(action, data).catch(this.context.complain);
  }

  private act(what: "stop" | "resume"): void {
    this.ask(`tournaments.${what}`, { number: this.shownNumber });
  }

  // --- Drawing ---

  private showList(tournaments: readonly TournamentSummary[]): void {
    this.items = new Map(
      tournaments.map(({ number }) => [
        number,
        this.items.get(number) ?? new TournamentItem(() => this.ask("tournaments.choose", { number })),
      ]),
    );
    for (const tournament of tournaments)
      this.items.get(tournament.number)!.show(tournament, tournament.number === this.shownNumber);
    const elements = [...this.items.values()].map(({ element }) => element);
    if (elements.some((element, i) => this.list.children[i] !== element)) fill(this.list, ...elements);
  }

  private show(tournament: Tournament | null): void {
    this.tournament.hidden = !tournament;
    this.nothing.hidden = tournament !== null;
    if (!tournament) return;
    this.shownNumber = tournament.number;
    this.title.textContent = titleOf(tournament);
    this.stop.hidden = tournament.state !== "playing";
    this.resume.hidden = tournament.state !== "stopped" && tournament.state !== "failed";
    this.progress.max = tournament.total || 1;
    this.progress.value = tournament.games;
    const left = tournament.left_s === null ? "" : ` · about ${duration(tournament.left_s)} left`;
    this.facts.textContent = `${tournament.state} · ${gamesOf(tournament)}${left}`;
    this.failure.hidden = !tournament.error;
    this.failure.textContent = tournament.error ? `${tournament.error.error} ${tournament.error.hint}` : "";
    fill(this.match, tournament.match && tournament.games > 0 && matchCard(tournament.names, tournament.match));
    const standings = JSON.stringify(tournament.standings);
    if (standings !== this.standings)
      fill(this.table, tournament.standings && standingsTable(tournament.standings, tournament.match === null));
    this.standings = standings;
    this.views.forEach((view, i) => view.show(tournament.boards[i]));
    this.games.show(tournament.number, tournament.games);
    const last = tournament.last;
    this.last.textContent = last
      ? `Game ${last.number}, the last to end: ${last.white} – ${last.black} ${last.result}, ${last.ending}`
      : "";
  }
}

/** A tournament in the list. Its elements stay while what they say changes, so that a click meets what it aimed at. */
class TournamentItem {
  private readonly names = h("span.tournament-names");
  private readonly state = h("span.state");
  private readonly games = h("span.quiet");
  private readonly button: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor(onclick: () => void) {
    this.button = h("button.tournament-item", { onclick }, this.names, this.state, this.games);
    this.element = h("li", {}, this.button);
  }

  show(tournament: TournamentSummary, current: boolean): void {
    this.names.textContent = titleOf(tournament);
    this.state.textContent = tournament.state;
    this.state.className = `state ${tournament.state}`;
    this.games.textContent = gamesOf(tournament);
    if (current) this.button.setAttribute("aria-current", "true");
    else this.button.removeAttribute("aria-current");
  }
}

/** A game that is being played. */
class WatchedGame {
  private readonly board = new Board(() => {});
  private readonly bar = new ValueBar();
  private readonly black = h("p.live-name");
  private readonly white = h("p.live-name");
  readonly element = h(
    "figure.live-game",
    { hidden: true },
    this.black,
    h("div.board-row", {}, this.bar.element, this.board.element),
    this.white,
  );

  show(game: LiveGame | undefined): void {
    this.element.hidden = !game;
    if (!game) return;
    const { fen, turn, check, squares } = game;
    this.board.show({ fen, turn, check, lastMove: squares, movable: null, destinations: {}, promotions: [] });
    const mover = turn === "white" ? game.black : game.white;
    this.bar.show(game.value, mover);
    const said = game.value ? ` ${game.value.text} at depth ${game.depth}` : "";
    fill(
      this.black,
      h("span.disc.black", { "aria-hidden": "true" }),
      game.black,
      turn === "white" && h("span.quiet", {}, game.last + said),
    );
    fill(
      this.white,
      h("span.disc.white", { "aria-hidden": "true" }),
      game.white,
      turn === "black" && h("span.quiet", {}, game.last + said),
    );
  }
}

const titleOf = ({ names }: TournamentSummary): string =>
  names.length === 2 ? `${names[0]} – ${names[1]}` : `${names.length} players: ${names.join(", ")}`;
