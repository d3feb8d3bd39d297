/** What to train, from what, and for how long: the form that starts a training on this machine. */

import { field, h, named, offer, select } from "../dom";
import type { PanelContext } from "../panel";
import { brainOptions } from "./brainline";

export interface Offer {
  /** May this page start trainings? */
  allowed: boolean;
  /** Where runs are. */
  folder: string;
  /** `measured`: what a brain of that recipe reached from nothing; empty where it is not known. */
  recipes: { name: string; title: string; measured: string; data: string[]; brain: boolean }[];
  data: { name: string; kind: "games" | "labels"; bytes: number }[];
  positions: { title: string; fen: string }[];
  first: string;
}

const NONE = "";
const UPLOADED = 48 * 1024;
/** Bytes of one message, before base64; a page may send fifty messages a second. */
const GAP_MS = 25;

export class TrainForm {
  private offer: Offer | null = null;
  private taken: ReadonlySet<string> = new Set();
  private named = false;
  private readonly data = h("select", { onchange: () => this.fit() });
  private readonly recipe = h("select", { onchange: () => this.draw() });
  private readonly brain: HTMLSelectElement;
  private readonly brainField: HTMLElement;
  private readonly minutes = h("input", { type: "number", min: 0.1, max: 10080, step: "any", value: "10" });
  private readonly name = h("input", { type: "text", spellcheck: false, maxLength: 100 });
  private readonly size = select([
    ["", "as the minutes allow"],
    ["tiny", "tiny, to try it"],
    ["quick", "quick"],
    ["full", "full, as in the paper"],
  ]);
  private readonly beside = h("input", { type: "checkbox" });
  private readonly besideField = h("label.check", { hidden: true }, this.beside, "beside the one that runs");
  private readonly title = h("p.quiet");
  private readonly ends = h("p");
  private readonly plan = h("p.train-plan", { role: "status" });
  private readonly command = h("code");
  private readonly file = h("input", {
    type: "file",
    hidden: true,
    accept: ".pgn,.okapi,.samples,.binpack,.plain,.gz,.zst",
  });
  private readonly uploading = h("button", { onclick: () => this.file.click() }, "Upload games or labels …");
  private readonly start = h("button.primary", { type: "submit" }, "Start training");
  private readonly estimating = h(
    "button",
    {
      type: "button",
      title: "Measure how fast this machine is, and see what it would do in that time",
      onclick: () => void this.estimate(),
    },
    "Estimate",
  );
  private readonly form: HTMLFormElement;
  private readonly refused = h("p.empty", { hidden: true }, "A board that is shared starts no trainings.");
  readonly element: HTMLElement;

  constructor(
    private readonly context: PanelContext,
    private readonly onStart: (run: string) => void,
  ) {
    this.brain = select(brainOptions(context.hello, context.hello.brains));
    this.brainField = field("Starts from", this.brain);
    this.file.onchange = () => void this.upload();
    this.minutes.oninput = () => this.draw();
    this.size.onchange = () => this.draw();
    this.name.oninput = () => {
      this.named = this.name.value !== "";
      this.draw();
    };
    this.form = h(
      "form.train-form",
      { onsubmit: (event: Event) => void this.submit(event) },
      field("Data", this.data),
      field("Recipe", this.recipe),
      this.brainField,
      field("Minutes", this.minutes),
      field("Name", this.name),
      field("Size", this.size),
      h("div.train-actions", {}, this.start, this.estimating, this.uploading, this.file, this.besideField),
      h(
        "div.train-says",
        {},
        this.title,
        this.ends,
        this.plan,
        h("p.quiet", {}, "The same in a terminal: ", this.command),
      ),
    );
    context.socket.on<{ recipe: string; minutes: number; plan: string }>("train.estimated", ({ plan }) => {
      if (plan && this.estimating.disabled) this.showPlan(`Plan: ${plan}.`);
    });
    context.socket.on<{ of: string }>("train.failed", ({ of }) => of === "estimated" && this.showPlan(""));
    this.element = h(
      "section.train-start",
      { "aria-label": "Train a brain" },
      h("h2", {}, "Train a brain"),
      this.refused,
      this.form,
    );
  }

  /** Brains were added or removed. */
  offered(): void {
    offer(this.brain, brainOptions(this.context.hello, this.context.hello.brains));
  }

