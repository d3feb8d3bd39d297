/** Human moves: which moves a player of a rating would choose; and the game on a map of positions. */

import "../styles/humanmoves.css";
import { HumanMovesView } from "../components/humanmovesview";
import {
  type HumanMovesActions,
  type HumanMovesChoices,
  type Prediction,
  fenOf,
  type HumanMovesSettings,
  START,
  type HumanMovesState,
} from "../humanmoves";
import { Newest } from "../newest";
import { spoken } from "../notation";
import type { PanelContext, Mounted, Panel } from "../panel";
import type { GameView, Played, PositionView } from "../records";
import { recall, remember } from "../store";

interface HumanMovesQuestion {
  fen: string;
  /** Without one only the position is asked for. */
  brain: string | null;
  elo: number;
}

const KEYS = [
  ["← →", "previous move, next move"],
  ["Home End", "to the start, to the end"],
  ["space", "play the likeliest move"],
  ["u", "take back"],
  ["x", "masked, or with illegal moves"],
  ["f", "flip the board"],
] as const;

const USUAL: HumanMovesSettings = { played: START, at: 0, follows: true, brain: "", elo: 2400, masked: true };

export const humanMoves: Panel = {
  id: "human_moves",
  title: "Human moves",
  about: "What a person of a rating would play.",
  mount: (root, context) => new HumanMoves(root, context),
};

