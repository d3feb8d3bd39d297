/** Orders reports and keeps the last one, also over a reload. */

import type { PanelContext } from "../panel";
import { recall, remember } from "../store";
import type { Tree } from "../tree";
import type { Report } from "./reportcard";

interface Told {
  number: number;
  report: Report;
}

export class Scribe {
  /** The number of the report that is being written, or 0. */
  private writing = 0;
  /** The game it is about. */
  private about = recall<string>("analyse.about") ?? "";
  private report = recall<Report>("analyse.report");

  constructor(
    private readonly context: PanelContext,
    private readonly onChange: () => void,
  ) {
    context.socket.on<Told>("analyse.report", (told) => this.told(told));
    context.socket.on<{ number: number }>("analyse.failed", ({ number }) => this.failed(number));
  }

  get isWriting(): boolean {
    return this.writing !== 0;
  }

  /** The report, if it is about the main line of this game as it is now; later moves do it no harm. */
  reportOn(tree: Tree): Report | null {
    return this.about !== "" && `${lineOf(tree)} `.startsWith(`${this.about} `) ? this.report : null;
  }

  /** Order a report on the main line. */
  async write(tree: Tree, engine: string, effort: string): Promise<void> {
    const number = (this.writing = Date.now());
    this.about = lineOf(tree);
    this.report = null;
    this.keep(true);
    const moves = tree.line().map((i) => tree.moves[i]!.uci);
    const order = { start: tree.game.start, moves, engine, effort, number };
    try {
      await this.context.socket.ask("analyse.report", order);
    } catch (error) {
      this.failed(number);
      this.context.complain(error);
    }
  }

  /** Go on with what a reload or a restart of the server has interrupted. */
  resume(tree: Tree, engine: string, effort: string): void {
    const interrupted = recall<boolean>("analyse.writing") && this.about === lineOf(tree);
    if (interrupted) void this.write(tree, engine, effort);
  }

  /** Stop, and keep what is there. */
  cancel(): void {
    this.context.socket.ask("analyse.cancel").catch(this.context.complain);
    this.failed(this.writing);
  }

  /** There is another game. */
  forget(): void {
    if (this.isWriting) this.cancel();
    this.about = "";
    this.report = null;
    this.keep(false);
  }

  private told({ number, report }: Told): void {
    if (number !== this.writing) return;
    this.report = report;
    if (report.phase) return this.onChange();
    this.writing = 0;
    this.keep(false);
    this.context.announce("The report is finished");
  }

  private failed(number: number): void {
    if (number !== this.writing) return;
    this.writing = 0;
    this.keep(false);
  }

  private keep(writing: boolean): void {
    remember("analyse.about", this.about);
    remember("analyse.report", this.report);
    remember("analyse.writing", writing);
    this.onChange();
  }
}

function lineOf(tree: Tree): string {
  return [tree.game.start, ...tree.line().map((i) => tree.moves[i]!.uci)].join(" ");
}
