/** Experiments: the ledgers of `okapi experiment`, and the test that is being played. */

import "../styles/experiments.css";
import { amount } from "../amounts";
import { type Match, matchCard } from "../components/matchcard";
import { type Column, table } from "../components/table";
import { fill, h, offer, select, withCode } from "../dom";
import type { PanelContext, Mounted, Panel } from "../panel";

/** A test of the ledger, in words. */
interface TestRow {
  name: string;
  about: string;
  commit: string;
  player: string;
  against: string;
  /** Its limits and its SPRT. */
  gate: string;
  date: string;
  games: number;
  counts: string;
  elo: string;
  interval: string;
  llr: string;
  bounds: string;
  verdict: string;
  kept: string;
}

interface Queue {
  state: "running" | "done" | "stopped" | "failed";
  /** Why it failed. */
  note: string;
  /** What goes on with it. */
  command: string;
  /** The test that is being played or was interrupted: the experiment's number, and the most games of its gate. */
  playing: (TestRow & { number: number; experiments: number; most: number; match: Match }) | null;
  rows: TestRow[];
  /** Older rows that are not shown. */
  left_out: number;
  /** What is wrong with its files. */
  problem: { error: string; hint: string } | null;
}

interface ShownExperiments {
  queues: { name: string; title: string }[];
  queue: string | null;
  shown: Queue | null;
}

export const experiments: Panel = {
  id: "experiments",
  title: "Experiments",
  about: "Changes to a player, each tested against the player without it.",
  mount: (root, context) => new Experiments(root, context),
};

class Experiments implements Mounted {
  private chosen: string | null = null;
  /** What the parts were last drawn from: one that stays is not drawn again. */
  private readonly drawn = new Map<string, string>();
  private readonly queues = select([]);
  private readonly head = h("div.queue-head");
  private readonly playing = h("section", { "aria-label": "The test that is being played" });
  private readonly ledger = h("section", { "aria-label": "The ledger" });

  constructor(
    private readonly root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    root.classList.add("experiments");
    this.queues.setAttribute("aria-label", "Queue");
    this.queues.onchange = () => {
      this.chosen = this.queues.value;
      this.watch();
    };
    const title = h("div.queue-title", {}, h("h2", {}, "Experiments"), this.queues);
    root.append(title, this.head, this.playing, this.ledger);
    context.socket.on<ShownExperiments>("experiments.shown", (news) => this.draw(news));
  }

  shown(): void {
    this.watch();
  }

  hidden(): void {
    this.context.socket.ask("experiments.rest").catch(() => {});
  }

  connected(): void {
    if (this.root.closest("[hidden]") === null) this.watch();
  }

  private watch(): void {
    this.context.socket.ask("experiments.watch", { queue: this.chosen }).catch(this.context.complain);
  }

  private draw({ queues, queue, shown }: ShownExperiments): void {
    const { playing = null, rows = [], left_out = 0 } = shown ?? {};
    const title = queues.find(({ name }) => name === queue)?.title ?? "";
    const options = queues.map(({ name, title }): [string, string] => [name, title]);
    if (this.isNew("queues", [options, queue])) offer(this.queues, options, queue ?? "");
    if (this.isNew("head", [title, { ...shown, playing: playing !== null, rows: rows.length }]))
      fill(this.head, ...(shown ? headOf(shown, title) : nothing()));
    if (this.isNew("playing", [playing, shown?.state]))
      fill(this.playing, playing && playingView(playing, shown?.state === "running"));
    if (this.isNew("ledger", [rows, left_out])) fill(this.ledger, ...ledgerView(rows, left_out));
    this.queues.hidden = queues.length < 2;
    this.playing.hidden = playing === null;
    this.ledger.hidden = rows.length === 0;
  }

  private isNew(part: string, data: unknown): boolean {
    const key = JSON.stringify(data);
    const changed = this.drawn.get(part) !== key;
    this.drawn.set(part, key);
    return changed;
  }
}

const nothing = (): HTMLElement[] => [
  h("p.quiet", {}, "There are no experiments yet. To test changes to a player one after the other:"),
  h("code.command", {}, "okapi experiment queue.toml"),
  h("p.quiet", {}, ...withCode("`okapi experiment --help` shows a queue. It is watched here while it is played.")),
];

function headOf({ state, note, command, problem, rows, playing }: Queue, title: string): (HTMLElement | false)[] {
  const interrupted = state === "stopped" || state === "failed";
  return [
    h("p", {}, h("strong", {}, title), " ", h("span", { className: `state ${state}` }, state)),
    problem !== null && h("p.failure", {}, ...withCode([problem.error, problem.hint].filter(Boolean).join(". "))),
    note !== "" && h("p.failure", {}, ...withCode(note)),
    rows.length === 0 && !playing && !problem && h("p.quiet", {}, "No test has ended yet."),
    interrupted && command !== "" && h("p.quiet", {}, "The same command goes on: ", h("code", {}, command)),
  ];
}

function playingView(test: NonNullable<Queue["playing"]>, running: boolean): HTMLElement {
  const { name, about, number, experiments, gate, games, most, match } = test;
  const what = running ? "Now" : "Interrupted";
  return h(
    "div.playing",
    {},
    h("h3", {}, `${what}: ${name}`),
    about !== "" && h("p", {}, about),
    h(
      "p.quiet",
      {},
      `Experiment ${amount(number)} of ${amount(experiments)}. ${gate}: ${amount(games)} of at most ${amount(most)} games`,
    ),
    matchCard([name, test.against], match),
  );
}

function ledgerView(rows: readonly TestRow[], leftOut: number): (HTMLElement | false)[] {
  return [
    h("h3", {}, "Results"),
    h("div.table-box", { tabIndex: 0, role: "group", "aria-label": "Results" }, table("The ledger", COLUMNS, rows)),
    leftOut > 0 && h("p.quiet", {}, `${amount(leftOut)} older results are in the ledger's file.`),
  ];
}

const COLUMNS: Column<TestRow>[] = [
  { title: "Date", cell: ({ date }) => h("span.date", {}, date) },
  {
    title: "Experiment",
    cell: ({ name, about, player, against }) =>
      h(
        "div.tested",
        { title: player && `${player} against ${against}` },
        h("strong", {}, name),
        about !== "" && h("span.quiet", {}, about),
      ),
  },
  { title: "Commit", cell: ({ commit }) => commit && h("code", {}, commit) },
  { title: "Gate", cell: ({ gate }) => gate },
  { title: "Games", cell: ({ games, counts }) => h("span", { title: counts }, amount(games)), number: true },
  { title: "Elo", cell: ({ elo }) => elo, number: true },
  { title: "95 %", cell: ({ interval }) => interval, number: true },
  { title: "LLR", cell: ({ llr, bounds }) => h("span", { title: bounds }, llr), number: true },
  { title: "Verdict", cell: ({ verdict }) => verdict },
  { title: "Kept", cell: ({ kept }) => kept },
];
