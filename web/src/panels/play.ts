/** Play: a person and a player, two people, or two players, at one board. */

import { Board } from "../board";
import { arrow } from "../components/arrows";
import { exports } from "../components/exports";
import { ask } from "../components/question";
import { askForGame, FIRST_REQUEST, setupOf, type GameRequest } from "../components/setup";
import { Sheet } from "../components/sheet";
import { stepByWheel } from "../components/steps";
import { Strip } from "../components/strip";
import { inWords, ValueBar } from "../components/valuebar";
import { h } from "../dom";
import { numbered, spoken } from "../notation";
import type { PanelContext, Mounted, Panel } from "../panel";
import { type GameView, other, RESULTS, seatOf, type Setup, type Side, type Tells, type Value } from "../records";
import { sound } from "../sound";
import { recall, remember } from "../store";

interface Requested {
  setup: { opponent: GameRequest["opponent"]; side: GameRequest["side"]; fen: string | null } | null;
}

const KEYS = [
  ["← →", "previous move, next move"],
  ["Home End", "to the start, to the end"],
  ["f", "flip the board"],
  ["u", "take back"],
  ["h", "hint"],
  ["n", "new game"],
  ["v", "show or hide the evaluation during a game"],
  ["z", "zen: nothing but the board"],
  ["/", "type a move"],
] as const;

export const play: Panel = { id: "play", title: "Play", mount: (root, context) => new Play(root, context) };

class Play implements Mounted {
  readonly keys = KEYS;
  private game: GameView | null = null;
  /** Moves played at the position that is looked at; null follows the game. */
  private viewed: number | null = null;
  private bottom: Side = "white";
  /** What a link asks for: a position to begin from, a brain to play against. */
  private linked: Partial<GameRequest> | null = null;
  private request: GameRequest = { ...FIRST_REQUEST, ...recall<GameRequest>("play.wish") };
  /** Should the evaluation be shown while a person plays? */
  private valuesWanted = recall<boolean>("play.evaluation") ?? false;

  private readonly board = new Board((move) => void this.ask("play.move", { move }));
  private readonly bar = new ValueBar();
  private readonly strips = { top: new Strip(), bottom: new Strip() };
  private readonly sheet: Sheet;

  constructor(
    private readonly root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    root.classList.add("play");
    this.sheet = new Sheet(
      {
        ply: () => this.ply,
        look: (ply) => this.look(ply),
        flip: () => this.flip(),
        move: (move) => this.ask("play.move", { move }),
        takeBack: () => void this.ask("play.take_back"),
        hint: () => void this.ask("play.hint"),
        offerDraw: () => void this.offerDraw(),
        resign: () => ask("Resign this game?", "Resign", () => void this.ask("play.resign")),
        pause: () => void this.ask("play.pause"),
        newGame: () => this.askForGame(),
        rematch: () => this.rematch(),
        analyse: () => void this.analyse(),
        showValues: () => this.showValues(!this.valuesWanted),
        zen: () => this.zen(),
      },
      exports(
        context,
        { panel: "play", fen: () => this.viewedFen(), pgn: () => this.pgn() },
        h("button.plain", { onclick: () => void this.analyse() }, "Analyse"),
      ),
    );
    root.append(this.stage(), this.sheet.element);
    stepByWheel(
      this.board.element,
      () => this.ply,
      (ply) => this.look(ply),
    );
    root.append(h("button.leave-zen", { onclick: () => this.zen() }, "Leave zen"));
    this.showValues(this.valuesWanted);
    context.socket.on("play.game", ({ game }) => this.update(game));
    context.socket.on("play.search", (news) => this.showSearch(news));
    context.socket.on("play.hint", (hint) => this.showHint(hint));
  }

  /** Moves played where one looks. */
  private get ply(): number {
    return this.viewed ?? this.game?.moves.length ?? 0;
  }

  // --- What the frame calls ---

  shown(query: URLSearchParams): void {
    const [fen, brain] = [query.get("fen"), query.get("brain")];
    if (fen === null && brain === null) return;
    this.linked = {
      ...(fen !== null && { start: "fen", fen }),
      ...(brain !== null && { mode: "play", opponent: this.opponent(brain) }),
    };
    history.replaceState(null, "", "#play");
    if (this.game) void this.begin();
  }

  hidden(): void {
    document.body.classList.remove("zen");
  }

  connected(): void {
    void this.begin();
  }

