/** A bar on which generations pass by: a slider, steps, and a button that lets them pass on their own. */

import { h } from "../dom";
import { type Icon, icon } from "../icons";

/** All generations of a run pass in about this time, within bounds of speed. */
const WHOLE_MS = 12_000;
const FASTEST_MS = 80;
const SLOWEST_MS = 600;

const PASS = "Play the generations";
const PAUSE = "Pause";

export class Generations {
  private numbers: readonly number[] = [];
  private place = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly slider = h("input", { type: "range", min: 0, "aria-label": "Generation" });
  private readonly text = h("output");
  private readonly play = h("button", { onclick: () => this.toggle() }, PASS);
  readonly element = h(
    "div.generations",
    { role: "group", "aria-label": "Generations" },
    button("To the first generation", "first", () => this.go(0)),
    button("One generation back", "previous", () => this.step(-1)),
    button("One generation on", "next", () => this.step(1)),
    button("To the last generation", "last", () => this.go(Infinity)),
    this.play,
    this.slider,
    this.text,
  );

  /** `onLook` is told the place of the generation that is looked at. */
  constructor(private readonly onLook: (place: number) => void) {
    this.slider.oninput = () => this.go(Number(this.slider.value));
  }

  /** The numbers of the generations, and the place of the one that is looked at. */
  show(numbers: readonly number[], place: number): void {
    this.numbers = numbers;
    this.place = place;
    this.slider.max = String(Math.max(0, numbers.length - 1));
    this.slider.value = String(place);
    this.slider.disabled = numbers.length < 2;
    const words = numbers.length ? `Generation ${numbers[place]} of ${numbers.at(-1)}` : "No generation yet";
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
    const pause = Math.min(SLOWEST_MS, Math.max(FASTEST_MS, WHOLE_MS / Math.max(1, this.numbers.length)));
    this.timer = setTimeout(() => {
      this.look(this.place + 1);
      if (this.place < this.numbers.length - 1) this.tick();
      else this.stop();
    }, pause);
  }

  private look(place: number): void {
    this.onLook(Math.max(0, Math.min(this.numbers.length - 1, place)));
  }

  private setPlaying(on: boolean): void {
    this.play.textContent = on ? PAUSE : PASS;
  }
}

const button = (label: string, sign: Icon, onclick: () => void): HTMLButtonElement =>
  h("button.icon", { onclick, "aria-label": label, title: label }, icon(sign));
