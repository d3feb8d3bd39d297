"""A game in the terminal: a person against a player, or a player against itself; the board, the value bar, captures."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from okapi.core import Color, Decision, Game, Kind, Limits, Move, Piece, Position, Square
from okapi.errors import IllegalMove, InvalidText, OkapiError
from okapi.formats.pgn import movetext, write_pgn
from okapi.players import Player

# --- Drawing ----------------------------------------------------------------------------------------------------------

SOLID: Final = dict(zip("pnbrqk", "♟♞♝♜♛♚", strict=True))
OUTLINE: Final = dict(zip("PNBRQK", "♙♘♗♖♕♔", strict=True))
WORTH: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 0}

LIGHT, DARK = "#9c8a70", "#6b5842"
LIGHT_MOVED, DARK_MOVED = "#b59b3c", "#8f7722"
CHECK = "#b4483c"
WHITE_PIECE, BLACK_PIECE = "#ffffff", "#101010"


@dataclass(frozen=True, slots=True)
class BoardStyle:
    color: bool = True
    unicode: bool = True
    large: bool = False  # squares of three rows instead of one

    @classmethod
    def of(cls, console: Console) -> "BoardStyle":
        unicode = (console.encoding or "").lower().replace("-", "").startswith("utf")
        roomy = console.height >= 34 and console.width >= 100
        return cls(color=console.color_system is not None and not console.no_color, unicode=unicode, large=roomy)


def draw_board(position: Position, look: BoardStyle, *, last: Move | None = None, flipped: bool = False) -> Text:
    """The board seen by White or, if flipped, by Black; the last move is highlighted."""
    ranks = range(8) if flipped else range(7, -1, -1)
    files = range(7, -1, -1) if flipped else range(8)
    moved = {last.from_square.index, last.to_square.index} if last is not None else set()
    checked = position.king(position.turn).index if position.is_check() else None
    text = Text(no_wrap=True)
    for rank in ranks:
        for row in range(3 if look.large else 1):
            middle = not look.large or row == 1
            text.append(f" {rank + 1} " if middle else "   ", style="dim")
            for file in files:
                square = Square.at(8 * rank + file)
                piece = position.at(square) if middle else None
                text.append(*_cell(square, piece, look, moved=square.index in moved, checked=square.index == checked))
            text.append("\n")
    width = 7 if look.large else 3
    text.append("   " + "".join("abcdefgh"[file].center(width) for file in files), style="dim")
    return text


def _cell(square: Square, piece: Piece | None, look: BoardStyle, *, moved: bool, checked: bool) -> tuple[str, str]:
    """One row of one square: its text and its style."""
    dark = (square.file + square.rank) % 2 == 0
    symbol = " " if piece is None else figure(piece, look)
    if not look.color:
        if piece is None:
            symbol = "·" if dark and look.unicode else "." if dark else " "
        return (f"[{symbol}]" if moved else f" {symbol} "), ""
    ground = (DARK_MOVED if dark else LIGHT_MOVED) if moved else (DARK if dark else LIGHT)
    return symbol.center(7 if look.large else 3), f"bold {ink(piece)} on {CHECK if checked else ground}"


def ink(piece: Piece | None) -> str:
    return WHITE_PIECE if piece is not None and piece.color is Color.WHITE else BLACK_PIECE


def figure(piece: Piece, look: BoardStyle) -> str:
    """With colours all figures are solid; without, White's are outlines."""
    letter = str(piece)
    if not look.unicode:
        return letter
    return SOLID[letter.lower()] if look.color or letter.islower() else OUTLINE[letter]


def draw_bar(expected: float, look: BoardStyle, *, width: int = 24) -> Text:
    """The expected score of White as a bar, from the left."""
    filled = round(expected * width)
    text = Text(no_wrap=True)
    if look.color:
        text.append(" " * filled, style="on #f0f0f0").append(" " * (width - filled), style="on #303030")
    elif look.unicode:
        text.append("█" * filled + "░" * (width - filled))
    else:
        text.append("#" * filled + "." * (width - filled))
    return text.append(f" {expected:.2f}", style="bold")


def captured(start: Position, now: Position, by: Color, look: BoardStyle) -> str:
    """What `by` has taken since `start`, the most valuable first, and how far it is ahead in pawns."""
    taken = Counter(_kinds(start, by.other)) - Counter(_kinds(now, by.other))
    pieces = sorted(taken.elements(), key=lambda kind: -WORTH[kind])
    shown = "".join(figure(Piece(by.other, kind), look) for kind in pieces)
    lead = sum(map(WORTH.__getitem__, _kinds(now, by))) - sum(map(WORTH.__getitem__, _kinds(now, by.other)))
    return f"{shown} +{lead}".strip() if lead > 0 else shown


def _kinds(position: Position, color: Color) -> list[Kind]:
    return [piece.kind for _, piece in position.pieces() if piece.color is color]


# --- A game -----------------------------------------------------------------------------------------------------------

