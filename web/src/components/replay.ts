/** A game that is over, to be stepped through. */

import { Board } from "../board";
import { download, fill, h } from "../dom";
import { other, type Played, type Side } from "../records";
import { MoveList } from "./movelist";
import { stepByWheel, steps, walk } from "./steps";

export interface Replayed extends Played {
  number: number;
  white: string;
  black: string;
  result: string;
  ending: string;
  pgn: string;
}

export class Replay {
  private game: Replayed | null = null;
  private ply = 0;
  private readonly board = new Board(() => {});
  private readonly names: Record<Side, HTMLElement> = { white: h("p.live-name"), black: h("p.live-name") };
  private readonly moves = new MoveList((ply) => this.look(ply));
  private readonly words = h("p", { role: "status" });
  private readonly analyse = h("a", {}, "Analyse this game");
  private readonly save = h("button", { onclick: () => this.download() }, "Download this game");
  private readonly stage = h("div.replay-stage");
  readonly element: HTMLElement;

  constructor() {
    const at = (): number => this.ply;
    const go = (ply: number): void => this.look(ply);
    stepByWheel(this.board.element, at, go);
    const keys: Record<string, () => number> = {
      ArrowLeft: () => this.ply - 1,
      ArrowRight: () => this.ply + 1,
      Home: () => 0,
      End: () => Infinity,
    };
    this.element = h(
      "section.replay",
      { hidden: true, "aria-label": "A game" },
      this.stage,
      h(
        "div.replay-side",
        {},
        this.words,
        this.moves.element,
        steps(at, go, () => this.flip()),
        h("div.replay-links", {}, this.analyse, this.save),
      ),
    );
    this.element.onkeydown = (event) => walk(event, keys, go);
    this.place();
  }

  show(game: Replayed | null): void {
    this.element.hidden = !game;
    this.game = game;
    if (!game) return;
    for (const side of ["white", "black"] as const)
      fill(this.names[side], h(`span.disc.${side}`, { "aria-hidden": "true" }), game[side]);
    this.words.textContent = `Game ${game.number + 1}: ${game.white} – ${game.black} ${game.result}, ${game.ending}`;
    this.analyse.href = `#analyse?${new URLSearchParams({ pgn: game.pgn })}`;
    this.look(0);
  }

  look(ply: number): void {
    const { game } = this;
    if (!game) return;
    this.ply = Math.max(0, Math.min(game.moves.length, ply));
    const last = game.moves[this.ply - 1];
    const fen = last?.fen ?? game.start;
    this.board.show({
      fen,
      turn: fen.split(" ")[1] === "w" ? "white" : "black",
      check: last?.check ?? false,
      lastMove: last?.squares ?? [],
      movable: null,
      destinations: {},
      promotions: [],
    });
    this.moves.show(game.moves, game.start_number, game.start_turn, this.ply);
  }

  private download(): void {
    if (this.game) download(`game-${this.game.number + 1}.pgn`, this.game.pgn);
  }

  private flip(): void {
    this.board.orientation = other(this.board.orientation);
    this.place();
  }

  private place(): void {
    const bottom = this.board.orientation;
    fill(this.stage, this.names[other(bottom)], this.board.element, this.names[bottom]);
  }
}
