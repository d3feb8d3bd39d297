/** Who plays one side, and how strongly: the form for it. */

import { field, h, select } from "../dom";
import type { Hello, Seat } from "../records";
import { brainOptions } from "./brainline";

const STRENGTHS = {
  full: "as well as it can",
  elo: "by rating",
  nodes: "by positions looked at",
  movetime_ms: "by time for a move",
  depth: "by depth",
} as const;
type Strength = keyof typeof STRENGTHS;

const NAMES: Record<string, string> = {
  alphabeta: "Okapi: full search",
  greedy: "Greedy: search of one ply",
  random: "Random: any legal move",
};

/** Bounds and a first value for each kind of strength; time is shown in seconds. */
const NUMBERS: Record<Exclude<Strength, "full" | "elo">, { min: number; max: number; step: number; value: number }> = {
  nodes: { min: 1, max: 1e9, step: 1, value: 20_000 },
  movetime_ms: { min: 0.05, max: 600, step: 0.05, value: 1 },
  depth: { min: 1, max: 100, step: 1, value: 6 },
};

export class SeatForm {
  readonly element: HTMLElement;
  private readonly player: HTMLSelectElement;
  private readonly brain: HTMLSelectElement;
  private readonly strength: HTMLSelectElement;
  private readonly number = h("input", { type: "number" });
  private readonly slider = h("input", { type: "range" });
  private readonly rating = h("output");
  private readonly rows: Record<"brain" | "strength" | "number" | "slider", HTMLElement>;

  constructor(
    legend: string,
    private readonly hello: Hello,
    first: Seat,
  ) {
    this.player = select(
      hello.players.map((name) => [
        name,
        NAMES[name] ?? (name in hello.papers ? `${name}: ${hello.papers[name]}` : name),
      ]),
      first.player,
    );
    this.brain = select(brainOptions(hello, hello.brains), first.brain ?? hello.brains[0]);
    this.strength = select(Object.entries(STRENGTHS), strengthOf(first));
    this.bound(first.elo ?? 1500);
    this.rows = {
      brain: field("Brain", this.brain),
      strength: field("Strength", this.strength),
      number: field("How much", this.number),
      slider: field("Rating", h("span.slider", {}, this.slider, this.rating)),
    };
    this.element = h(
      "fieldset.seat",
      {},
      h("legend", {}, legend),
      h("div.pair", {}, field("Player", this.player), this.rows.brain),
      h("div.pair", {}, this.rows.strength, this.rows.slider, this.rows.number),
    );
    this.player.onchange = () => {
      this.bound(Number(this.slider.value));
      this.refresh();
    };
    this.strength.onchange = () => this.refresh(true);
    this.slider.oninput = () => this.refresh();
    this.refresh(true);
    const kind = this.kind;
    if (kind !== "full" && kind !== "elo" && first[kind])
      this.number.value = String(first[kind] / (isTime(kind) ? 1000 : 1));
  }

  get value(): Seat {
    const player = this.player.value;
    const seat: Seat = { player };
    if (this.hasBrain) seat.brain = this.brain.value;
    if (!this.hasStrength || this.kind === "full") return seat;
    if (this.kind === "elo") return { ...seat, elo: Number(this.slider.value) };
    const { min, max } = NUMBERS[this.kind];
    const number = Math.min(max, Math.max(min, Number(this.number.value) || NUMBERS[this.kind].value));
    return { ...seat, [this.kind]: Math.round(isTime(this.kind) ? number * 1000 : number) };
  }

  private get kind(): Strength {
    return this.strength.value as Strength;
  }

  private get hasBrain(): boolean {
    return ["alphabeta", "greedy"].includes(this.player.value);
  }

  private get hasStrength(): boolean {
    const player = this.player.value;
    return (
      !["greedy", "random"].includes(player) && !(player in this.hello.papers) && this.hello.predicting[player] !== null
    );
  }

  /** Who predicts moves looks at one position, so only a rating makes a difference, and each brain has its own range. */
  private bound(elo: number): void {
    const dial = this.hello.predicting[this.player.value];
    const [least, most] = dial ?? this.hello.elo;
    Object.assign(this.slider, { min: least, max: most, step: 50, value: Math.min(most, Math.max(least, elo)) });
    for (const option of this.strength.options) option.hidden = !!dial && !["full", "elo"].includes(option.value);
    if (this.strength.selectedOptions[0]?.hidden) this.strength.value = "full";
  }

  /** Show only what means something for the choices so far. */
  private refresh(fresh = false): void {
    this.rows.brain.hidden = !this.hasBrain;
    this.rows.strength.hidden = !this.hasStrength;
    this.rows.slider.hidden = !this.hasStrength || this.kind !== "elo";
    this.rows.number.hidden = !this.hasStrength || this.kind === "elo" || this.kind === "full";
    this.rating.textContent = this.slider.value;
    if (fresh && this.kind !== "elo" && this.kind !== "full") {
      const bounds = NUMBERS[this.kind];
      Object.assign(this.number, { min: bounds.min, max: bounds.max, step: bounds.step, value: bounds.value });
      const unit = { nodes: "Positions", movetime_ms: "Seconds", depth: "Plies" }[this.kind];
      this.rows.number.querySelector(".field-label")!.textContent = unit;
    }
  }
}

const isTime = (kind: Strength): boolean => kind === "movetime_ms";

function strengthOf(seat: Seat): Strength {
  const kinds = ["elo", "nodes", "movetime_ms", "depth"] as const;
  return kinds.find((kind) => seat[kind]) ?? "full";
}
