/** The champions of two generations play each other: the form, how it stands, and the games. */

import { duration } from "../amounts";
import { field, fill, h } from "../dom";
import type { PanelContext } from "../panel";
import { gamesOf, type Match, matchCard } from "./matchcard";
import { Replay, type Replayed } from "./replay";
import { walk } from "./steps";

interface MatchSummary {
  number: number;
  names: [string, string];
  state: "playing" | "stopped" | "done" | "failed";
  games: number;
  total: number;
  left_s: number | null;
  depth: number;
}

interface PlayedGame {
  number: number;
  /** Has the first champion White? */
  first: boolean;
  result: string;
  plies: number;
}

type ShownMatch = MatchSummary & {
  error: { error: string; hint: string } | null;
  match: Match | null;
  played: PlayedGame[];
};

/** The matches of a run, as the server sends them. */
export interface Matches {
  matches: MatchSummary[];
  match: ShownMatch | null;
}

export class ChampionMatch {
  private run = "";
  /** Is the first of the two the last generation's champion, because no other one was chosen? */
  private follows = true;
  private shown: ShownMatch | null = null;
  private list = "";
  private readonly first = number("0", 0, 999_999);
  private readonly second = number("0", 0, 999_999);
  private readonly depth = number("4", 1, 6);
  private readonly games = number("100", 2, 400);
  private readonly begin = h("button.primary", { type: "submit" }, "Play the match");
  private readonly stop = h("button", { onclick: () => this.act("stop", this.shown?.number ?? 0) }, "Stop");
  private readonly others = h("div.match-list", { role: "group", "aria-label": "Matches of this run" });
  private readonly progress = h("progress", { "aria-label": "Games that are over" });
  private readonly facts = h("p.quiet", { role: "status" });
  private readonly failure = h("p.failure", { role: "alert", hidden: true });
  private readonly card = h("div");
  private readonly played = h("div.game-dots", { role: "group", "aria-label": "Games" });
  private readonly replay = new Replay();
  private readonly match: HTMLElement;
  readonly element: HTMLElement;

  constructor(private readonly context: PanelContext) {
    this.first.oninput = () => (this.follows = false);
    this.games.step = "2";
    this.played.onkeydown = (event) => {
      const [dots, at] = [this.played.children, [...this.played.children].indexOf(event.target as Element)];
      const keys = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => dots.length - 1 };
      walk(event, keys, (place) => (dots[place] as HTMLElement | undefined)?.focus());
    };
    this.match = h(
      "div.champion-match",
      { hidden: true },
      h("div.match-head", {}, this.facts, this.stop),
      this.progress,
      this.failure,
      this.card,
      h("p.quiet", {}, "Every game, from the view of the first player: choose one to replay it."),
      this.played,
      this.replay.element,
    );
    this.element = h(
      "section.champions",
      { "aria-label": "Champions" },
      h("h3", {}, "Champions"),
      h(
        "form.champion-form",
        { onsubmit: (event: Event) => this.submit(event) },
        field("Generation", this.first),
        field("against", this.second),
        field("Plies", this.depth),
        field("Games", this.games),
        this.begin,
      ),
      this.others,
      this.match,
    );
  }

  /** The run whose champions can be chosen, and the first and last generation that has one. */
  offer(run: string, champions: readonly number[]): void {
    const [first = 0, last = first] = champions;
    this.element.hidden = champions.length === 0;
    if (run !== this.run) {
      this.run = run;
      this.follows = true;
      this.second.value = String(first);
      this.replay.show(null);
    }
    for (const control of [this.first, this.second]) Object.assign(control, { min: first, max: last });
    if (this.follows) this.first.value = String(last);
  }

  show({ matches, match }: Matches): void {
    if (match?.number !== this.shown?.number) this.replay.show(null);
    this.shown = match;
    this.showList(matches);
    this.match.hidden = !match;
    if (!match) return;
    this.stop.hidden = match.state !== "playing";
    this.progress.max = match.total || 1;
    this.progress.value = match.games;
    const left = match.left_s === null ? "" : ` · about ${duration(match.left_s)} left`;
    this.facts.textContent = `${match.state} · ${gamesOf(match)} · ${match.depth} plies${left}`;
    this.failure.hidden = !match.error;
    this.failure.textContent = match.error ? `${match.error.error} ${match.error.hint}` : "";
    fill(this.card, match.match && match.games > 0 && matchCard(match.names.map(called), match.match));
    this.showGames(match.played);
  }

  private showList(matches: readonly MatchSummary[]): void {
    const key = JSON.stringify([matches.map(({ number, state }) => [number, state]), this.shown?.number]);
    if (key === this.list) return;
    this.list = key;
    const buttons = matches.map((match) =>
      h(
        "button",
        {
          onclick: () => this.act("choose", match.number),
          "aria-pressed": String(match.number === this.shown?.number),
        },
        `${match.names.map(generationOf).join(" – ")}, ${match.depth} plies`,
      ),
    );
    fill(this.others, ...(buttons.length > 1 ? buttons : []));
  }

  /** A dot for each game; Tab leads to the first, arrows to the others. Those that are there stay, so that a click meets what it aimed at. */
  private showGames(games: readonly PlayedGame[]): void {
    const known = new Map([...this.played.children].map((element) => [(element as HTMLElement).dataset.key, element]));
    const key = ({ number }: PlayedGame): string => `${this.shown!.number}:${number}`;
    const dots = games.map((game) => known.get(key(game)) ?? this.dot(game, key(game)));
    if (dots.length !== this.played.children.length || dots.some((dot, i) => this.played.children[i] !== dot))
      this.played.replaceChildren(...dots);
    dots.forEach((dot, i) => ((dot as HTMLElement).tabIndex = i === 0 ? 0 : -1));
  }

  private dot(game: PlayedGame, key: string): HTMLElement {
    const outcome = outcomeOf(game);
    const label = `Game ${game.number + 1}: ${outcome}, ${game.plies} plies`;
    const dot = h("button", {
      className: `game-dot ${outcome}`,
      title: label,
      "aria-label": label,
      onclick: () => this.open(game.number),
    });
    dot.dataset.key = key;
    return dot;
  }

  private open(game: number): void {
    this.context.socket
      .ask<{ game: Replayed }>("evolution.game", { number: this.shown?.number ?? 0, game })
      .then((answer) => {
        this.replay.show(answer.game);
        this.replay.element.scrollIntoView({ block: "nearest" });
      }, this.context.complain);
  }

  private submit(event: Event): void {
    event.preventDefault();
    const [first, second, depth, games] = [this.first, this.second, this.depth, this.games].map((control) =>
      Math.round(Number(control.value)),
    );
    this.context.socket
      .ask("evolution.begin", { run: this.run, first, second, depth, games })
      .catch(this.context.complain);
  }

  private act(what: "stop" | "choose", match: number): void {
    this.context.socket.ask(`evolution.${what}`, { number: match }).catch(this.context.complain);
  }
}

function number(value: string, min: number, max: number): HTMLInputElement {
  return h("input", { type: "number", value, min, max, required: true });
}

function outcomeOf({ first, result }: PlayedGame): "win" | "draw" | "loss" {
  if (result !== "1-0" && result !== "0-1") return "draw";
  return (result === "1-0") === first ? "win" : "loss";
}

const generationOf = (name: string): string => name.slice(name.lastIndexOf("@") + 1);
const called = (name: string): string => `generation ${generationOf(name)}`;