class HumanMoves implements Mounted, HumanMovesActions {
  readonly keys = KEYS;
  private settings: HumanMovesSettings = { ...USUAL, ...recall<HumanMovesSettings>("human_moves.settings") };
  private position: PositionView | null = null;
  private predicted: Prediction | null = null;
  private chosen: string | null = null;
  private visible = false;
  private choices: HumanMovesChoices | null = null;
  /** The game of Play that was followed last. */
  private gameId = "";
  /** The last question, as text: the same is not asked twice. */
  private asked = "";
  private readonly view: HumanMovesView;
  private readonly question: Newest<HumanMovesQuestion, { position: PositionView }>;

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    this.view = new HumanMovesView(root, context, this);
    this.question = new Newest(context, "human_moves.predict", ({ position }, question) =>
      this.answered(position, question),
    );
    context.socket.on<HumanMovesChoices>("human_moves.listed", (choices) => this.offer(choices));
    context.socket.on<Prediction>("human_moves.predicted", (predicted) => this.hear(predicted));
    context.socket.on<{ of: string; number: number }>("human_moves.failed", ({ of, number }) => {
      if (of === "predicted") this.question.landed(number);
    });
    context.socket.on("play.game", ({ game }) => this.followed(game));
  }

  // --- What the frame calls ---

  shown(query: URLSearchParams): void {
    this.visible = true;
    const [text, elo] = [query.get("pgn") ?? query.get("fen"), Number(query.get("elo"))];
    if (elo) this.settings.elo = elo;
    const brain = query.get("brain");
    if (brain) {
      this.settings.brain = brain;
      history.replaceState(null, "", "#human_moves");
    }
    if ((elo || brain) && this.choices) this.offer(this.choices);
    if (text !== null) {
      history.replaceState(null, "", "#human_moves");
      void this.open(text);
      return;
    }
    this.followNow();
    this.look();
  }

  hidden(): void {
    this.visible = false;
    this.view.chart.hide();
  }

  connected(): void {
    this.question.forget();
    this.asked = "";
    this.view.chart.forget();
    this.context.socket.ask("human_moves.listed").catch(this.context.complain);
  }

  offered(): void {
    this.context.socket.ask("human_moves.listed").catch(this.context.complain);
  }

  key(event: KeyboardEvent): boolean {
    const { at } = this.settings;
    const best = this.predicted?.moves[0];
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.go(at - 1),
      ArrowRight: () => this.go(at + 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      " ": () => best && void this.play(best.uci),
      u: () => this.takeBack(),
      x: () => this.view.toggleMask(),
      f: () => this.view.flip(),
    };
    if (!(event.key in actions)) return false;
    if (event.key === " " && (event.target as HTMLElement).closest("button")) return false;
    actions[event.key]!();
    return true;
  }

  // --- Which position ---

  /** Show the position or game that a text stands for. */
  async open(text: string): Promise<void> {
    try {
      const { start, start_turn, start_number, moves } = await this.context.socket.ask<Played>("human_moves.open", {
        text,
      });
      this.view.turnTo(moves.length ? "white" : start_turn);
      this.change({ played: { start, start_turn, start_number, moves }, at: moves.length, follows: false });
    } catch (error) {
      this.context.complain(error);
    }
  }

  /** The game of Play, in its latest state. */
  private followNow(): void {
    const news = this.context.socket.heard("play.game");
    if (news) this.followed(news.game);
  }

  private followed(game: GameView): void {
    if (!this.settings.follows) return;
    const { start, start_turn, start_number, moves } = game;
    const isNew = game.game_id !== this.gameId;
    const hasMoved = isNew || moves.length !== this.settings.played.moves.length;
    this.gameId = game.game_id;
    if (isNew) this.view.turnTo(game.person ?? "white");
    this.change({ played: { start, start_turn, start_number, moves }, at: hasMoved ? moves.length : this.settings.at });
  }

  go(ply: number): void {
    const { played, at: before } = this.settings;
    const at = Math.max(0, Math.min(played.moves.length, ply));
    if (at === before) return;
    const move = played.moves[at - 1];
    if (move) this.context.announce(spoken(move.san));
    this.change({ at });
  }

  /** A move of one's own: the line goes on from here, and no longer follows the game. */
  async play(move: string): Promise<void> {
    const fen = fenOf(this.settings);
    try {
      const answer = await this.context.socket.ask<{ move: Played["moves"][0] }>("human_moves.move", { fen, move });
      if (fen !== fenOf(this.settings)) return;
      const { played, at, follows } = this.settings;
      const isKnown = played.moves[at]?.uci === answer.move.uci;
      const moves = isKnown ? played.moves : [...played.moves.slice(0, at), answer.move];
      this.context.announce(spoken(answer.move.san));
      this.change({ played: { ...played, moves }, at: at + 1, follows: follows && isKnown });
    } catch (error) {
      this.context.complain(error);
      this.view.putBack();
    }
  }

  takeBack(): void {
    const { played, at } = this.settings;
    if (at === 0) return;
    this.change({ played: { ...played, moves: played.moves.slice(0, at - 1) }, at: at - 1, follows: false });
  }

  choose(square: string | null): void {
    this.chosen = square;
    this.view.show(this.state());
  }

  change(changed: Partial<HumanMovesSettings>): void {
    this.settings = { ...this.settings, ...changed };
    remember("human_moves.settings", this.settings);
    if (changed.follows) this.followNow();
    this.look();
  }

  // --- Asking ---

  /** Show the position at once; the prediction comes later. */
  private look(): void {
    const fen = fenOf(this.settings);
    const { brain, elo, played, at } = this.settings;
    if (this.position?.fen !== fen) {
      this.position = this.chosen = null;
      this.view.letGo();
    }
    if (this.predicted?.fen !== fen || this.predicted.brain !== brain) this.predicted = null;
    this.view.show(this.state());
    if (!this.visible) return;
    const question = { fen, brain: brain || null, elo };
    if (JSON.stringify(question) !== this.asked) this.question.ask(question);
    this.asked = JSON.stringify(question);
    this.view.chart.show(played, at, this.view.bottom);
  }

  private answered(position: PositionView, { fen, brain }: HumanMovesQuestion): boolean {
    if (fen === fenOf(this.settings)) {
      this.position = { ...position, fen };
      this.view.show(this.state());
    }
    return brain !== null;
  }

  private hear(predicted: Prediction): void {
    const isMeant = predicted.fen === fenOf(this.settings) && predicted.brain === this.settings.brain;
    if (!this.question.landed(predicted.number) || !isMeant) return;
    this.predicted = predicted;
    this.view.show(this.state());
  }

  private offer(choices: HumanMovesChoices): void {
    this.choices = choices;
    const { brains, elo } = choices;
    this.view.offer(choices);
    const brain = brains.includes(this.settings.brain) ? this.settings.brain : (brains[0] ?? "");
    const wanted = this.settings.elo;
    const possible = Math.max(elo[0], Math.min(elo[1], wanted));
    if (wanted !== possible)
      this.context.complain(`A rating of ${wanted} is refused: the games were of players from ${elo[0]} to ${elo[1]}`);
    this.change({ brain, elo: possible });
  }

  private state(): HumanMovesState {
    const { settings, position, predicted, chosen } = this;
    return { settings, position, predicted, chosen };
  }
}
