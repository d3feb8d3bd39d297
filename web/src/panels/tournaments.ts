/** Tournaments: begin, watch, stop and resume contests between brains and programs. */

import "../styles/tournaments.css";
import { duration } from "../amounts";
import { Board } from "../board";
import { ContestForm } from "../components/contestform";
import { type Standings, standingsTable } from "../components/crosstable";
import { gamesOf, type Match, matchCard } from "../components/matchcard";
import { ValueBar } from "../components/valuebar";
import { fill, h } from "../dom";
import type { Desk, Mounted, Panel } from "../panel";
import type { Side, Value } from "../records";

interface Summary {
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

interface Contest extends Summary {
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
  mount: (root, desk) => new Tournaments(root, desk),
};

class Tournaments implements Mounted {
  private shownNumber = 0;
  private items = new Map<number, Item>();
  private standings = "";
  private readonly list = h("ul.contest-list");
  private readonly title = h("h2");
  private readonly progress = h("progress", { "aria-label": "Games that are over" });
  private readonly facts = h("p.quiet", { role: "status" });
  private readonly stop = h("button", { onclick: () => this.act("stop") }, "Stop");
  private readonly resume = h("button.primary", { onclick: () => this.act("resume") }, "Go on");
  private readonly failure = h("p.failure", { role: "alert", hidden: true });
  private readonly match = h("div.match");
  private readonly table = h("div");
  private readonly views = Array.from({ length: BOARDS }, () => new GameView());
  private readonly last = h("p.quiet");
  private readonly contest: HTMLElement;
  private readonly nothing: HTMLElement;

  constructor(
    root: HTMLElement,
    private readonly desk: Desk,
  ) {
    root.classList.add("tournaments");
    this.contest = h(
      "div.contest",
      { hidden: true },
      h("div.contest-head", {}, this.title, this.stop, this.resume),
      this.progress,
      this.facts,
      this.failure,
      this.match,
      this.table,
      h("div.live", {}, ...this.views.map(({ element }) => element)),
      this.last,
    );
    this.nothing = h(
      "p.empty",
      {},
      "No contest yet. Two players play a match, more of them a tournament; games are kept, so that a contest can be ",
      "stopped and go on. Programs that okapi play --engine NAME=PLAYER named can play, too.",
    );
    const form = new ContestForm(desk.hello, (plan) => this.ask("tournaments.begin", plan));
    root.append(
      h("aside.contest-side", { "aria-label": "Contests" }, form.element, this.list),
      this.nothing,
      this.contest,
    );
    desk.socket.on<{ contests: Summary[] }>("tournaments.listed", ({ contests }) => this.showList(contests));
    desk.socket.on<{ contest: Contest | null }>("tournaments.shown", ({ contest }) => this.show(contest));
  }

  shown(): void {
    this.ask("tournaments.watch");
  }

  hidden(): void {
    this.desk.socket.ask("tournaments.rest").catch(() => {});
  }

  connected(): void {
    if (this.contest.closest("section[hidden]") === null) this.ask("tournaments.watch");
  }

  private ask(action: string, data: object = {}): void {
    this.desk.socket.ask(action, data).catch(this.desk.complain);
  }

  private act(what: "stop" | "resume"): void {
    this.ask(`tournaments.${what}`, { number: this.shownNumber });
  }

  // --- Drawing ---

  private showList(contests: readonly Summary[]): void {
    this.items = new Map(
      contests.map(({ number }) => [
        number,
        this.items.get(number) ?? new Item(() => this.ask("tournaments.choose", { number })),
      ]),
    );
    for (const contest of contests) this.items.get(contest.number)!.show(contest, contest.number === this.shownNumber);
    const elements = [...this.items.values()].map(({ element }) => element);
    if (elements.some((element, i) => this.list.children[i] !== element)) fill(this.list, ...elements);
  }

  private show(contest: Contest | null): void {
    this.contest.hidden = !contest;
    this.nothing.hidden = contest !== null;
    if (!contest) return;
    this.shownNumber = contest.number;
    this.title.textContent = titleOf(contest);
    this.stop.hidden = contest.state !== "playing";
    this.resume.hidden = contest.state !== "stopped" && contest.state !== "failed";
    this.progress.max = contest.total || 1;
    this.progress.value = contest.games;
    const left = contest.left_s === null ? "" : ` · about ${duration(contest.left_s)} left`;
    this.facts.textContent = `${contest.state} · ${gamesOf(contest)}${left}`;
    this.failure.hidden = !contest.error;
    this.failure.textContent = contest.error ? `${contest.error.error} ${contest.error.hint}` : "";
    fill(this.match, contest.match && contest.games > 0 && matchCard(contest.names, contest.match));
    const standings = JSON.stringify(contest.standings);
    if (standings !== this.standings)
      fill(this.table, contest.standings && standingsTable(contest.standings, contest.match === null));
    this.standings = standings;
    this.views.forEach((view, i) => view.show(contest.boards[i]));
    const last = contest.last;
    this.last.textContent = last
      ? `Game ${last.number}, the last to end: ${last.white} – ${last.black} ${last.result}, ${last.ending}`
      : "";
  }
}

/** A contest in the list. Its elements stay while what they say changes, so that a click meets what it aimed at. */
class Item {
  private readonly names = h("span.contest-names");
  private readonly state = h("span.state");
  private readonly games = h("span.quiet");
  private readonly button: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor(onclick: () => void) {
    this.button = h("button.contest-item", { onclick }, this.names, this.state, this.games);
    this.element = h("li", {}, this.button);
  }

  show(contest: Summary, current: boolean): void {
    this.names.textContent = titleOf(contest);
    this.state.textContent = contest.state;
    this.state.className = `state ${contest.state}`;
    this.games.textContent = gamesOf(contest);
    if (current) this.button.setAttribute("aria-current", "true");
    else this.button.removeAttribute("aria-current");
  }
}

/** A game that is being played. */
class GameView {
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

const titleOf = ({ names }: Summary): string =>
  names.length === 2 ? `${names[0]} – ${names[1]}` : `${names.length} players: ${names.join(", ")}`;
