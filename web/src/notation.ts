/** Moves and positions in words, for screen readers. */

import type { LineMove, Side } from "./records";

const NAMES: Record<string, string> = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };
const FIGURES: Record<string, string> = { p: "♟", n: "♞", b: "♝", r: "♜", q: "♛" };
const WORTH: Record<string, number> = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };
const ALL = "ppppppppnnbbrrq";

/** “Nxf3+” as “knight takes f 3, check”. */
export function spoken(san: string): string {
  const end = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  if (san.startsWith("O-O-O")) return `castles queenside${end}`;
  if (san.startsWith("O-O")) return `castles kingside${end}`;
  const words = [...san.replace(/[+#]/g, "")].map((letter) => {
    if (letter === "x") return "takes";
    if (letter === "=") return "becomes";
    return NAMES[letter] ?? letter;
  });
  return words.join(" ") + end;
}

/** The first moves of a line with their numbers: 12… Nf6 13. e5 Nd5 */
export function numbered(moves: readonly LineMove[], most: number): string {
  const words = moves.slice(0, most).map(({ san, number, turn }, i) => moveNumber(number, turn, i === 0) + san);
  return words.join(" ");
}

/** What is written before a move: a number before White's, and before Black's only where a line begins. */
export function moveNumber(number: number, turn: Side, first: boolean): string {
  return turn === "white" ? `${number}. ` : first ? `${number}… ` : "";
}

/** The pieces of a FEN by letter and square. */
export function pieces(fen: string): { letter: string; square: string }[] {
  const found: { letter: string; square: string }[] = [];
  fen
    .split(" ")[0]!
    .split("/")
    .forEach((row, i) => {
      let file = 0;
      for (const letter of row) {
        if (/\d/.test(letter)) file += Number(letter);
        else found.push({ letter, square: "abcdefgh"[file++]! + (8 - i) });
      }
    });
  return found;
}

/** Where everything stands, in a sentence for each side. */
export function describe(fen: string, turn: Side, check: boolean): string {
  const all = pieces(fen);
  const side = (mine: (letter: string) => boolean): string =>
    all
      .filter(({ letter }) => mine(letter))
      .map(({ letter, square }) => `${NAMES[letter.toUpperCase()]} ${square}`)
      .join(", ");
  const toMove = `${turn === "white" ? "White" : "Black"} to move${check ? ", in check" : ""}`;
  return `${toMove}. White: ${side((l) => l < "a")}. Black: ${side((l) => l > "Z")}.`;
}

/** What a side has taken, as figures, and how far it is ahead. */
export function taken(fen: string, by: Side): string {
  const letters = pieces(fen).map(({ letter }) => letter);
  const white = letters.filter((letter) => letter < "a").map((letter) => letter.toLowerCase());
  const black = letters.filter((letter) => letter > "Z");
  const [own, theirs] = by === "white" ? [white, black] : [black, white];
  const missing = [...ALL];
  for (const letter of theirs) if (missing.includes(letter)) missing.splice(missing.indexOf(letter), 1);
  const worth = (list: string[]): number => list.reduce((sum, letter) => sum + (WORTH[letter] ?? 0), 0);
  const lead = worth(own) - worth(theirs);
  const figures = missing
    .reverse()
    .map((letter) => FIGURES[letter])
    .join("");
  return lead > 0 ? `${figures} +${lead}` : figures;
}
