/** What two trees say, in words. */

import { amount } from "../amounts";
import type { Growth, RootMove, TreesState } from "../trees";
import { percent } from "./likely";

/** The line to the node that is pointed at. */
export function lineOf({ spot, trees, move, settings }: TreesState): string {
  const tree = spot && trees[spot.side];
  if (!tree || !spot.node) return move ? rootLine(move, trees) : "Point at a node to see its line on the board.";
  const { sans, values, shares, shape } = tree.view;
  const path = tree.path(spot.node).map((node) => sans[node]!);
  const below = tree.below[spot.node]! - 1;
  const value = `${values[spot.node]} % for White`;
  const likely = shape === "depth" ? "" : ` · ${odds(shares[spot.node]!)}`;
  return `${numbered(path, settings.fen)} · ${value}${likely} · ${below ? amount(below) : "no"} nodes below`;
}

function rootLine(move: RootMove, trees: readonly Growth[]): string {
  const parts = trees.map((tree, side) => {
    const node = move.nodes[side];
    if (node === undefined) return `not in the ${side ? "right" : "left"} tree`;
    return `${side ? "right" : "left"} ${amount(tree.below[node]!)} nodes, to ply ${tree.deepest[node]!}`;
  });
  return `${move.san}: ${parts.join("; ")}`;
}

/** Moves as on a score sheet. */
function numbered(sans: readonly string[], fen: string): string {
  const [, turn, , , , move] = fen.split(" ");
  const first = 2 * Number(move ?? 1) + (turn === "b" ? 1 : 0);
  return sans
    .map((san, i) => {
      const half = first + i;
      return half % 2 === 0 ? `${half / 2}. ${san}` : i === 0 ? `${(half - 1) / 2}… ${san}` : san;
    })
    .join(" ");
}

/** A small probability as people say it. */
const odds = (share: number): string =>
  share >= 0.01 ? percent(share) : `one in ${amount(Math.round(1 / Math.max(share, 1e-12)))}`;

/** What the trees say, for people who would rather read: where the second goes deeper than the first, most of all. */
export function inWords({ trees, moves, busy, seen }: TreesState): string {
  if (seen?.position.ending) return `The game is over: ${seen.position.ending}. There is no tree.`;
  const [left, right] = trees;
  if (!left || !right) return busy ? "They grow …" : "";
  const gain = ({ nodes }: RootMove): number => {
    const [a, b] = nodes;
    return a === undefined || b === undefined ? 0 : right.deepest[b]! - left.deepest[a]!;
  };
  const most = [...moves].sort((a, b) => gain(b) - gain(a))[0];
  if (!most || gain(most) <= 0) return "The right tree is nowhere deeper than the left one.";
  const [a, b] = most.nodes as [number, number];
  const share = (tree: Growth, node: number): string => percent(tree.below[node]! / tree.size);
  return (
    `After ${most.san} the right tree goes ${right.deepest[b]!} plies deep, the left one ${left.deepest[a]!}; ` +
    `it spends ${share(right, b)} of its nodes there, the left one ${share(left, a)}.`
  );
}
