/** A game with its side lines. The page keeps the shape of it; moves, SAN and FEN come from the server. */

import type { Side } from "./records";

export interface TreeMove {
  /** The number of the move that it follows, or FIRST. */
  before: number;
  uci: string;
  san: string;
  number: number;
  turn: Side;
  /** After the move. */
  fen: string;
  squares: [string, string];
  check: boolean;
  /** ?!, ?, ??, !, … or nothing. */
  mark: string;
  comment: string;
}

/** As the server reads it from a FEN or a PGN, and as the page remembers it. */
export interface TreeGame {
  start: string;
  start_turn: Side;
  start_number: number;
  start_check: boolean;
  tags: Record<string, string>;
  moves: TreeMove[];
}

/** The start: before any move. */
export const FIRST = -1;

export class Tree {
  private readonly followers = new Map<number, number[]>();

  constructor(readonly game: TreeGame) {
    this.index();
  }

  get moves(): readonly TreeMove[] {
    return this.game.moves;
  }

  /** The moves that follow a move, the main line first. */
  after(at: number): readonly number[] {
    return this.followers.get(at) ?? [];
  }

  next(at: number): number {
    return this.after(at)[0] ?? at;
  }

  before(at: number): number {
    return this.moves[at]?.before ?? FIRST;
  }

  /** The way from the start to a move. */
  path(at: number): number[] {
    const way: number[] = [];
    for (let i = at; i !== FIRST; i = this.before(i)) way.unshift(i);
    return way;
  }

  /** From a move on, always the first that follows; from the start: the main line. */
  line(from = FIRST): number[] {
    const way: number[] = [];
    for (let [i] = this.after(from); i !== undefined; [i] = this.after(i)) way.push(i);
    return way;
  }

  /** The next move in the same place, or the one before it: another side line. */
  sibling(at: number, step: 1 | -1): number {
    if (at === FIRST) return at;
    const all = this.after(this.before(at));
    return all[all.indexOf(at) + step] ?? at;
  }

  fen(at: number): string {
    return this.moves[at]?.fen ?? this.game.start;
  }

  turn(at: number): Side {
    return this.fen(at).split(" ")[1] === "b" ? "black" : "white";
  }

  /** Play a move after `at`; the one that is there already, if it is. */
  add(at: number, move: TreeMove): number {
    const known = this.after(at).find((i) => this.moves[i]!.uci === move.uci);
    if (known !== undefined) return known;
    const added = this.game.moves.push({ ...move, before: at }) - 1;
    this.index();
    return added;
  }

  /** Make the line through `at` the main line; its new number. */
  promote(at: number): number {
    const way = new Set(this.path(at));
    return this.rebuild((all) => all.sort((a, b) => Number(way.has(b)) - Number(way.has(a))), at);
  }

  /** Remove a move and all that follow it; the number of the move before. */
  remove(at: number): number {
    return this.rebuild((all) => all.filter((i) => i !== at), this.before(at));
  }

  /** Write the list anew, what follows each move as `order` says; the new number of `followed`. */
  private rebuild(order: (all: number[]) => number[], followed: number): number {
    const numbers = new Map([[FIRST, FIRST]]);
    const moves: TreeMove[] = [];
    const waiting = [FIRST];
    while (waiting.length) {
      const at = waiting.pop()!;
      for (const i of order([...this.after(at)])) {
        numbers.set(i, moves.push({ ...this.moves[i]!, before: numbers.get(at)! }) - 1);
        waiting.push(i);
      }
    }
    this.game.moves = moves;
    this.index();
    return numbers.get(followed) ?? FIRST;
  }

  private index(): void {
    this.followers.clear();
    this.moves.forEach(({ before }, i) => this.followers.set(before, [...this.after(before), i]));
  }
}
