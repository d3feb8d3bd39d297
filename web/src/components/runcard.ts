/** The card of a training: how far it is, when and how long, what it ended with, and what one can do with its brain. */

import { duration } from "../amounts";
import { fill, h, select, withCode } from "../dom";
import type { PanelContext } from "../panel";
import { showModelCard } from "./modelcard";
import { type RunSummary, stepsOf } from "./runprogress";

export interface Training extends RunSummary {
  /** Was it started on the board? Then it can be paused and resumed here. */
  own: boolean;
}

export interface CardActions {
  /** Show its curves and ages. */
  onWatch: (run: string) => void;
}

/** A card whose elements stay while what they say changes, so that a click always meets what it aimed at. */
export class RunCard {
  private readonly title = h("button.run-name", { onclick: () => this.actions.onWatch(this.name) });
  private readonly state = h("span.state");
  private readonly facts = h("p.quiet");
  private readonly bar = h("progress");
  private readonly note = h("p.run-note");
  private readonly report = h("p");
  private readonly links = h("div.card-buttons");
  private shownLinks = "";
  readonly element: HTMLElement;

  constructor(
    private readonly context: PanelContext,
    private readonly name: string,
    private readonly actions: CardActions,
  ) {
    this.bar.setAttribute("aria-label", `How far ${name} is`);
    this.element = h(
      "li.run-card",
      { "data-run": name },
      h("div.run-card-head", {}, this.title, this.state),
      this.bar,
      this.facts,
      this.note,
      this.report,
      this.links,
    );
  }

  show(run: Training, chosen: boolean): void {
    this.element.classList.toggle("chosen", chosen);
    this.title.textContent = run.name;
    this.title.title = run.title;
    this.state.textContent = run.state;
    this.state.className = `state ${run.state}`;
    this.facts.textContent = [run.title !== run.name && run.title, stepsOf(run), when(run)].filter(Boolean).join(" · ");
    this.bar.hidden = run.total === null || run.state === "done";
    this.bar.max = run.total ?? 1;
    this.bar.value = run.step ?? 0;
    this.note.textContent = run.note;
    this.note.hidden = !run.note;
    fill(this.report, ...withCode(run.report.join(" ")));
    this.report.hidden = run.report.length === 0;
    const key = [run.state, run.brain, run.own].join();
    if (key !== this.shownLinks) fill(this.links, ...this.buttons(run));
    this.shownLinks = key;
  }

  private buttons({ state, brain, own, name }: Training): (HTMLElement | false)[] {
    const link = (text: string, panel: string): HTMLElement =>
      h("a.button", { href: `#${panel}?${new URLSearchParams({ brain: name })}` }, text);
    return [
      own && state === "running" && h("button", { onclick: () => this.ask("train.pause") }, "Pause"),
      own &&
        state !== "running" &&
        state !== "done" &&
        h("button", { onclick: () => this.ask("train.resume") }, "Resume"),
      brain && link("Play", "play"),
      brain && h("button", { onclick: () => this.match() }, "Match"),
      brain && link("Explain", "explain"),
      brain && h("button", { onclick: () => void showModelCard(this.context, name) }, "Card"),
    ];
  }

  private ask(action: string): void {
    this.context.socket.ask(action, { run: this.name }).catch(this.context.complain);
  }

  /** Against whom? Then the games are on the tab Compete. */
  private match(): void {
    const names = this.context.hello.brains.filter((name) => name !== this.name);
    const against = select(
      names.map((name) => [name, name]),
      "material",
    );
    const begin = async (): Promise<void> => {
      dialog.close();
      try {
        const asked = { run: this.name, against: against.value };
        const { number } = await this.context.socket.ask<{ number: number }>("train.match", asked);
        await this.context.socket.ask("tournaments.choose", { number });
        location.hash = "#tournaments";
      } catch (error) {
        this.context.complain(error);
      }
    };
    const dialog = h(
      "dialog",
      { onclose: () => dialog.remove(), "aria-labelledby": "match-title" },
      h("h2", { id: "match-title" }, `A match of ${this.name}`),
      h("label.field", {}, h("span.field-label", {}, "Against"), against),
      h("p.quiet", {}, "A hundred games, three plies deep."),
      h(
        "div.dialog-buttons",
        {},
        h("button", { onclick: () => dialog.close() }, "Cancel"),
        h("button.primary", { onclick: () => void begin() }, "Play the match"),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  }
}

/** “16 Nov, 14:05, took 10 min”. */
export function when({ started, last_at, sessions, state }: RunSummary): string {
  if (started === null || started === undefined) return "";
  const date = new Date(1000 * started).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  const seconds = last_at === null ? 0 : last_at - started;
  if (seconds <= 0) return date;
  const times = sessions > 1 ? `, ${sessions} sessions within` : state === "running" ? ", since" : ", took";
  return `${date}${times} ${duration(seconds)}`;
}
