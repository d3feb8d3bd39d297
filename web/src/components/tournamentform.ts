/** Who plays a tournament, and on which terms: the form for it. */

import { field, fill, h, select } from "../dom";
import type { Hello, TimeControl } from "../records";
import { recall, remember } from "../store";
import { brainChoice } from "./brainline";

interface Entrant {
  player: string;
  brain?: string;
}

export interface Plan {
  players: Entrant[];
  rounds: number;
  format: string;
  openings: string;
  clock?: TimeControl;
  movetime_ms?: number;
  nodes?: number;
  depth?: number;
  sprt?: { elo0: number; elo1: number };
}

const LIMITS: Record<string, { text: string; limit: Partial<Plan> }> = {
  n1: { text: "1,000 positions a move", limit: { nodes: 1000 } },
  n10: { text: "10,000 positions a move", limit: { nodes: 10_000 } },
  n100: { text: "100,000 positions a move", limit: { nodes: 100_000 } },
  m50: { text: "50 ms a move", limit: { movetime_ms: 50 } },
  m500: { text: "half a second a move", limit: { movetime_ms: 500 } },
  c10: { text: "10 s + 0.1 s", limit: { clock: { time_ms: 10_000, increment_ms: 100 } } },
  c60: { text: "1 min + 1 s", limit: { clock: { time_ms: 60_000, increment_ms: 1000 } } },
  d4: { text: "4 plies deep", limit: { depth: 4 } },
  d8: { text: "8 plies deep", limit: { depth: 8 } },
};
const FORMATS = [
  ["round-robin", "Round robin: all against all"],
  ["gauntlet", "Gauntlet: the first against the others"],
  ["swiss", "Swiss: players with equal points"],
] as const;
const OPENINGS = [
  ["built-in", "Balanced openings"],
  ["chess960", "Chess960 starts"],
] as const;
const TESTS = [
  ["", "Play all games"],
  ["0 5", "Stop when +5 or 0 Elo is decided"],
  ["0 20", "Stop when +20 or 0 Elo is decided"],
  ["-20 20", "Stop when it is decided who is stronger"],
] as const;

interface Kept {
  players: string[];
  rounds: string;
  limit: string;
  format: string;
  openings: string;
  sprt: string;
}

export class TournamentForm {
  readonly element: HTMLFormElement;
  private players: { entrant: Entrant; box: HTMLInputElement }[] = [];
  private readonly entrants = h("fieldset.entrants");
  private readonly rounds = h("input", { type: "number", min: 1, max: 10_000 });
  private readonly limit: HTMLSelectElement;
  private readonly format: HTMLSelectElement;
  private readonly openings: HTMLSelectElement;
  private readonly sprt: HTMLSelectElement;
  private readonly rows: Record<"format" | "sprt", HTMLElement>;
  private readonly hint = h("p.quiet");
  private readonly button = h("button.primary.wide", { type: "submit" }, "Begin");

  constructor(hello: Hello, onBegin: (plan: Plan) => void) {
    const kept = recall<Kept>("tournaments.plan");
    this.rounds.value = kept?.rounds ?? "10";
    this.limit = select(
      Object.entries(LIMITS).map(([key, { text }]) => [key, text]),
      kept?.limit ?? "n10",
    );
    this.format = select(FORMATS, kept?.format);
    this.openings = select(OPENINGS, kept?.openings);
    this.sprt = select(TESTS, kept?.sprt);
    this.rows = { format: field("Format", this.format), sprt: field("Until when", this.sprt) };
    this.rounds.oninput = this.format.onchange = () => this.refresh();
    this.element = h(
      "form.tournament-form",
      { onsubmit: (event: Event) => this.submit(event, onBegin) },
      h("h2", {}, "New tournament"),
      this.entrants,
      field("They think", this.limit),
      field("Rounds", this.rounds),
      this.rows.format,
      this.rows.sprt,
      field("Openings", this.openings),
      this.hint,
      this.button,
    );
    this.offer(hello, kept?.players ?? [hello.brains[0]!, "material"]);
  }

  /** The players that there are; those that were chosen stay chosen. */
  offer(hello: Hello, chosen = this.players.filter(({ box }) => box.checked).map(({ box }) => box.name)): void {
    const entrants: [string, Entrant][] = [
      ...hello.brains.map((brain): [string, Entrant] => [brain, { player: "alphabeta", brain }]),
      ...hello.players
        .filter((player) => !["alphabeta", "greedy", "random"].includes(player))
        .map((player): [string, Entrant] => [player, { player }]),
      [`${hello.brains[0]}, greedy`, { player: "greedy", brain: hello.brains[0] }],
      ["random", { player: "random" }],
    ];
    this.players = entrants.map(([name, entrant]) => {
      const checked = chosen.includes(name);
      const box = h("input", { type: "checkbox", name, checked, onchange: () => this.refresh() });
      return { entrant, box };
    });
    const boxes = this.players.map(({ box }) => brainChoice("entrant", hello, box));
    fill(this.entrants, h("legend", {}, "Players"), ...boxes);
    this.refresh();
  }

  private get chosen(): Entrant[] {
    return this.players.filter(({ box }) => box.checked).map(({ entrant }) => entrant);
  }

  private submit(event: Event, onBegin: (plan: Plan) => void): void {
    event.preventDefault();
    const names = this.players.filter(({ box }) => box.checked).map(({ box }) => box.name);
    const [format, openings, sprt] = [this.format.value, this.openings.value, this.sprt.value];
    const rounds = this.rounds.value;
    remember("tournaments.plan", { players: names, rounds, limit: this.limit.value, format, openings, sprt });
    const [elo0, elo1] = sprt.split(" ").map(Number);
    onBegin({
      players: this.chosen,
      rounds: Math.max(1, Math.round(Number(rounds) || 1)),
      format,
      openings,
      ...LIMITS[this.limit.value]!.limit,
      ...(sprt && this.chosen.length === 2 ? { sprt: { elo0: elo0!, elo1: elo1! } } : {}),
    });
  }

  /** Show only what means something for the choices so far, and how many games it will be. */
  private refresh(): void {
    const players = this.chosen.length;
    this.rows.format.hidden = players <= 2;
    this.rows.sprt.hidden = players !== 2;
    const pairs = {
      "round-robin": (players * (players - 1)) / 2,
      gauntlet: players - 1,
      swiss: Math.floor(players / 2),
    }[this.format.value as "round-robin"];
    const games = 2 * (players === 2 ? 1 : pairs) * (Number(this.rounds.value) || 0);
    this.button.disabled = players < 2;
    this.hint.textContent =
      players < 2
        ? "Choose two players or more."
        : `${games.toLocaleString("en")} games, each opening with both colours.`;
  }
}
