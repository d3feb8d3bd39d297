/** Analyse: positions and games with the best lines, threats, and a report of the whole game. */

import {
  type AnalysisActions,
  MOST_LINES,
  remarksOf,
  type AnalysisSettings,
  type EngineSearch,
  type AnalysisState,
  type Threat,
} from "../analysis";
import { AnalyseView } from "../components/analyseview";
import { brainOptions } from "../components/brainline";
import { Entrance } from "../components/entrance";
import { exports } from "../components/exports";
import { Scribe } from "../components/scribe";
import { h } from "../dom";
import { spoken } from "../notation";
import type { PanelContext, Mounted, Panel } from "../panel";
import { type Hello, type LineMove, other, type PositionView, type Side } from "../records";
import { sound } from "../sound";
import { recall, remember } from "../store";
import { FIRST, Tree, type TreeGame, type TreeMove } from "../tree";

const KEYS = [
  ["← →", "previous move, next move"],
  ["↑ ↓", "another side line"],
  ["Home End", "to the start, to the end"],
  ["space", "play the best move"],
  ["n p", "next mistake, previous mistake"],
  ["1 5", "so many lines"],
  ["a", "analysis on or off"],
  ["x", "threats on or off"],
  ["o", "open a game or a position"],
  ["e", "set up a position"],
  ["r", "report of the game"],
  ["f", "flip the board"],
  ["/", "type a move"],
] as const;

const BUILT_IN = ["alphabeta", "greedy", "random"];
const LOOK_AFTER_MS = 60;
const START: TreeGame = {
  start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  start_turn: "white",
  start_number: 1,
  start_check: false,
  tags: {},
  moves: [],
};

const enginesOf = ({ brains, players }: Hello): string[] => [
  ...brains,
  ...players.filter((player) => !BUILT_IN.includes(player)),
];

export const analyse: Panel = { id: "analyse", title: "Analyse", mount: (root, context) => new Analyse(root, context) };