  /** What the server offers. */
  show(told: Offer, chosen = this.data.value): void {
    const isFirst = this.offer === null;
    this.offer = told;
    this.form.hidden = !told.allowed;
    this.refused.hidden = told.allowed;
    const files = told.data.map(({ name, kind, bytes }) => [name, `${name} (${kind}, ${size(bytes)})`] as const);
    offer(this.data, [[NONE, "None: it makes its own"], ...files], chosen);
    this.fit(isFirst ? told.first : this.recipe.value);
  }

  /** Names that are taken, and whether a training runs. */
  know(names: readonly string[], running: boolean): void {
    this.taken = new Set(names);
    this.besideField.hidden = !running;
    this.draw();
  }

  /** Recipes that fit the data. */
  private fit(chosen = this.recipe.value): void {
    const kind = this.offer?.data.find(({ name }) => name === this.data.value)?.kind ?? "none";
    const fitting = this.offer?.recipes.filter(({ data }) => data.includes(kind)) ?? [];
    offer(this.recipe, named(fitting.map(({ name }) => name)), chosen);
    this.draw();
  }

  private draw(): void {
    const recipe = this.offer?.recipes.find(({ name }) => name === this.recipe.value);
    if (!recipe) return;
    if (!this.named) this.name.value = free(recipe.name, this.taken);
    this.brainField.hidden = !recipe.brain;
    this.title.textContent = recipe.title;
    const minutes = Number(this.minutes.value);
    const ends = new Date(Date.now() + 60_000 * minutes);
    const time = ends.toLocaleTimeString("en", { hour: "numeric", minute: "2-digit" });
    const about = `About ${minutes} min, with matches that measure it: ready at ${time} if nothing else runs.`;
    const measured =
      recipe.measured && this.data.value === NONE && !this.size.value ? ` Known: ${recipe.measured}.` : "";
    this.ends.textContent = minutes > 0 ? about + measured : "";
    const data = this.offer?.data.find(({ name }) => name === this.data.value);
    const parts = [
      `okapi train ${recipe.name} --minutes ${minutes}`,
      data && `--${data.kind} ${data.name}`,
      recipe.brain && `--brain ${this.brain.value}`,
      this.size.value && `--size ${this.size.value}`,
      `--out ${this.name.value}`,
    ];
    const command = parts.filter(Boolean).join(" ");
    if (command !== this.command.textContent) this.showPlan("");
    this.command.textContent = command;
  }

  private request(): Record<string, unknown> {
    const recipe = this.offer?.recipes.find(({ name }) => name === this.recipe.value);
    return {
      recipe: this.recipe.value,
      name: this.name.value,
      minutes: Number(this.minutes.value),
      data: this.data.value || null,
      brain: recipe?.brain ? this.brain.value : null,
      size: this.size.value || null,
      beside: this.beside.checked && !this.besideField.hidden,
    };
  }

  private async estimate(): Promise<void> {
    this.showPlan("Measuring the speed of this machine …");
    this.estimating.disabled = true;
    try {
      await this.context.socket.ask("train.estimate", this.request());
    } catch (error) {
      this.showPlan("");
      this.context.complain(error);
    }
  }

  private showPlan(text: string): void {
    this.plan.textContent = text;
    this.estimating.disabled = false;
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    try {
      const { run } = await this.context.socket.ask<{ run: string }>("train.start", this.request());
      this.named = false;
      this.onStart(run);
    } catch (error) {
      this.context.complain(error);
    }
  }

  /** In pieces, in order, no faster than the server takes messages. */
  private async upload(): Promise<void> {
    const file = this.file.files?.[0];
    if (!file) return;
    this.uploading.disabled = true;
    try {
      for (let at = 0; at === 0 || at < file.size; at += UPLOADED) {
        const data = await base64(file.slice(at, at + UPLOADED));
        const last = at + UPLOADED >= file.size;
        await this.context.socket.ask("train.upload", { name: file.name, at, data, last });
        this.uploading.textContent = `${Math.round((100 * Math.min(file.size, at + UPLOADED)) / file.size)} % uploaded`;
        await new Promise((done) => setTimeout(done, GAP_MS));
      }
      this.show(await this.context.socket.ask<Offer>("train.offer"), file.name);
    } catch (error) {
      this.context.complain(error);
    }
    this.file.value = "";
    this.uploading.disabled = false;
    this.uploading.textContent = "Upload games or labels …";
  }
}

function base64(part: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(part);
  });
}

/** The name, or with a number if it is taken. */
function free(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? `my-${name}` : `my-${name}-${number}`;
    if (!taken.has(tried)) return tried;
  }
}

const size = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
