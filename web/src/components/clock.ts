/** One side's clock, running in the page between two messages of the server. */

import { h } from "../dom";
import { sound } from "../sound";

const LOW_MS = 10_000;
const TICK_MS = 100;

export class ClockFace {
  readonly element = h("div.clock", { role: "timer", hidden: true });
  private left = 0;
  private since: number | null = null;
  private warned = false;

  constructor() {
    setInterval(() => this.since !== null && this.draw(), TICK_MS);
  }

  /** Nothing: a game without clocks. */
  show(left: number | null, running: boolean): void {
    this.element.hidden = left === null;
    this.left = left ?? 0;
    this.since = running ? performance.now() : null;
    this.element.classList.toggle("running", running);
    if (this.left > LOW_MS) this.warned = false;
    this.draw();
  }

  private draw(): void {
    const left = Math.max(0, this.left - (this.since === null ? 0 : performance.now() - this.since));
    const low = left < LOW_MS;
    this.element.textContent = written(left);
    this.element.classList.toggle("low", low);
    if (low && this.since !== null && !this.warned) {
      this.warned = true;
      sound("low-time");
    }
  }
}

function written(ms: number): string {
  const seconds = ms / 1000;
  const two = (number: number): string => String(Math.floor(number)).padStart(2, "0");
  if (ms < LOW_MS) return `0:0${seconds.toFixed(1)}`;
  const hours = Math.floor(seconds / 3600);
  return `${hours ? `${hours}:${two((seconds / 60) % 60)}` : Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}