HELP: Final = {
    "e4 Nf3 O-O e2e4": "play a move, in SAN or UCI",
    "hint": "show a good move",
    "undo": "take your last move back",
    "moves": "list the legal moves",
    "flip": "flip the board",
    "fen": "print the position",
    "save FILE": "write the game to a PGN file",
    "new": "start a new game with sides changed",
    "resign": "resign",
    "quit": "leave (or Ctrl-D)",
}


class Quit(Exception):
    """The person wants to leave."""


class TerminalSession:
    def __init__(
        self,
        player: Player,
        limits: Limits,
        *,
        name: str = "Okapi",
        side: Color = Color.WHITE,
        start: Position | None = None,
        console: Console | None = None,
        ask: Callable[[str], str] = input,
        pgn: Path | None = None,
        adviser: Player | None = None,
    ) -> None:
        """`ask` is what reads a line from the person; `adviser` gives the hints, at full strength."""
        self.player, self.limits, self.name, self.side = player, limits, name, side
        self.adviser = adviser or player
        self.start = start or Position.start()
        self.position = self.start.copy()
        self.console = console or Console(highlight=False)
        self.look = BoardStyle.of(self.console)
        self.flipped = side is Color.BLACK
        self.expected = 0.5
        """White's expected score, by the player."""
        self.resigned: Color | None = None
        self.pgn = pgn
        self._ask = ask
        self._notes: list[Text] = []

    def run(self) -> None:
        """Play until the person leaves: by quit, end of input or Ctrl-C."""
        self.note("Type a move, or help.")
        try:
            while True:
                if self.is_over():
                    self._after_the_game()
                elif self.position.turn is self.side:
                    self._person_moves()
                else:
                    self._player_moves()
        except (Quit, EOFError, KeyboardInterrupt):
            self.console.print()
        if self.pgn is not None and self.position.plies:
            self._save(str(self.pgn))
            self._print_notes()
        self.console.print("Good bye.", style="dim")

    def is_over(self) -> bool:
        """Checkmate, a draw, or a resignation."""
        return self.resigned is not None or self.position.ending() is not None

    def game(self) -> Game:
        names = {self.side: "You", self.side.other: self.name}
        tags = {"Event": "Terminal game", "White": names[Color.WHITE], "Black": names[Color.BLACK]}
        return Game(self.start, tuple(self.position.history()), self._result(), tags=tags)

    def note(self, text: str, style: str = "") -> None:
        """A line to print below the next board."""
        self._notes.append(Text(text, style=style))

    # --- Turns ------------------------------------------------------------------------------------------------------

    def _person_moves(self) -> None:
        self._show()
        text = self._ask(f"{self.position.fullmove_number}. your move: ").strip()
        if text:
            self._obey(text)

    def _obey(self, text: str) -> None:
        """A command or, while the game is not over, a move."""
        word, _, rest = text.partition(" ")
        try:
            match word.lower():
                case "help" | "?":
                    self._help()
                case "hint":
                    self._hint()
                case "undo":
                    self._undo()
                case "moves":
                    self.note(" ".join(sorted(map(self.position.san, self.position.legal_moves()))))
                case "flip":
                    self.flipped = not self.flipped
                case "fen":
                    self.note(self.position.fen())
                case "save":
                    self._save(rest.strip())
                case "new":
                    self._new()
                case "resign":
                    self.resigned = self.side
                case "quit" | "exit":
                    raise Quit
                case _ if self.is_over():
                    self.note("the game is over", style="red")
                case _:
                    self.position.play(text)
        except (IllegalMove, InvalidText) as error:
            self.note(str(error).partition(" in ")[0], style="red")
            self.note(error.hint, style="dim")
        except OkapiError as error:
            self.note(f"{error} {error.hint}", style="red")

    def _player_moves(self) -> None:
        self._show()
        with self.console.status(f"{self.name} is searching …"):
            decision = self.player.choose(self.position, self.limits)
        self.note(f"{self.name} plays {self.position.san(decision.move)}", style="bold")
        self.position.play(decision.move)
        self.expected = decision.value.seen_by(Color.WHITE)

    def _after_the_game(self) -> None:
        self.expected = {"1-0": 1.0, "0-1": 0.0}.get(self._result(), 0.5)
        self.note(f"{self._result()}: {self._why()}", style="bold")
        self._show()
        text = self._ask("new, undo, save or quit: ").strip()
        if text:
            self._obey(text)

    # --- Commands ---------------------------------------------------------------------------------------------------

    def _help(self) -> None:
        width = max(map(len, HELP))
        for words, meaning in HELP.items():
            self.note(f"{words:<{width}}   {meaning}")

    def _hint(self) -> None:
        decision = self.adviser.choose(self.position, Limits(movetime_ms=500))
        value = decision.value.for_side(self.side)
        line = movetext(Game.of(list(decision.line[:5]), self.position.copy()))
        self.note(f"{self.position.san(decision.move)}   {value}   {line}", style="green")

    def _undo(self) -> None:
        """Back to the person's last choice."""
        if self.resigned is not None:
            self.resigned = None
            return
        mine = 2 if self.position.turn is self.side else 1
        if self.position.plies < mine:
            self.note("there is nothing to take back", style="red")
            return
        for _ in range(mine):
            self.position.undo()

    def _save(self, rest: str) -> None:
        if not rest:
            self.note("where to? save FILE", style="red")
            return
        try:
            Path(rest).expanduser().write_text(write_pgn(self.game()), encoding="utf-8")
        except OSError as error:
            self.note(f"{rest} cannot be written: {error.strerror}", style="red")
        else:
            self.note(f"the game is in {rest}")

    def _new(self) -> None:
        self.side = self.side.other
        self.flipped = self.side is Color.BLACK
        self.position = self.start.copy()
        self.resigned = None
        self.expected = 0.5
        self.note(f"You are {self.side.name.capitalize()} now.")

    # --- What is shown ----------------------------------------------------------------------------------------------

    def _result(self) -> str:
        if self.resigned is not None:
            return "0-1" if self.resigned is Color.WHITE else "1-0"
        return self.position.result()

    def _why(self) -> str:
        if self.resigned is not None:
            return f"{self.resigned.name.capitalize()} resigned"
        return self.position.ending() or "not finished"

    def _show(self) -> None:
        if self.console.is_terminal:
            self.console.clear()
        history = self.position.history()
        last: Move | None = history[-1] if history else None
        grid = Table.grid(padding=(0, 4))
        grid.add_row(draw_board(self.position, self.look, last=last, flipped=self.flipped), self._panel())
        self.console.print(Padding(grid, (1, 1)))
        self._print_notes()

    def _print_notes(self) -> None:
        for text in self._notes:
            self.console.print(text)
        self._notes.clear()

    def _panel(self) -> Text:
        """Names, captured pieces, the value bar, the last moves; in the order of the sides of the board."""
        upper = Color.WHITE if self.flipped else Color.BLACK
        panel = Text()
        panel.append_text(self._player_line(upper)).append("\n")
        panel.append_text(draw_bar(self.expected, self.look)).append(" for White\n", style="dim")
        panel.append_text(self._player_line(upper.other)).append("\n\n")
        for line in _columns(self.game())[-4:]:
            panel.append(line + "\n")
        return panel

    def _player_line(self, color: Color) -> Text:
        name = "You" if color is self.side else self.name
        text = Text("▸ " if self.look.unicode and color is self.position.turn else "  ", style="bold")
        text.append(f"{name} ({color.name.capitalize()})", style="bold" if color is self.position.turn else "")
        return text.append(f"  {captured(self.start, self.position, color, self.look)}")


