/** Trees: what searches of two shapes look at in the same position; and the position as Giraffe sees it, in words. */

import "../styles/trees.css";
import { brainOptions } from "../components/brainline";
import { TreesView } from "../components/treesview";
import { Newest } from "../newest";
import { spoken } from "../notation";
import type { PanelContext, Mounted, Panel } from "../panel";
import type { Played } from "../records";
import { recall, remember } from "../store";
import {
  type TreesActions,
  type TreesChoices,
  EXAMPLES,
  type Grown,
  Growth,
  NODES,
  type RootMove,
  rootMoves,
  type Seen,
  type TreesSettings,
  type Shape,
  type Spot,
  type TreesState,
} from "../trees";

interface TreesQuestion {
  fen: string;
  brain: string;
  left: Shape;
  right: Shape;
  moves: string | null;
  nodes: number;
  naive: boolean;
}

interface Way {
  fen: string;
  moves: string[];
}

const KEYS = [
  ["← → ↑ ↓", "walk in the tree that has the focus"],
  ["Esc", "let go of a line that was clicked"],
  ["- +", "fewer nodes, more nodes"],
  ["w", "width by nodes, or by probability"],
  ["x", "naive, or with everything clever"],
  ["u", "take back"],
  ["f", "flip the board"],
  ["/", "search the features"],
] as const;

const USUAL: TreesSettings = {
  fen: EXAMPLES[0][0],
  brain: "",
  moves: "",
  shapes: ["depth", "even"],
  nodes: 4000,
  naive: true,
  width: "nodes",
};

export const trees: Panel = {
  id: "trees",
  title: "Search trees",
  about: "Which moves a search looks at, and how deep.",
  mount: (root, context) => new Trees(root, context),
};

