/** The side of a game: how it stands, its moves, and what one can do. */

import { type Child, h } from "../dom";
import { type Icon, icon } from "../icons";
import { type GameView, RESULTS } from "../records";
import { MoveEntry } from "./entry";
import { MoveList } from "./movelist";
import { Plot } from "./plot";
import { button as iconButton, steps } from "./steps";

/** What the sheet asks of its panel. */
export interface Doing {
  ply: () => number;
  look: (ply: number) => void;
  flip: () => void;
  move: (text: string) => Promise<unknown>;
  takeBack: () => void;
  hint: () => void;
  offerDraw: () => void;
  resign: () => void;
  pause: () => void;
  newGame: () => void;
  rematch: () => void;
  analyse: () => void;
  showValues: () => void;
  zen: () => void;
}

export class Sheet {
  readonly element: HTMLElement;
  private readonly status = h("p.status", { role: "status" });
  private readonly opening = h("p.opening-name");
  private readonly searchLine = h("p.search-line");
  private readonly moves: MoveList;
  private readonly graph: Plot;
  private readonly buttons: Record<
    "takeBack" | "hint" | "draw" | "resign" | "pause" | "rematch" | "analyse",
    HTMLButtonElement
  >;
  private readonly eye: HTMLButtonElement;
  private readonly entry: MoveEntry;

  constructor(doing: Doing, ...below: Child[]) {
    this.moves = new MoveList(doing.look);
    this.entry = new MoveEntry(doing.move);
    this.graph = new Plot({
      label: "White's expected score after each move",
      curves: [{ label: "White", color: "--accent", filled: true }],
      range: [0, 1],
      height: 64,
      onPick: doing.look,
    });
    this.buttons = {
      takeBack: button("Take back", "back", doing.takeBack),
      hint: button("Hint", "bulb", doing.hint),
      draw: button("Offer draw", "half", doing.offerDraw),
      resign: button("Resign", "flag", doing.resign),
      pause: button("Pause", "pause", doing.pause),
      rematch: button("Rematch", "again", doing.rematch),
      analyse: button("Analyse this game", "search", doing.analyse),
    };
    this.buttons.analyse.classList.add("wide");
    this.eye = iconButton("Show the evaluation during the game", "eye", doing.showValues);
    this.element = h(
      "aside.side",
      { "aria-label": "The game" },
      this.status,
      this.opening,
      this.graph.element,
      this.moves.element,
      steps(doing.ply, doing.look, doing.flip, this.eye, iconButton("Zen: nothing but the board", "zen", doing.zen)),
      this.entry.element,
      h("div.actions", {}, ...Object.values(this.buttons)),
      h("button.primary.wide", { onclick: doing.newGame }, "New game"),
      this.searchLine,
      ...below,
    );
  }

  show(game: GameView, ply: number): void {
    this.moves.show(game.moves, game.start_number, game.start_turn, ply);
    const points = [null, ...game.moves.map((move) => move.value?.white ?? null)];
    this.graph.show([...points.keys()], points);
    this.graph.mark(ply);
    this.status.textContent = standing(game);
    this.opening.textContent = this.opening.title = game.opening ?? "";
    this.status.classList.toggle("over", game.result !== "*");
    this.enable(game);
  }

  /** The lines of the player. */
  say(text: string): void {
    this.searchLine.textContent = text;
  }

  /** What is wrong with a move, beside the field. */
  complain(text = ""): void {
    this.entry.complain(text);
  }

  /** Are values shown during a game? */
  valuesShown(on: boolean): void {
    this.eye.setAttribute("aria-pressed", String(on));
  }

  focus(): void {
    this.entry.focus();
  }

  /** As if its button had been pressed, if it can be. */
  press(name: keyof Sheet["buttons"]): void {
    this.buttons[name].click();
  }

  private enable(game: GameView): void {
    const { takeBack, hint, draw, resign, pause, rematch, analyse } = this.buttons;
    const over = game.result !== "*";
    const alone = Object.values(game.seats).every((seat) => !seat.person);
    takeBack.disabled = game.moves.length === 0;
    hint.hidden = over;
    draw.hidden = resign.hidden = alone || over;
    rematch.hidden = analyse.hidden = !over;
    pause.hidden = over || (!alone && !game.paused);
    pause.lastChild!.textContent = game.paused ? "Go on" : "Pause";
  }
}

function standing(game: GameView): string {
  if (game.result !== "*") return `${game.result} · ${RESULTS[game.result]}: ${game.reason}`;
  if (game.paused) return "Paused";
  const turn = game.position.turn === "white" ? "White" : "Black";
  const who = game.person === game.position.turn ? "Your move" : `${turn} to move`;
  return game.position.check ? `${who}: check` : who;
}

function button(text: string, sign: Icon, onclick: () => void): HTMLButtonElement {
  return h("button.action", { onclick }, icon(sign), h("span", {}, text));
}
