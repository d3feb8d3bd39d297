/** What Trees shows and remembers. src/okapi/web/tree_views.py is the other side of some of it. */

import type { Played, PositionView } from "./records";

export const SHAPES = [
  ["depth", "Depth: every line as many plies"],
  ["even", "Probability, shared evenly"],
  ["shares", "Probability, by kind of move"],
  ["learned", "Probability, by a network"],
] as const;
export type Shape = (typeof SHAPES)[number][0];

/** A tree as lists, one entry a node; every node stands behind its parent. */
export interface TreeView {
  shape: Shape;
  parents: number[];
  sans: string[];
  ucis: string[];
  /** How likely the line is that leads here, if all moves are likely by the shape's rule. */
  shares: number[];
  /** Expected score as White sees it, in percent. */
  values: number[];
}

/** One feature of the position. */
export interface Fact {
  index: number;
  name: string;
  value: number;
  words: string;
}

/** What several features say together. */
export interface Subject {
  sentence: string;
  modality: "position" | "pieces" | "squares";
  squares: string[];
  facts: Fact[];
}

/** What can be done in a position, and what Giraffe sees of it. */
export interface Seen {
  position: PositionView;
  subjects: Subject[];
}

export interface Grown {
  number: number;
  fen: string;
  brain: string;
  trees: TreeView[];
}

export interface TreesChoices {
  brains: string[];
  moves: string[];
}

/** What survives a reload. */
export interface TreesSettings {
  fen: string;
  brain: string;
  moves: string;
  shapes: [Shape, Shape];
  nodes: number;
  naive: boolean;
  /** What the width of a node stands for: positions looked at below it, or how likely it is. */
  width: Width;
}
export type Width = "nodes" | "share";

/** A node of one of the two trees. */
export interface Spot {
  side: number;
  node: number;
}

/** Left edges and widths of all nodes. */
export interface Places {
  left: Float64Array;
  wide: Float64Array;
}

/** A tree with what can be read off it. */
export class Growth {
  readonly plies: number[] = [];
  /** Nodes in the tree that begins with a node, itself among them. */
  readonly below: number[];
  readonly deepest: number[];
  readonly children: number[][];
  /** Nodes of each ply, from left to right. */
  readonly rows: number[][] = [];

  constructor(readonly view: TreeView) {
    const { parents } = view;
    this.below = parents.map(() => 1);
    this.children = parents.map(() => []);
    parents.forEach((parent, node) => {
      this.plies.push(parent < 0 ? 0 : this.plies[parent]! + 1);
      if (parent >= 0) this.children[parent]!.push(node);
    });
    this.deepest = [...this.plies];
    for (let node = parents.length - 1; node > 0; node--) {
      const parent = parents[node]!;
      this.below[parent]! += this.below[node]!;
      this.deepest[parent] = Math.max(this.deepest[parent]!, this.deepest[node]!);
    }
    for (let row = [0]; row.length; row = row.flatMap((node) => this.children[node]!)) this.rows.push(row);
  }

  get size(): number {
    return this.view.parents.length;
  }

  /** The nodes from the first move to a node. */
  path(node: number): number[] {
    const path: number[] = [];
    for (let at = node; at > 0; at = this.view.parents[at]!) path.unshift(at);
    return path;
  }

  /** Does the line to `node` pass through `over`? */
  isBelow(node: number, over: number): boolean {
    for (let at = node; at >= over; at = this.view.parents[at]!) if (at === over) return true;
    return false;
  }

  /** The root is 1 wide; children share the width of their parent. */
  places(width: Width): Places {
    const left = new Float64Array(this.size);
    const wide = new Float64Array(this.size);
    wide[0] = 1;
    const weights = width === "nodes" ? this.below : this.view.shares;
    this.children.forEach((children, node) => {
      const whole = children.reduce((sum, child) => sum + weights[child]!, 0) || 1;
      let at = left[node]!;
      for (const child of children) {
        left[child] = at;
        wide[child] = (wide[node]! * weights[child]!) / whole;
        at += wide[child]!;
      }
    });
    return { left, wide };
  }
}

/** A move of the root, as both trees have it. */
export interface RootMove {
  san: string;
  uci: string;
  share: number;
  /** Its node in each tree; none where it is not. */
  nodes: (number | undefined)[];
}

/** The moves of the root, those first that the second tree holds likeliest, then those it looks at most. */
export function rootMoves(trees: readonly Growth[]): RootMove[] {
  const found = new Map<string, RootMove>();
  trees.forEach(({ view, children }, side) => {
    for (const node of children[0] ?? []) {
      const [uci, san, share] = [view.ucis[node]!, view.sans[node]!, view.shares[node]!];
      const move = found.get(uci) ?? { san, uci, share, nodes: [] };
      move.nodes[side] = node;
      if (view.shape !== "depth") move.share = share;
      found.set(uci, move);
    }
  });
  const last = trees.length - 1;
  const looks = (move: RootMove): number => trees[last]?.below[move.nodes[last] ?? -1] ?? 0;
  return [...found.values()].sort((a, b) => b.share - a.share || looks(b) - looks(a));
}

/** Positions that show the difference. */
export const EXAMPLES = [
  ["6kq/8/4p1p1/4PpP1/5P2/8/8/6KQ w - - 0 1", "Queens can be exchanged (Figure 6)"],
  ["3qk3/5p2/8/8/8/8/5P2/3QK3 w - - 0 1", "The same, with kings in the open"],
  ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "The start: all moves are alike"],
  ["r4rk1/1bq2ppp/p2bpn2/1p6/3BP3/P1NQ4/1PP1BPPP/R4RK1 w - - 0 15", "Both sides attack"],
] as const;

/** Nodes that a search may look at. */
export const NODES = [100, 300, 1000, 2000, 4000] as const;

export interface TreesState {
  settings: TreesSettings;
  /** The position, once it has come. */
  seen: Seen | null;
  /** The two trees, once they have grown, and the moves of their root. */
  trees: readonly Growth[];
  moves: readonly RootMove[];
  busy: boolean;
  /** The node that is pointed at or was chosen, and the moves that lead there, once they have come. */
  spot: Spot | null;
  line: Played["moves"];
  /** The move of the root that is pointed at. */
  move: RootMove | null;
  /** Squares of the features in words. */
  squares: readonly string[];
}

/** What a person can do. */
export interface TreesActions {
  open(fen: string): void;
  play(move: string): Promise<void>;
  takeBack(): void;
  change(changed: Partial<TreesSettings>): void;
  point(spot: Spot | null): void;
  choose(spot: Spot): void;
  pointMove(move: RootMove | null): void;
  pointAt(squares: readonly string[]): void;
}