class Analyse implements Mounted, AnalysisActions {
  readonly keys = KEYS;
  private tree = new Tree(structuredClone(START));
  /** The move whose position is looked at. */
  private at = FIRST;
  private bottom: Side = "white";
  private settings: AnalysisSettings;
  private position: PositionView | null = null;
  private opening = "";
  private search: EngineSearch | null = null;
  private thinking = false;
  private endless = false;
  private threat: Threat | null = null;
  private visible = false;
  private timer = 0;
  private readonly view: AnalyseView;
  private readonly scribe: Scribe;
  private readonly entrance: Entrance;

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    const engines = enginesOf(context.hello);
    const usual = { engine: engines[0]!, lines: 3, on: true, threat: false, effort: "normal" };
    this.settings = { ...usual, ...recall<AnalysisSettings>("analyse.settings") };
    if (!engines.includes(this.settings.engine)) this.settings.engine = usual.engine;
    const game = recall<TreeGame>("analyse.game");
    if (game) this.tree = new Tree(game);
    this.at = Math.min(recall<number>("analyse.at") ?? FIRST, this.tree.moves.length - 1);
    this.scribe = new Scribe(context, () => this.view.show(this.state()));
    this.entrance = new Entrance(
      root,
      context,
      (text) => this.show(text),
      () => this.visible,
    );
    const source = { panel: "analyse", fen: () => this.tree.fen(this.at), pgn: () => this.pgn() };
    const playOn = h("button.plain", { onclick: () => this.playOn() }, "Play on");
    this.view = new AnalyseView(root, this, brainOptions(context.hello, engines), exports(context, source, playOn));
    context.socket.on<EngineSearch>("analyse.lines", (news) => this.hear(news));
    context.socket.on<{ fen: string }>("analyse.done", ({ fen }) => this.rested(fen));
    context.socket.on<Threat>("analyse.threat", (news) => this.warn(news));
  }

  // --- What the frame calls ---

  shown(query: URLSearchParams): void {
    this.visible = true;
    const text = query.get("pgn") ?? query.get("fen");
    if (text !== null) {
      history.replaceState(null, "", "#analyse");
      void this.show(text).catch(this.context.complain);
    } else this.look();
  }

  offered(): void {
    this.view.offer(brainOptions(this.context.hello, enginesOf(this.context.hello)));
  }

  hidden(): void {
    this.visible = false;
    this.view.hide();
    this.context.socket.ask("analyse.rest").catch(this.context.complain);
  }

  connected(): void {
    if (this.visible) this.look();
    this.scribe.resume(this.tree, this.settings.engine, this.settings.effort);
  }

  key(event: KeyboardEvent): boolean {
    const { tree, at } = this;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.go(tree.before(at)),
      ArrowRight: () => this.go(tree.next(at)),
      ArrowUp: () => this.go(tree.sibling(at, -1)),
      ArrowDown: () => this.go(tree.sibling(at, 1)),
      Home: () => this.go(FIRST),
      End: () => this.go(tree.line(at).at(-1) ?? at),
      " ": () => void this.follow(this.search?.lines[0]?.moves.slice(0, 1) ?? []),
      n: () => this.goToMistake(1),
      p: () => this.goToMistake(-1),
      a: () => this.change({ on: !this.settings.on }),
      x: () => this.change({ threat: !this.settings.threat }),
      o: () => this.open(),
      e: () => this.edit(),
      r: () => this.write(),
      f: () => this.flip(),
      "/": () => this.view.focus(),
    };
    const lines = Number(event.key);
    if (lines >= 1 && lines <= MOST_LINES) this.change({ lines, on: true });
    else if (event.key === " " && (event.target as HTMLElement).closest("button")) return false;
    else if (!(event.key in actions)) return false;
    else actions[event.key]!();
    return true;
  }

  // --- Opening ---

  open(): void {
    this.entrance.ask();
  }

  edit(): void {
    this.entrance.edit(this.tree.fen(this.at), this.bottom);
  }

  /** Show the game or position that a text stands for; throws if it stands for none. */
  private async show(text: string): Promise<void> {
    const game = await this.context.socket.ask<TreeGame>("analyse.open", { text });
    const { start, start_turn, start_number, start_check, tags, moves } = game;
    this.tree = new Tree({ start, start_turn, start_number, start_check, tags, moves });
    this.at = FIRST;
    this.bottom = moves.length === 0 ? start_turn : "white";
    this.search = this.threat = this.position = null;
    this.scribe.forget();
    this.changed();
    const title = tags["White"] ? `${tags["White"]} – ${tags["Black"]}` : moves.length ? "The game" : "The position";
    this.context.announce(`${title}, ${moves.length} moves`);
  }

  // --- Moving about ---

  go(at: number): void {
    if (at === this.at) return;
    this.at = at;
    const move = this.tree.moves[at];
    if (move) this.context.announce(spoken(move.san));
    remember("analyse.at", at);
    this.look();
  }

  goToPly(ply: number): void {
    this.go(this.tree.line()[ply - 1] ?? FIRST);
  }

  private goToMistake(step: 1 | -1): void {
    const here = this.tree.path(this.at).length;
    const plies = (this.state().report?.moves ?? []).filter(({ mark }) => mark).map(({ ply }) => ply + 1);
    const next = step > 0 ? plies.find((ply) => ply > here) : plies.filter((ply) => ply < here).at(-1);
    if (next !== undefined) this.goToPly(next);
  }

  /** Make a move of one's own: a side line begins where it differs. */
  async play(move: string): Promise<boolean> {
    const from = this.at;
    try {
      const answer = await this.context.socket.ask<{ move: TreeMove }>("analyse.move", { ...this.place(), move });
      if (from !== this.at) return false;
      sound(answer.move.check ? "check" : answer.move.san.includes("x") ? "capture" : "move");
      const count = this.tree.moves.length;
      const at = this.tree.add(from, answer.move);
      if (this.tree.moves.length !== count) remember("analyse.game", this.tree.game);
      this.go(at);
      return true;
    } catch (error) {
      this.context.complain(error);
      this.view.putBack();
      return false;
    }
  }

  /** Play the moves of a line. */
  async follow(moves: readonly LineMove[]): Promise<void> {
    for (const { uci } of moves) if (!(await this.play(uci))) return;
  }

  change(settings: Partial<AnalysisSettings>): void {
    this.settings = { ...this.settings, ...settings };
    remember("analyse.settings", this.settings);
    this.look();
  }

  promote(): void {
    this.at = this.tree.promote(this.at);
    this.changed();
  }

  remove(): void {
    if (this.at === FIRST) return;
    this.at = this.tree.remove(this.at);
    this.changed();
  }

  /** The game is another one now, or has another shape. */
  private changed(): void {
    remember("analyse.game", this.tree.game);
    remember("analyse.at", this.at);
    this.look();
  }

  flip(): void {
    this.bottom = other(this.bottom);
    this.view.show(this.state());
  }

  // --- Looking ---

  private place(): { start: string; moves: string[] } {
    return { start: this.tree.game.start, moves: this.tree.path(this.at).map((i) => this.tree.moves[i]!.uci) };
  }

  /** Show the position at once, and ask for the analysis after a short delay. */
  look(endless = false): void {
    const fen = this.tree.fen(this.at);
    if (this.position?.fen !== fen) this.position = null;
    if (this.search?.fen !== fen) this.search = null;
    if (this.threat?.fen !== fen || !this.settings.threat) this.threat = null;
    this.endless = endless;
    this.view.show(this.state());
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.askToLook(), LOOK_AFTER_MS);
  }

  private async askToLook(): Promise<void> {
    if (!this.visible) return;
    const { engine, lines, on, threat } = this.settings;
    const request = { ...this.place(), engine, lines: on ? lines : 0, threat, endless: this.endless };
    const at = this.at;
    try {
      this.thinking = on;
      type PositionAnswer = { position: PositionView; opening: string | null };
      const { position, opening } = await this.context.socket.ask<PositionAnswer>("analyse.look", request);
      if (at !== this.at) return;
      this.position = position;
      this.opening = opening ?? "";
      if (position.ending) this.thinking = false;
      this.view.show(this.state());
    } catch (error) {
      this.thinking = false;
      this.context.complain(error);
    }
  }

  private hear(news: EngineSearch): void {
    if (news.fen !== this.position?.fen || !this.settings.on) return;
    this.search = news;
    this.view.showSearch(this.state());
  }

  private rested(fen: string): void {
    if (fen !== this.position?.fen) return;
    this.thinking = false;
    this.view.showSearch(this.state());
  }

  private warn(threat: Threat): void {
    if (threat.fen !== this.position?.fen) return;
    this.threat = threat;
    this.view.showSearch(this.state());
    if (threat.sentence) this.context.announce(threat.sentence);
  }

  // --- The report ---

  write(): void {
    void this.scribe.write(this.tree, this.settings.engine, this.settings.effort);
  }

  cancel(): void {
    this.scribe.cancel();
  }

  // --- What is shown and taken away ---

  private state(): AnalysisState {
    return {
      tree: this.tree,
      at: this.at,
      bottom: this.bottom,
      settings: this.settings,
      position: this.position,
      opening: this.opening,
      search: this.search,
      thinking: this.thinking,
      threat: this.threat,
      report: this.scribe.reportOn(this.tree),
      writing: this.scribe.isWriting,
    };
  }

  /** The game with its side lines, and the marks of the report. */
  private async pgn(): Promise<string> {
    const remarks = remarksOf(this.state());
    const moves = this.tree.moves.map(({ before, uci, mark, comment }, i) => {
      const remark = remarks.get(i);
      return { before, move: uci, mark: remark?.mark ?? mark, comment: remark?.text || comment };
    });
    const tags = Object.entries(this.tree.game.tags).map(([name, value]) => ({ name, value }));
    return (await this.context.socket.ask<{ pgn: string }>("analyse.pgn", { start: this.tree.game.start, moves, tags }))
      .pgn;
  }

  /** Play a game from here. */
  private playOn(): void {
    location.hash = `#play?${new URLSearchParams({ fen: this.tree.fen(this.at) })}`;
  }
}
