/** Play: a person and a player, two people, or two players, at one board. */

import { Board } from "../board";
import { arrow } from "../components/arrows";
import { MoveList } from "../components/movelist";
import { Plot } from "../components/plot";
import { askForGame, FIRST_WISH, setupOf, type Wish } from "../components/setup";
import { Strip } from "../components/strip";
import { inWords, ValueBar } from "../components/valuebar";
import { download, h } from "../dom";
import { spoken } from "../notation";
import { type Icon, icon } from "../icons";
import type { Desk, Mounted, Panel } from "../panel";
import { type GameView, other, type Side, type Tells, type Value } from "../records";
import { sound } from "../sound";
import { recall, remember } from "../store";

interface Invitation {
  setup: { opponent: Wish["opponent"]; side: Wish["side"]; fen: string | null } | null;
}

const KEYS = [
  ["← →", "one move back, one move on"],
  ["Home End", "to the start, to the end"],
  ["f", "turn the board round"],
  ["u", "take back"],
  ["h", "hint"],
  ["n", "new game"],
  ["/", "type a move"],
] as const;

const RESULTS = { "1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Draw", "*": "" } as const;

export const play: Panel = { id: "play", title: "Play", mount: (root, desk) => new Play(root, desk) };

class Play implements Mounted {
  readonly keys = KEYS;
  private game: GameView | null = null;
  /** Moves played at the position that is looked at; null follows the game. */
  private viewed: number | null = null;
  private bottom: Side = "white";
  private linked: string | null = null;
  private wish: Wish = { ...FIRST_WISH, ...recall<Wish>("play.wish") };

  private readonly board = new Board((move) => this.ask("play.move", { move }));
  private readonly bar = new ValueBar();
  private readonly moves = new MoveList((ply) => this.look(ply));
  private readonly strips = { top: new Strip(), bottom: new Strip() };
  private readonly graph = new Plot({
    label: "White's expected score after each move",
    curves: [{ label: "White", color: "--accent", filled: true }],
    range: [0, 1],
    height: 64,
    onPick: (index) => this.look(index),
  });
  private readonly status = h("p.status", { role: "status" });
  private readonly thoughts = h("p.thoughts");
  private readonly entry = h("input.entry", {
    type: "text",
    placeholder: "Move: e4, Nf3, O-O …",
    "aria-label": "Type a move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    enterKeyHint: "send",
  });
  private readonly buttons = {
    takeBack: button("Take back", "back", () => this.ask("play.take_back")),
    hint: button("Hint", "bulb", () => this.ask("play.hint")),
    draw: button("Offer draw", "half", () => void this.offerDraw()),
    resign: button("Resign", "flag", () => this.ask("play.resign")),
    pause: button("Pause", "pause", () => this.ask("play.pause")),
  };

  constructor(
    root: HTMLElement,
    private readonly desk: Desk,
  ) {
    root.classList.add("play");
    root.append(this.stage(), this.side());
    desk.socket.on("play.game", ({ game }) => this.update(game));
    desk.socket.on("play.thoughts", (news) => this.showThoughts(news));
    desk.socket.on("play.hint", (hint) => this.showHint(hint));
  }

  // --- What the frame calls ---

  shown(query: URLSearchParams): void {
    const fen = query.get("fen");
    if (fen === null) return;
    this.linked = fen;
    history.replaceState(null, "", "#play");
    if (this.game) void this.begin();
  }

  connected(): void {
    void this.begin();
  }