def _columns(game: Game) -> list[str]:
    """The moves as on a score sheet: number, White, Black."""
    lines: list[str] = []
    for position, move in game.positions():
        if position.turn is Color.WHITE or not lines:
            white = "" if position.turn is Color.WHITE else "…"
            lines.append(f"{position.fullmove_number:>3}. {white:<7}" if white else f"{position.fullmove_number:>3}. ")
        lines[-1] += f"{position.san(move):<8}"
    return lines


def watch(
    player: Player,
    limits: Limits,
    *,
    console: Console,
    name: str = "Okapi",
    start: Position | None = None,
    plies: int = 150,
    seed: int = 1,
) -> Game:
    """Let a player play against itself for at most so many plies, and print the game.

    A game from the start begins with two random moves, so that seeds give different games.
    """
    begin = start or Position.start()
    position = begin.copy()
    rng = random.Random(seed)
    decisions: list[Decision | None] = []
    while position.ending() is None and position.plies < plies:
        opening = start is None and position.plies < 2
        decision = None if opening else player.choose(position, limits)
        move = rng.choice(position.legal_moves()) if decision is None else decision.move
        decisions.append(decision)
        _print_move(console, position, move, decision)
        position.play(move)
    tags = {"Event": "Okapi against itself", "White": name, "Black": name}
    game = Game(begin, tuple(position.history()), position.result(), tuple(decisions), tags)
    look = BoardStyle.of(console)
    console.print("\n" if position.turn is Color.BLACK else "")
    console.print(draw_board(position, look, last=game.moves[-1] if game.moves else None))
    console.print(draw_bar(_expected(game), look), "for White")
    console.print(position.ending() or f"stopped after {position.plies} plies")
    console.print()
    console.print(write_pgn(game), markup=False)
    return game


def _print_move(console: Console, position: Position, move: Move, decision: Decision | None) -> None:
    """As on a score sheet: number, White's move, Black's, and what White may expect."""
    if position.turn is Color.WHITE or position.plies == 0:
        console.print(f"{position.fullmove_number:>3}. ", end="")
    if position.turn is Color.BLACK and position.plies == 0:
        console.print(f"{'…':<9}", end="")
    if position.turn is Color.WHITE:
        console.print(f"{position.san(move):<9}", end="")
    else:
        shown = "" if decision is None else f"{decision.value.seen_by(Color.WHITE):.2f}"
        console.print(f"{position.san(move):<9}{shown}".rstrip())


def _expected(game: Game) -> float:
    known = [decision.value.seen_by(Color.WHITE) for decision in game.decisions if decision is not None]
    return {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}.get(game.result, known[-1] if known else 0.5)
