/** Trees as they are seen: the board, two trees beside each other, their plies and moves, and the features in words. */

import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { amount } from "../amounts";
import { Board } from "../board";
import { field, fill, h, offer, type Option, select } from "../dom";
import type { PanelContext } from "../panel";
import { other } from "../records";
import {
  type TreesActions,
  EXAMPLES,
  NODES,
  type RootMove,
  SHAPES,
  type Shape,
  type TreesState,
  type Width,
} from "../trees";
import { arrow } from "./arrows";
import { copyButton, linkTo } from "./exports";
import { Features } from "./features";
import { Icicle } from "./icicle";
import { percent } from "./likely";
import { Plies } from "./plies";
import { RootMoves } from "./rootmoves";
import { inWords, lineOf } from "./treewords";

const WIDEST = 13;
const SIDES = [0, 1] as const;

export class TreesView {
  private state: TreesState | null = null;
  private readonly board: Board;
  private readonly features: Features;
  private readonly trees: Icicle[];
  private readonly plies = new Plies();
  private readonly moves: RootMoves;
  private readonly titles = SIDES.map(() => h("p.tree-says"));
  private readonly shapes = SIDES.map((side) => select(SHAPES, side === 0 ? "depth" : "even"));
  private readonly brain = select([["", "none"]]);
  private readonly movesBrain = select([["", "none"]]);
  private readonly nodes = select(NODES.map((count) => [String(count), amount(count)] as const));
  private readonly width = select([
    ["nodes", "the nodes below it"],
    ["share", "how likely it is"],
  ] as const);
  private readonly naive = h("input", { type: "checkbox", role: "switch" });
  private readonly fen = h("input", { type: "text", spellcheck: false, autocomplete: "off" });
  private readonly examples = select([["", "choose one"], ...EXAMPLES]);
  private readonly says = h("p.says", { role: "status" });
  private readonly line = h("p.tree-line");
  private readonly links = h("div.looks");
  private readonly learned = field("Move priors of", this.movesBrain);

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
    private readonly actions: TreesActions,
  ) {
    this.board = new Board((move) => void actions.play(move));
    this.features = new Features((squares) => actions.pointAt(squares));
    this.moves = new RootMoves(
      (move) => actions.pointMove(move),
      ({ uci }) => void actions.play(uci),
    );
    this.trees = SIDES.map(
      (side) =>
        new Icicle(`--curve-${side}`, {
          point: (node) => actions.point(node === null ? null : { side, node }),
          choose: (node) => actions.choose({ side, node }),
        }),
    );
    this.listen();
    root.classList.add("trees");
    root.append(this.stage(), this.side());
  }

  flip(): void {
    this.board.orientation = other(this.board.orientation);
  }

  /** Undo a move that the server did not accept. */
  putBack(): void {
    this.board.putBack();
  }

  search(): void {
    this.features.focus();
  }

  offer(brains: readonly Option[], moves: readonly Option[]): void {
    offer(this.brain, brains);
    offer(this.movesBrain, moves);
    for (const shape of this.shapes)
      for (const option of shape.options) option.disabled = option.value === "learned" && moves.length === 0;
  }

  /** Draw everything. */
  show(state: TreesState): void {
    const { settings, seen, trees } = state;
    const isNew = seen !== this.state?.seen;
    const hasGrown = trees !== this.state?.trees || settings.width !== this.state?.settings.width;
    this.state = state;
    this.brain.value = settings.brain;
    this.movesBrain.value = settings.moves;
    this.nodes.value = String(settings.nodes);
    this.width.value = settings.width;
    this.naive.checked = settings.naive;
    this.learned.hidden = !settings.shapes.includes("learned");
    this.shapes.forEach((shape, side) => (shape.value = settings.shapes[side]!));
    if (isNew) this.features.show(seen?.subjects ?? []);
    if (hasGrown) this.drawTrees(state);
    if (isNew && seen) this.drawLinks(seen.position.fen);
    this.says.textContent = inWords(state);
    this.point(state);
  }

  /** Draw what changes while one points at things. */
  point(state: TreesState): void {
    this.state = state;
    const { spot, move } = state;
    this.trees.forEach((tree, side) => {
      tree.mark(spot?.side === side ? spot.node : null);
      tree.light(move?.nodes[side] ?? null);
    });
    this.drawBoard(state);
    this.line.textContent = lineOf(state);
  }

  private drawTrees({ trees, settings, moves }: TreesState): void {
    const plies = Math.max(0, ...trees.map(({ rows }) => rows.length - 1));
    this.trees.forEach((icicle, side) => {
      const tree = trees[side] ?? null;
      const text = tree ? `${amount(tree.size)} nodes, ${tree.rows.length - 1} plies deep` : "";
      this.titles[side]!.textContent = text;
      icicle.show(
        tree,
        settings.width,
        plies,
        `The ${side ? "right" : "left"} tree: ${text}. Use the arrow keys to move in it.`,
      );
    });
    this.plies.show(trees);
    this.moves.show(moves, trees, isLikely(trees));
  }

  private drawBoard({ settings, seen, line, spot, squares, move, moves, trees }: TreesState): void {
    const end = spot ? line.at(-1) : undefined;
    const position = seen?.position;
    const fen = end?.fen ?? position?.fen ?? settings.fen;
    this.board.show({
      fen,
      turn: fen.split(" ")[1] === "b" ? "black" : "white",
      check: end?.check ?? position?.check ?? false,
      lastMove: end?.squares ?? [],
      movable: end || !position || position.ending ? null : position.turn,
      destinations: end ? {} : (position?.destinations ?? {}),
      promotions: end ? [] : (position?.promotions ?? []),
    });
    if (squares.length)
      this.board.arrows(squares.map((square): DrawShape => ({ orig: square as Key, brush: "yellow" })));
    else if (end || !isLikely(trees)) this.board.arrows([]);
    else this.board.arrows(arrowsOf(moves, move));
  }

  private drawLinks(fen: string): void {
    const link = (panel: string, text: string): HTMLElement => h("a.look-link", { href: linkTo(panel, { fen }) }, text);
    const copy = copyButton(this.context, "link", () => linkTo("trees", { fen }));
    fill(this.links, link("play", "Play on"), link("analyse", "Analyse"), link("compare", "Compare"), copy);
    this.fen.value = fen;
    this.examples.value = EXAMPLES.find(([known]) => known === fen)?.[0] ?? "";
  }

  private listen(): void {
    const { actions } = this;
    this.brain.onchange = () => actions.change({ brain: this.brain.value });
    this.movesBrain.onchange = () => actions.change({ moves: this.movesBrain.value });
    this.nodes.onchange = () => actions.change({ nodes: Number(this.nodes.value) });
    this.width.onchange = () => actions.change({ width: this.width.value as Width });
    this.naive.onchange = () => actions.change({ naive: this.naive.checked });
    this.examples.onchange = () => this.examples.value && actions.open(this.examples.value);
    const shapes = (): [Shape, Shape] => [this.shapes[0]!.value as Shape, this.shapes[1]!.value as Shape];
    for (const shape of this.shapes) shape.onchange = () => actions.change({ shapes: shapes() });
  }

  private stage(): HTMLElement {
    const flip = h("button.plain", { onclick: () => this.flip() }, "Flip the board");
    const back = h("button.plain", { onclick: () => this.actions.takeBack() }, "Take back");
    const form = h("form.tree-form", {}, field("Position (FEN)", this.fen), h("button", {}, "Show"));
    form.onsubmit = (event) => {
      event.preventDefault();
      this.actions.open(this.fen.value);
    };
    return h(
      "div.stage",
      {},
      h("div.board-row", {}, this.board.element),
      h("div.tree-steps", {}, back, flip, this.links),
      field("Examples", this.examples),
      form,
    );
  }

  private side(): HTMLElement {
    const controls = h(
      "div.tree-controls",
      {},
      field("Brain", this.brain),
      field("Nodes at most", this.nodes),
      field("A node’s width is", this.width),
      this.learned,
      h("label.switch", {}, this.naive, "Naive: plain alpha-beta"),
    );
    const trees = SIDES.map((side) =>
      h(
        `div.grown.side-${side}`,
        {},
        field(side ? "Right" : "Left", this.shapes[side]!),
        this.titles[side]!,
        this.trees[side]!.element,
      ),
    );
    return h(
      "div.forest",
      {},
      h("h2", {}, "Two searches, one position, about as many nodes"),
      controls,
      this.says,
      h("div.tree-pair", {}, ...trees),
      this.line,
      h("div.tree-tables", {}, this.plies.element, this.moves.element),
      this.features.element,
    );
  }
}

/** An arrow with its number for each move, or for the one that is pointed at: the wider, the likelier. */
function arrowsOf(moves: readonly RootMove[], pointed: RootMove | null): DrawShape[] {
  if (pointed) return [arrow(pointed.uci, "best", percent(pointed.share), WIDEST)];
  const most = Math.max(1e-9, ...moves.map(({ share }) => share));
  return moves
    .map(({ uci, share }) => {
      const brush = share >= 0.999 / moves.length ? "good" : "poor";
      return arrow(uci, brush, `${Math.round(100 * share)}`, Math.max(2, (9 * share) / most));
    })
    .reverse();
}

/** Does a tree say how likely moves are? */
const isLikely = (trees: TreesState["trees"]): boolean => trees.some(({ view }) => view.shape !== "depth");