  key(event: KeyboardEvent): boolean {
    const ply = this.viewed ?? this.game?.moves.length ?? 0;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.look(ply - 1),
      ArrowRight: () => this.look(ply + 1),
      Home: () => this.look(0),
      End: () => this.look(Infinity),
      f: () => this.flip(),
      u: () => this.buttons.takeBack.click(),
      h: () => this.buttons.hint.click(),
      n: () => this.askForGame(),
      "/": () => this.entry.focus(),
    };
    actions[event.key]?.();
    return event.key in actions;
  }

  // --- Beginning ---

  /** A position from a link, else what the command line asked for, else the game of before, else a new one. */
  private async begin(): Promise<void> {
    try {
      if (this.linked !== null) {
        const fen = this.linked;
        this.linked = null;
        await this.newGame({ ...this.wish, start: "fen", fen });
        return;
      }
      const { started } = this.desk.hello;
      const isNews = recall<string>("play.started") !== started;
      remember("play.started", started);
      const invitation = isNews ? (await this.desk.socket.ask<Invitation>("play.invitation")).setup : null;
      if (invitation) await this.newGame(wishOf(invitation, this.wish));
      else await this.resume();
    } catch (error) {
      this.desk.complain(error);
      if (!this.game) await this.newGame(FIRST_WISH).catch(this.desk.complain);
    }
  }

  private async resume(): Promise<void> {
    const record = recall<object>("play.record");
    if (record) await this.desk.socket.ask("play.resume", record);
    else await this.newGame(this.wish);
  }

  private async newGame(wish: Wish): Promise<void> {
    await this.desk.socket.ask("play.new", setupOf(wish));
  }

  private askForGame(): void {
    askForGame(this.desk.hello, this.wish, (wish) => {
      this.wish = wish;
      remember("play.wish", wish);
      this.newGame(wish).then(
        () => this.desk.note("A new game"),
        (error) => this.desk.complain(error),
      );
    });
  }

  // --- News ---

  private update(game: GameView): void {
    const before = this.game;
    const isNew = !before || before.start !== game.start || !sameSeats(before, game) || startsOver(before, game);
    this.game = game;
    remember("play.record", game.record);
    if (isNew) this.bottom = game.person ?? "white";
    if (isNew || !before || game.moves.length !== before.moves.length) this.viewed = null;
    if (before && !isNew) this.hearAndSee(before, game);
    this.draw();
    if (game.position.turn === game.person) this.board.playPremove();
  }

  /** Sounds and words for what happened since. */
  private hearAndSee(before: GameView, game: GameView): void {
    const last = game.moves.at(-1);
    if (last && game.moves.length > before.moves.length) {
      sound(last.check ? "check" : last.san.includes("x") ? "capture" : "move");
      const mover = other(game.position.turn);
      this.desk.announce(`${mover === "white" ? "White" : "Black"}: ${spoken(last.san)}`);
    }
    if (game.result !== "*" && before.result === "*") {
      sound("end");
      this.desk.announce(`${RESULTS[game.result]}: ${game.reason}`);
    }
  }

  private showThoughts({ side, lines, depth, nps }: Tells["play.thoughts"]): void {
    const line = lines[0];
    if (!line || !this.game) return;
    const words = line.moves.slice(0, 6).map((move) => move.san);
    this.thoughts.textContent = `depth ${depth} · ${line.value.text} · ${words.join(" ")} · ${thousands(nps)} positions/s`;
    this.strip(side).thinking(true);
  }

  private showHint({ brain, fen, line }: Tells["play.hint"]): void {
    const move = line?.moves[0];
    if (!move || fen !== this.game?.position.fen) return;
    this.board.arrows([arrow(move.uci, "best")]);
    const words = line.moves.slice(0, 5).map(({ san }) => san);
    this.thoughts.textContent = `${brain} would play ${words.join(" ")} (${line.value.text} for White)`;
    this.desk.announce(`${brain} would play ${spoken(move.san)}`);
  }

  // --- Doing ---

  private ask(action: string, data: object = {}): void {
    this.desk.socket.ask(action, data).catch((error: unknown) => {
      this.desk.complain(error);
      this.draw();
    });
  }

  private async offerDraw(): Promise<void> {
    try {
      const { taken } = await this.desk.socket.ask<{ taken: boolean }>("play.draw");
      if (!taken) this.desk.note("Your opponent declines the draw");
    } catch (error) {
      this.desk.complain(error);
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

  private enterMove(event: Event): void {
    event.preventDefault();
    const move = this.entry.value.trim();
    if (!move) return;
    this.desk.socket.ask("play.move", { move }).then(
      () => (this.entry.value = ""),
      (error: unknown) => this.desk.complain(error),
    );
  }

  private async copy(what: "FEN" | "PGN" | "link"): Promise<void> {
    try {
      const fen = this.viewedFen();
      const link = new URL(`#play?${new URLSearchParams({ fen })}`, location.href).href;
      const text = what === "FEN" ? fen : what === "link" ? link : await this.pgn();
      await navigator.clipboard.writeText(text);
      this.desk.note(`${what === "link" ? "Link" : what} copied`);
    } catch (error) {
      this.desk.complain(error);
    }
  }

  private async pgn(): Promise<string> {
    return (await this.desk.socket.ask<{ pgn: string }>("play.pgn")).pgn;
  }

  private viewedFen(): string {
    const game = this.game!;
    const ply = this.viewed ?? game.moves.length;
    return ply === 0 ? game.start : game.moves[ply - 1]!.fen;
  }

  // --- Drawing ---

  private stage(): HTMLElement {
    const row = h("div.board-row", {}, this.bar.element, this.board.element);
    return h("div.stage", {}, this.strips.top.element, row, this.strips.bottom.element);
  }

  private side(): HTMLElement {
    const step = (label: string, sign: Icon, to: () => number): HTMLElement =>
      h("button.icon", { onclick: () => this.look(to()), "aria-label": label, title: label }, icon(sign));
    const at = (): number => this.viewed ?? this.game?.moves.length ?? 0;
    const { takeBack, hint, draw, resign, pause } = this.buttons;
    return h(
      "aside.side",
      { "aria-label": "The game" },
      this.status,
      this.graph.element,
      this.moves.element,
      h(
        "div.steps",
        {},
        step("To the start", "first", () => 0),
        step("One move back", "previous", () => at() - 1),
        step("One move on", "next", () => at() + 1),
        step("To the end", "last", () => Infinity),
        h(
          "button.icon",
          { onclick: () => this.flip(), "aria-label": "Turn the board", title: "Turn the board (f)" },
          icon("flip"),
        ),
      ),
      h("form.entry-form", { onsubmit: (event: Event) => this.enterMove(event) }, this.entry),
      h("div.actions", {}, takeBack, hint, draw, resign, pause),
      h("button.primary.wide", { onclick: () => this.askForGame() }, "New game"),
      this.thoughts,
      h(
        "div.exports",
        {},
        h("button.plain", { onclick: () => void this.copy("FEN") }, "Copy FEN"),
        h("button.plain", { onclick: () => void this.copy("PGN") }, "Copy PGN"),
        h("button.plain", { onclick: () => void this.save() }, "Save PGN"),
        h("button.plain", { onclick: () => void this.copy("link") }, "Copy link"),
      ),
    );
  }

  private async save(): Promise<void> {
    await this.pgn().then((text) => download("okapi-game.pgn", text), this.desk.complain);
  }

  private strip(side: Side): Strip {
    return side === this.bottom ? this.strips.bottom : this.strips.top;
  }

  private draw(): void {
    const game = this.game;
    if (!game) return;
    const live = this.viewed === null;
    const ply = this.viewed ?? game.moves.length;
    const last = game.moves[ply - 1];
    const fen = this.viewedFen();
    const people = Object.values(game.seats).every((seat) => seat.person);
    const over = game.result !== "*";
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
    this.moves.show(game.moves, game.start_number, game.start_turn, ply);
    this.drawStrips(game, fen);
    this.drawValue(game, ply);
    this.drawStatus(game);
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
    this.thoughts.textContent = value ? `${game.seats[mover].title}: ${inWords(value)}` : "";
    this.graph.element.hidden = game.moves.length < 2 || game.moves.every((move) => !move.value);
    const points = [null, ...game.moves.map((move) => move.value?.white ?? null)];
    this.graph.show([...points.keys()], points);
    this.graph.mark(ply);
  }

  private drawStatus(game: GameView): void {
    const { takeBack, hint, draw, resign, pause } = this.buttons;
    const over = game.result !== "*";
    const alone = Object.values(game.seats).every((seat) => !seat.person);
    const turn = game.position.turn === "white" ? "White" : "Black";
    const mine = game.seats[game.position.turn].person;
    this.status.textContent = over
      ? `${game.result} · ${RESULTS[game.result]}: ${game.reason}`
      : game.paused
        ? "Paused"
        : `${mine && game.person ? "Your move" : `${turn} to move`}${game.position.check ? ": check" : ""}`;
    this.status.classList.toggle("over", over);
    takeBack.disabled = game.moves.length === 0;
    hint.disabled = over;
    draw.disabled = resign.disabled = over;
    draw.hidden = resign.hidden = alone;
    pause.hidden = over || (!alone && !game.paused);
    pause.lastChild!.textContent = game.paused ? "Go on" : "Pause";
  }
}

function button(text: string, sign: Icon, onclick: () => void): HTMLButtonElement {
  return h("button.action", { onclick }, icon(sign), h("span", {}, text));
}

function wishOf(invitation: NonNullable<Invitation["setup"]>, wish: Wish): Wish {
  const { opponent, side, fen } = invitation;
  return { ...wish, mode: "play", opponent, side, start: fen ? "fen" : "standard", fen: fen ?? "", clock: "none" };
}

function sameSeats(a: GameView, b: GameView): boolean {
  return a.seats.white.title === b.seats.white.title && a.seats.black.title === b.seats.black.title;
}

/** Is it another game? One of which the other's moves are no beginning, in either direction. */
function startsOver(a: GameView, b: GameView): boolean {
  const shared = Math.min(a.moves.length, b.moves.length);
  return a.moves.length > 0 && b.moves.length === 0
    ? a.moves.length > 2
    : a.moves[shared - 1]?.uci !== b.moves[shared - 1]?.uci;
}

function thousands(number: number): string {
  return number >= 1e6 ? `${(number / 1e6).toFixed(1)} M` : `${Math.round(number / 1000)} k`;
}
