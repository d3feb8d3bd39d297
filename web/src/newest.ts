/** Questions that change while they are asked: one is in flight, and of those that come meanwhile only the newest. */

import type { PanelContext } from "./panel";

/** Between two questions: a slider that is dragged asks often enough to seem live. */
const GAP_MS = 40;

export class Newest<Q extends object, A> {
  private number = 0;
  private flying = false;
  private next: Q | null = null;

  /** `onAnswer` gets the answer at once. It returns whether news will follow, for which `landed` is called. */
  constructor(
    private readonly context: PanelContext,
    private readonly action: string,
    private readonly onAnswer: (answer: A, question: Q) => boolean = () => true,
  ) {}

  ask(question: Q): void {
    this.next = question;
    if (!this.flying) this.send();
  }

  /** News have come of the question with this number, good or bad. Is it the one in flight? */
  landed(number: number): boolean {
    if (number !== this.number) return false;
    window.setTimeout(() => {
      if (number !== this.number) return;
      this.flying = false;
      if (this.next) this.send();
    }, GAP_MS);
    return true;
  }

  /** The connection is another one: nothing will be heard of what was asked before. */
  forget(): void {
    this.number++;
    this.flying = false;
    this.next = null;
  }

  private send(): void {
    const question = this.next!;
    const number = ++this.number;
    this.next = null;
    this.flying = true;
    this.context.socket.ask<A>(this.action, { ...question, number }).then(
      (answer) => number === this.number && !this.onAnswer(answer, question) && this.landed(number),
      (error: unknown) => this.landed(number) && this.context.complain(error),
    );
  }
}
