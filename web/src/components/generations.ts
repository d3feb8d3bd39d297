/** A bar on which generations or ages pass by: a slider, steps, and a button that lets them pass on their own. */

import { h } from "../dom";
import { type Icon, icon } from "../icons";

/** All of them pass in about this time, within bounds of speed; one by one for people who want little motion. */
const WHOLE_MS = 12_000;
const FASTEST_MS = 80;
const SLOWEST_MS = 600;
const CALM_MS = 2000;

const PAUSE = "Pause";

export class Generations {
  private numbers: readonly number[] = [];
  private place = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly pass: string;
  private readonly slider = h("input", { type: "range", min: 0 });
  private readonly text = h("output");
  private readonly play = h("button", { onclick: () => this.toggle() });
  readonly element: HTMLElement;

  /** `onLook` is told the place of the one that is looked at. */
  constructor(
    private readonly onLook: (place: number) => void,
    private readonly noun: "generation" | "age" = "generation",
  ) {
    this.pass = `Play the ${noun}s`;
    this.slider.setAttribute("aria-label", capital(noun));
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.element = h(
      "div.generations",
      { role: "group", "aria-label": `${capital(noun)}s` },
      button(`To the first ${noun}`, "first", () => this.go(0)),
      button(`One ${noun} back`, "previous", () => this.step(-1)),
      button(`One ${noun} on`, "next", () => this.step(1)),
      button(`To the last ${noun}`, "last", () => this.go(Infinity)),
      this.play,
      this.slider,
      this.text,
    );
    this.setPlaying(false);
  }

  /** The numbers, the place of the one that is looked at, and what a number counts. */
  show(numbers: readonly number[], place: number, unit = capital(this.noun)): void {
    this.numbers = numbers;
    this.place = place;
    this.slider.max = String(Math.max(0, numbers.length - 1));
    this.slider.value = String(place);
    this.slider.disabled = numbers.length < 2;
    const words = numbers.length ? `${unit} ${numbers[place]} of ${numbers.at(-1)}` : `No ${this.noun} yet`;
    this.text.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
  }

  /** Forward or back, and no longer on its own. */
  step(by: number): void {
    this.go(this.place + by);
  }

  go(place: number): void {
    this.stop();
    this.look(place);
  }

  /** The key's action; false if it has none. */
  key(key: string): boolean {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      p: () => this.toggle(),
    };
    actions[key]?.();
    return key in actions;
  }

  toggle(): void {
    if (this.timer !== null) return this.stop();
    if (this.place >= this.numbers.length - 1) this.look(0);
    this.setPlaying(true);
    this.tick();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.setPlaying(false);
  }

  private tick(): void {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const even = Math.min(SLOWEST_MS, Math.max(FASTEST_MS, WHOLE_MS / Math.max(1, this.numbers.length)));
    this.timer = setTimeout(
      () => {
        this.look(this.place + 1);
        if (this.place < this.numbers.length - 1) this.tick();
        else this.stop();
      },
      calm ? CALM_MS : even,
    );
  }

  private look(place: number): void {
    this.onLook(Math.max(0, Math.min(this.numbers.length - 1, place)));
  }

  /** While it plays, a screen reader would be told more than it can say. */
  private setPlaying(on: boolean): void {
    this.play.textContent = on ? PAUSE : this.pass;
    this.text.setAttribute("aria-live", on ? "off" : "polite");
  }
}

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

const button = (label: string, sign: Icon, onclick: () => void): HTMLButtonElement =>
  h("button.icon", { onclick, "aria-label": label, title: label }, icon(sign));