class Trees implements Mounted, TreesActions {
  readonly keys = KEYS;
  private settings: TreesSettings = { ...USUAL, ...recall<TreesSettings>("trees.settings") };
  private state: TreesState;
  /** Positions that were left by a move, the last one last. */
  private before: string[] = [];
  private chosen: Spot | null = null;
  private visible = false;
  /** The last question, as text: the same is not asked twice. */
  private asked = "";
  /** The position that was asked for last, while its answer is on its way. */
  private awaited: object | null = null;
  private readonly view: TreesView;
  private readonly growing: Newest<TreesQuestion, unknown>;
  private readonly walking: Newest<Way, Pick<Played, "moves">>;

  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
  ) {
    this.state = { ...nothing(), settings: this.settings };
    this.view = new TreesView(root, context, this);
    this.growing = new Newest(context, "trees.grow");
    this.walking = new Newest(context, "trees.walk", ({ moves }, way) => this.walked(moves, way));
    context.socket.on<TreesChoices>("trees.listed", (choices) => this.offer(choices));
    context.socket.on<Grown>("trees.grown", (grown) => this.hear(grown));
    context.socket.on<{ number?: number }>("trees.failed", ({ number }) => this.failed(number));
  }

  // --- What the frame calls ---

  shown(query: URLSearchParams): void {
    this.visible = true;
    const fen = query.get("fen");
    if (fen !== null) history.replaceState(null, "", "#trees");
    if (fen !== null) this.open(fen);
    else if (this.state.seen) this.look();
  }

  hidden(): void {
    this.visible = false;
  }

  connected(): void {
    this.growing.forget();
    this.walking.forget();
    this.asked = "";
    this.context.socket.ask("trees.listed").catch(this.context.complain);
    if (this.state.seen) this.look();
    else if (!this.awaited) this.see(this.settings.fen);
  }

  offered(): void {
    this.context.socket.ask("trees.listed").catch(this.context.complain);
  }

  key(event: KeyboardEvent): boolean {
    const actions: Record<string, () => void> = {
      Escape: () => this.letGo(),
      "+": () => this.resize(1),
      "-": () => this.resize(-1),
      w: () => this.change({ width: this.settings.width === "nodes" ? "share" : "nodes" }),
      x: () => this.change({ naive: !this.settings.naive }),
      u: () => this.takeBack(),
      f: () => this.view.flip(),
      "/": () => this.view.search(),
    };
    actions[event.key]?.();
    return event.key in actions;
  }

  // --- Which position ---

  open(fen: string): void {
    this.see(fen.trim() || USUAL.fen, () => (this.before = []));
  }

  /** A move leads to another position, from which other trees grow. */
  async play(move: string): Promise<void> {
    const { fen } = this.settings;
    try {
      const { moves } = await this.context.socket.ask<Pick<Played, "moves">>("trees.walk", { fen, moves: [move] });
      this.context.announce(spoken(moves[0]!.san));
      this.see(moves[0]!.fen, () => this.before.push(fen));
    } catch (error) {
      this.context.complain(error);
      this.view.putBack();
    }
  }

  takeBack(): void {
    const fen = this.before.at(-1);
    if (fen !== undefined) this.see(fen, () => this.before.pop());
  }

  /** Go to a position, if it is one; what stands on the board stays otherwise. */
  private see(fen: string, onSeen: () => void = () => {}): void {
    const awaited = (this.awaited = { fen });
    const seen = (seen: Seen): void => {
      if (awaited !== this.awaited) return;
      this.awaited = null;
      onSeen();
      this.chosen = null;
      this.state = { ...nothing(), seen };
      this.change({ fen: seen.position.fen });
    };
    const refused = (error: unknown): void => {
      this.context.complain(error);
      if (awaited !== this.awaited) return;
      this.awaited = null;
      if (!this.state.seen && fen !== this.settings.fen) this.see(this.settings.fen);
    };
    this.context.socket.ask<Seen>("trees.see", { fen }).then(seen, refused);
  }

  change(changed: Partial<TreesSettings>): void {
    this.settings = { ...this.settings, ...changed };
    remember("trees.settings", this.settings);
    this.look();
  }

  private resize(by: number): void {
    const place = NODES.findIndex((count) => count >= this.settings.nodes);
    const nodes = NODES[Math.max(0, Math.min(NODES.length - 1, place + by))]!;
    if (nodes !== this.settings.nodes) this.change({ nodes });
  }

  // --- Pointing ---

  point(spot: Spot | null): void {
    this.lookAt(spot ?? this.chosen);
  }

  /** Stay at a line, until it is chosen again or let go. */
  choose(spot: Spot): void {
    const again = this.chosen?.side === spot.side && this.chosen.node === spot.node;
    this.chosen = again ? null : spot;
    const tree = this.state.trees[spot.side];
    if (tree && !again && spot.node) this.context.announce(spoken(tree.view.sans[spot.node]!));
    this.lookAt(again ? null : spot);
  }

  pointMove(move: RootMove | null): void {
    this.state = { ...this.state, move };
    this.view.point(this.state);
  }

  pointAt(squares: readonly string[]): void {
    this.state = { ...this.state, squares };
    this.view.point(this.state);
  }

  private letGo(): void {
    this.chosen = null;
    this.lookAt(null);
  }

  /** The line to a node stands on the board as soon as the server has said where it leads. */
  private lookAt(spot: Spot | null): void {
    const tree = spot && this.state.trees[spot.side];
    const path = tree ? tree.path(spot.node).map((node) => tree.view.ucis[node]!) : [];
    this.state = { ...this.state, spot, line: path.length ? this.state.line : [] };
    this.view.point(this.state);
    if (path.length) this.walking.ask({ fen: this.settings.fen, moves: path });
  }

  private walked(line: Played["moves"], { fen }: Way): boolean {
    if (fen === this.settings.fen && this.state.spot) {
      this.state = { ...this.state, line };
      this.view.point(this.state);
    }
    return false;
  }

  // --- Asking ---

  /** Let trees grow here, if anything changed and there is a brain. */
  private look(): void {
    const { fen, brain, moves, nodes, naive, shapes } = this.settings;
    const [left, right] = shapes;
    const question = { fen, brain, left, right, nodes, naive, moves: shapes.includes("learned") ? moves : null };
    const asked = JSON.stringify(question);
    const { seen } = this.state;
    this.state = { ...this.state, settings: this.settings };
    if (this.visible && seen && !seen.position.ending && brain && asked !== this.asked) {
      this.asked = asked;
      this.state = { ...this.state, busy: true };
      this.growing.ask(question);
    }
    this.view.show(this.state);
  }

  private hear({ number, fen, trees }: Grown): void {
    if (!this.growing.landed(number) || fen !== this.settings.fen) return;
    const grown = trees.map((tree) => new Growth(tree));
    this.chosen = null;
    this.state = {
      ...this.state,
      busy: false,
      trees: grown,
      moves: rootMoves(grown),
      spot: null,
      line: [],
      move: null,
    };
    this.view.show(this.state);
  }

  private failed(number: number | undefined): void {
    if (number === undefined || !this.growing.landed(number)) return;
    this.state = { ...this.state, busy: false };
    this.view.show(this.state);
  }

  private offer({ brains, moves }: TreesChoices): void {
    const known = (name: string, names: readonly string[]): string => (names.includes(name) ? name : (names[0] ?? ""));
    const { shapes } = this.settings;
    this.view.offer(brainOptions(this.context.hello, brains), brainOptions(this.context.hello, moves));
    this.change({
      brain: known(this.settings.brain, brains),
      moves: known(this.settings.moves, moves),
      shapes: moves.length === 0 && shapes.includes("learned") ? USUAL.shapes : shapes,
    });
  }
}

const nothing = (): TreesState => ({
  settings: USUAL,
  seen: null,
  trees: [],
  moves: [],
  busy: false,
  spot: null,
  line: [],
  move: null,
  squares: [],
});