  key(event: KeyboardEvent): boolean {
    const { ply } = this;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.look(ply - 1),
      ArrowRight: () => this.look(ply + 1),
      Home: () => this.look(0),
      End: () => this.look(Infinity),
      f: () => this.flip(),
      u: () => this.sheet.press("takeBack"),
      h: () => this.sheet.press("hint"),
      n: () => this.askForGame(),
      v: () => this.showValues(!this.valuesWanted),
      z: () => this.zen(),
      "/": () => this.sheet.focus(),
    };
    actions[event.key]?.();
    return event.key in actions;
  }

  /** A brain under the search; one that predicts moves is a player itself. */
  private opponent(brain: string): GameRequest["opponent"] {
    const predicts = brain in this.context.hello.predicting;
    return predicts ? { player: brain } : { player: "alphabeta", brain, movetime_ms: 500 };
  }

  // --- Beginning ---

  /** What a link asks for, else what the command line asked for, else the game of before, else a new one. */
  private async begin(): Promise<void> {
    try {
      if (this.linked !== null) {
        const request: GameRequest = { ...this.request, ...this.linked };
        this.linked = null;
        await this.newGame(request);
        return;
      }
      const { started } = this.context.hello;
      const isNews = recall<string>("play.started") !== started;
      remember("play.started", started);
      const requested = isNews ? (await this.context.socket.ask<Requested>("play.requested")).setup : null;
      if (requested) await this.newGame(requestOf(requested, this.request));
      else await this.resume();
    } catch (error) {
      this.context.complain(error);
      if (!this.game) await this.newGame(FIRST_REQUEST).catch(this.context.complain);
    }
  }

  private async resume(): Promise<void> {
    const record = recall<object>("play.record");
    if (record) await this.context.socket.ask("play.resume", record);
    else await this.newGame(this.usual);
  }

  private async newGame(request: GameRequest): Promise<void> {
    await this.context.socket.ask("play.new", setupOf(request));
  }

  /** What was chosen last time; the first time, the second opponent. */
  private get usual(): GameRequest {
    const first = this.context.hello.opponents[1];
    const isNew = recall<GameRequest>("play.wish") === null && first !== undefined;
    return isNew ? { ...this.request, opponent: seatOf(first) } : this.request;
  }

  private askForGame(): void {
    askForGame(this.context.hello, this.usual, (request) => {
      this.request = request;
      remember("play.wish", request);
      this.newGame(request).then(
        () => this.context.note("A new game"),
        (error) => this.context.complain(error),
      );
    });
  }

  /** The same game again, with sides changed. */
  private rematch(): void {
    const { white, black, fen, clock } = this.game!.record;
    const setup: Setup = { white: black, black: white, fen, clock };
    this.context.socket.ask("play.new", setup).catch(this.context.complain);
  }

  // --- News ---

  private update(game: GameView): void {
    const before = this.game;
    const isNew = before?.game_id !== game.game_id;
    this.game = game;
    this.root.dataset.game = game.game_id;
    remember("play.record", game.record);
    if (isNew) this.bottom = game.person ?? "white";
    if (isNew || game.moves.length !== before.moves.length) {
      this.viewed = null;
      this.sheet.complain();
    }
    if (!isNew) this.hearAndSee(before, game);
    this.draw();
    if (game.position.turn === game.person) this.board.playPremove();
  }

  /** Sounds and words for what happened since. */
  private hearAndSee(before: GameView, game: GameView): void {
    const last = game.moves.at(-1);
    if (last && game.moves.length > before.moves.length) {
      sound(last.check ? "check" : last.san.includes("x") ? "capture" : "move");
      const mover = other(game.position.turn);
      this.context.announce(`${mover === "white" ? "White" : "Black"}: ${spoken(last.san)}`);
    }
    if (game.result !== "*" && before.result === "*") {
      sound("end");
      document.body.classList.remove("zen");
      this.context.announce(`${RESULTS[game.result]}: ${game.reason}`);
    }
  }

  private showSearch({ side, lines, depth, nps }: Tells["play.search"]): void {
    const line = lines[0];
    if (!line || !this.game) return;
    this.strip(side).thinking(true);
    if (!this.valuesShown) return;
    this.sheet.say(`depth ${depth} · ${line.value.text} · ${numbered(line.moves, 6)} · ${thousands(nps)} positions/s`);
  }

  private showHint({ brain, fen, line }: Tells["play.hint"]): void {
    const move = line?.moves[0];
    if (!move || fen !== this.game?.position.fen) return;
    this.board.arrows([arrow(move.uci, "best")]);
    const value = this.valuesShown ? ` (${line.value.text} for White)` : "";
    this.sheet.say(`${brain} would play ${numbered(line.moves, 5)}${value}`);
    this.context.announce(`${brain} would play ${spoken(move.san)}`);
  }

  // --- Doing ---

  /** Ask the server. Was it done? If not, the person is told why, and the piece goes back. */
  private async ask(action: string, data: object = {}): Promise<boolean> {
    try {
      await this.context.socket.ask(action, data);
      return true;
    } catch (error) {
      if (action === "play.move") this.sheet.complain(error instanceof Error ? error.message : String(error));
      else this.context.complain(error);
      this.board.putBack();
      return false;
    }
  }

  private async offerDraw(): Promise<void> {
    try {
      const { taken } = await this.context.socket.ask<{ taken: boolean }>("play.draw");
      if (!taken) this.context.note("Your opponent declined the draw");
    } catch (error) {
      this.context.complain(error);
    }
  }

  private look(ply: number): void {
    const last = this.game?.moves.length ?? 0;
    const at = Math.max(0, Math.min(last, ply));
    this.viewed = at === last ? null : at;
    this.draw();
  }

  private flip(): void {
    this.bottom = other(this.bottom);
    this.draw();
  }

  /** Values are for the time after the game, unless they are wanted, or nobody plays. */
  private get valuesShown(): boolean {
    const game = this.game;
    return this.valuesWanted || (game !== null && (game.result !== "*" || isWatched(game)));
  }

  private showValues(on: boolean): void {
    this.valuesWanted = on;
    remember("play.evaluation", on);
    this.sheet.valuesShown(on);
    this.root.classList.toggle("no-values", !this.valuesShown);
    this.draw();
  }

  /** Nothing but the board, or everything again. */
  private zen(): void {
    document.body.classList.toggle("zen");
  }

  /** The same game in the other panel. */
  private async analyse(): Promise<void> {
    const show = (pgn: string): void => void (location.hash = `#analyse?${new URLSearchParams({ pgn })}`);
    await this.pgn().then(show, this.context.complain);
  }

  private async pgn(): Promise<string> {
    return (await this.context.socket.ask<{ pgn: string }>("play.pgn")).pgn;
  }

  private viewedFen(): string {
    const game = this.game!;
    const { ply } = this;
    return ply === 0 ? game.start : game.moves[ply - 1]!.fen;
  }

  // --- Drawing ---

  private stage(): HTMLElement {
    const row = h("div.board-row", {}, this.bar.element, this.board.element);
    return h("div.stage", {}, this.strips.top.element, row, this.strips.bottom.element);
  }

  private strip(side: Side): Strip {
    return side === this.bottom ? this.strips.bottom : this.strips.top;
  }

  private draw(): void {
    const game = this.game;
    if (!game) return;
    const live = this.viewed === null;
    const { ply } = this;
    const last = game.moves[ply - 1];
    const fen = this.viewedFen();
    const people = Object.values(game.seats).every((seat) => seat.person);
    const over = game.result !== "*";
    this.root.classList.toggle("no-values", !this.valuesShown);
    this.board.orientation = this.bottom;
    this.board.arrows([]);
    this.board.show({
      fen,
      turn: fen.split(" ")[1] === "w" ? "white" : "black",
      check: last ? last.check : live && game.position.check,
      lastMove: last?.squares ?? [],
      movable: !live || over ? null : people ? "both" : game.person,
      destinations: live ? game.position.destinations : {},
      promotions: game.position.promotions,
    });
    this.sheet.show(game, ply);
    this.drawStrips(game, fen);
    this.drawValue(game, ply);
  }

  private drawStrips(game: GameView, fen: string): void {
    for (const side of ["white", "black"] as const) {
      const toMove = game.result === "*" && game.position.turn === side;
      this.strip(side).show(side, game.seats[side].title, fen, toMove);
      this.strip(side).thinking(toMove && !game.seats[side].person && !game.paused);
      this.strip(side).clock.show(game.clock?.[side] ?? null, game.clock?.running === side);
    }
  }

  private drawValue(game: GameView, ply: number): void {
    let at = Math.min(ply, game.moves.length) - 1;
    while (at >= 0 && !game.moves[at]!.value) at--;
    const value: Value | null = game.moves[at]?.value ?? null;
    const mover: Side = at % 2 === 0 ? game.start_turn : other(game.start_turn);
    this.bar.turn(this.bottom);
    this.bar.show(value, game.seats[mover].title);
    this.sheet.say(value && this.valuesShown ? `${game.seats[mover].title}: ${inWords(value)}` : "");
  }
}

function requestOf(requested: NonNullable<Requested["setup"]>, request: GameRequest): GameRequest {
  const { opponent, side, fen } = requested;
  return { ...request, mode: "play", opponent, side, start: fen ? "fen" : "standard", fen: fen ?? "", clock: "none" };
}

/** Does nobody at this page play? */
function isWatched(game: GameView): boolean {
  return !game.seats.white.person && !game.seats.black.person;
}

function thousands(number: number): string {
  return number >= 1e6 ? `${(number / 1e6).toFixed(1)} M` : `${Math.round(number / 1000)} k`;
}
