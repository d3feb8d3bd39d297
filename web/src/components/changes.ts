/** What changed from one brain to another: values by kind of position, attributions by piece and square, and boards. */

import { fill, h } from "../dom";
import { type Changed, pawns, sideName, signed } from "../explain";
import type { Peek } from "./peek";
import { table } from "./table";

/** Kinds of positions that are listed: those where the values are furthest apart. */
const KINDS = 8;

export class ChangesView {
  readonly element = h("div.changes");

  constructor(
    private readonly open: (fen: string) => void,
    private readonly peek: Peek,
  ) {}

  clear(): void {
    fill(this.element);
  }

  show({ before, now, positions, whole, kinds, pieces, squares, boards }: Changed): void {
    const alike = whole.correlation === null ? "" : `, correlation ${whole.correlation.toFixed(2)}`;
    const apart = `${whole.mean.toFixed(3)} on average (${whole.low.toFixed(3)} … ${whole.high.toFixed(3)})`;
    const most = [...kinds].sort((a, b) => b.mean - a.mean).slice(0, KINDS);
    fill(
      this.element,
      h("p", {}, `From ${before} to ${now}, on ${positions} positions: mean difference ${apart} of a point${alike}.`),
      h(
        "div.change-tables",
        {},
        part("Where values changed most", kindTable(most)),
        part("What pieces contribute", pieceTable(pieces)),
        part("Squares where that changed most, beyond the change of the piece", squareTable(squares)),
      ),
      h("h4", {}, "Where their values differ most"),
      h("ul.most-active", {}, ...boards.map((board) => h("li", {}, this.board(board)))),
    );
  }

  private board({ fen, turn, now, before }: Changed["boards"][0]): HTMLElement {
    const onclick = (): void => {
      this.peek.hide();
      this.open(fen);
    };
    const button = h("button", { onclick }, `${before.text} → ${now.text}, ${sideName(turn)} to move`);
    this.peek.watch(
      button,
      () => turn,
      () => ({ fen }),
    );
    return button;
  }
}

const part = (title: string, content: HTMLElement): HTMLElement => h("section", {}, h("h4", {}, title), content);

const kindTable = (kinds: Changed["kinds"]): HTMLElement =>
  table(
    "Kinds of positions",
    [
      { title: "Kind of position", cell: ({ name }) => name },
      { title: "Apart by", cell: ({ mean }) => mean.toFixed(3), number: true },
      { title: "Positions", cell: ({ positions }) => String(positions), number: true },
    ],
    kinds,
  );

const pieceTable = (pieces: Changed["pieces"]): HTMLElement =>
  table(
    "Pieces",
    [
      { title: "Piece", cell: ({ kind }) => kind },
      { title: "Before", cell: ({ before }) => pawns(before), number: true },
      { title: "Now", cell: ({ now }) => pawns(now), number: true },
      { title: "Change", cell: ({ before, now }) => signed(now - before), number: true },
    ],
    pieces,
  );

const squareTable = (squares: Changed["squares"]): HTMLElement =>
  table(
    "Squares",
    [
      { title: "Piece on", cell: ({ kind, square }) => `${kind} ${square}` },
      { title: "Before", cell: ({ before }) => pawns(before), number: true },
      { title: "Now", cell: ({ now }) => pawns(now), number: true },
      { title: "Beyond", cell: ({ beyond }) => signed(beyond), number: true },
    ],
    squares,
  );
