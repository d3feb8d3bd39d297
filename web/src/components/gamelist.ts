/** The games of a tournament: choose one to replay it, or download all. */

import { download, fill, h } from "../dom";
import type { PanelContext } from "../panel";
import { Replay, type Replayed } from "./replay";

interface Listed {
  number: number;
  white: string;
  black: string;
  result: string;
  ending: string;
  plies: number;
}

const ROWS = 8;

export class GameList {
  private tournament = 0;
  /** Games over when the list was asked for. */
  private listed = -1;
  private readonly list = h("select.game-list", { size: ROWS, "aria-label": "Games, the newest first" });
  private readonly replay = new Replay();
  private readonly save = h("button", { onclick: () => this.download() }, "Download the games");
  readonly element = h(
    "section.games",
    { hidden: true, "aria-label": "Games" },
    h("div.games-head", {}, h("h3", {}, "Games"), this.save),
    this.list,
    this.replay.element,
  );

  constructor(private readonly context: PanelContext) {
    this.list.onchange = () => this.open(Number(this.list.value));
    context.socket.on<{ number: number; pgn: string }>("tournaments.written", ({ number, pgn }) =>
      download(`tournament-${number}.pgn`, pgn),
    );
  }

  /** Show the games of a tournament, of which so many are over. */
  show(tournament: number, games: number): void {
    if (tournament !== this.tournament) {
      this.replay.show(null);
      this.listed = -1;
    }
    this.tournament = tournament;
    this.element.hidden = games === 0;
    if (games === this.listed) return;
    this.listed = games;
    this.context.socket
      .ask<{ number: number; games: Listed[] }>("tournaments.games", { number: tournament })
      .then((answer) => answer.number === this.tournament && this.fill(answer.games), this.context.complain);
  }

  private fill(games: readonly Listed[]): void {
    const chosen = this.list.value;
    const text = ({ number, white, black, result, ending, plies }: Listed): string =>
      `${number + 1}. ${white} – ${black}  ${result}  ${ending}, ${Math.ceil(plies / 2)} moves`;
    fill(this.list, ...games.map((game) => h("option", { value: String(game.number) }, text(game))));
    this.list.value = chosen;
  }

  private open(game: number): void {
    this.context.socket
      .ask<{ game: Replayed }>("tournaments.game", { number: this.tournament, game })
      .then((answer) => this.replay.show(answer.game), this.context.complain);
  }

  /** All of them come as news. */
  private download(): void {
    this.context.socket.ask("tournaments.pgn", { number: this.tournament }).catch(this.context.complain);
  }
}
