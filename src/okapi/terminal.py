"""A game in the terminal: a person against a player, or a player against itself; the board, the value bar, captures."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
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
from okapi.players.protocol import loss_of

SOLID: Final = dict(zip("pnbrqk", "♟♞♝♜♛♚", strict=True))
OUTLINE: Final = dict(zip("PNBRQK", "♙♘♗♖♕♔", strict=True))
WORTH: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 0}
SCORES: Final = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}  # White's
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
    files = range(7, -1, -1) if flipped else range(8)
    moved = {last.from_square.index, last.to_square.index} if last is not None else set()
    checked = position.king(position.turn).index if position.is_check() else None
    text = Text(no_wrap=True)
    for rank in reversed(files):
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
    before, after = (Counter(piece for _, piece in position.pieces()) for position in (start, now))
    taken = [piece for piece in (before - after).elements() if piece.color is not by]
    shown = "".join(figure(piece, look) for piece in sorted(taken, key=lambda piece: -WORTH[piece.kind]))
    lead = sum(WORTH[piece.kind] * (1 if piece.color is by else -1) for piece in after.elements())
    return f"{shown} +{lead}".strip() if lead > 0 else shown


@dataclass
class TerminalSession:
    player: Player
    limits: Limits
    _: KW_ONLY
    console: Console
    name: str = "Okapi"
    side: Color = Color.WHITE
    start: Position | None = None
    pgn: Path | None = None
    adviser: Player | None = None  # gives the hints, at full strength
    ask: Callable[[str], str] = input  # reads a line from the person

    def __post_init__(self) -> None:
        self._start = self.start or Position.start()
        self.position = self._start.copy()
        self.look = BoardStyle.of(self.console)
        self.flipped = self.side is Color.BLACK
        self.expected = 0.5  # White's score, by the player
        self.resigned: Color | None = None
        self._notes: list[Text] = []

    def run(self) -> None:
        """Play until the person leaves: by quit, end of input or Ctrl-C."""
        self.note("Type a move, or help.")
        try:
            while True:
                if self.is_over():
                    self._after_the_game()
                elif self.position.turn is self.side:
                    self._ask_person(f"{self.position.fullmove_number}. your move: ")
                else:
                    self._player_moves()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        if self.pgn is not None and self.position.plies:
            self._save(str(self.pgn))
            self._print_notes()
        self.console.print("Good bye.", style="dim")

    def is_over(self) -> bool:
        return self._ending()[0] != "*"

    def game(self) -> Game:
        names = {self.side: "You", self.side.other: self.name}
        tags = {"Event": "Terminal game", "White": names[Color.WHITE], "Black": names[Color.BLACK]}
        return Game(self._start, tuple(self.position.history()), self._ending()[0], tags=tags)

    def note(self, text: str, style: str = "") -> None:
        """A line to print below the next board."""
        self._notes.append(Text(text, style=style))

    def _ask_person(self, question: str) -> None:
        """Show the board, and obey a command or, while the game is not over, a move."""
        self._show()
        text = self.ask(question).strip()
        word, _, rest = text.partition(" ")
        try:
            match word.lower():
                case "":
                    pass
                case "help" | "?":
                    for words, meaning in HELP.items():
                        self.note(f"{words:<15}   {meaning}")
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
                    raise EOFError  # as at the end of input
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
        result, why = self._ending()
        self.expected = SCORES[result]
        self.note(f"{result}: {why}", style="bold")
        self._ask_person("new, undo, save or quit: ")

    def _hint(self) -> None:
        decision = (self.adviser or self.player).choose(self.position, Limits(movetime_ms=500))
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
        else:
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
        self.position = self._start.copy()
        self.resigned = None
        self.expected = 0.5
        self.note(f"You are {self.side.name.capitalize()} now.")

    def _ending(self) -> tuple[str, str]:
        if self.resigned is not None:
            return loss_of(self.resigned), f"{self.resigned.name.capitalize()} resigned"
        return self.position.result(), self.position.ending() or "not finished"

    def _show(self) -> None:
        if self.console.is_terminal:
            self.console.clear()
        *_, last = (None, *self.position.history())
        grid = Table.grid(padding=(0, 4))
        grid.add_row(draw_board(self.position, self.look, last=last, flipped=self.flipped), self._panel())
        self.console.print(Padding(grid, (1, 1)))
        self._print_notes()

    def _print_notes(self) -> None:
        while self._notes:
            self.console.print(self._notes.pop(0))

    def _panel(self) -> Text:
        """Names, captured pieces, the value bar, the last moves; in the order of the sides of the board."""
        upper = Color.WHITE if self.flipped else Color.BLACK
        panel = self._player_line(upper).append("\n")
        panel.append_text(draw_bar(self.expected, self.look)).append(" for White\n", style="dim")
        panel.append_text(self._player_line(upper.other)).append("\n\n")
        return panel.append("".join(f"{line}\n" for line in _columns(self.game())[-4:]))

    def _player_line(self, color: Color) -> Text:
        name, moves = "You" if color is self.side else self.name, color is self.position.turn
        text = Text("▸ " if self.look.unicode and moves else "  ", style="bold")
        text.append(f"{name} ({color.name.capitalize()})", style="bold" if moves else "")
        return text.append(f"  {captured(self._start, self.position, color, self.look)}")


def _columns(game: Game) -> list[str]:
    """The moves as on a score sheet: number, White, Black."""
    lines: list[str] = []
    for position, move in game.positions():
        if position.turn is Color.WHITE or not lines:
            lines.append(_number(position, width=7))
        lines[-1] += f"{position.san(move):<8}"
    return lines


def _number(position: Position, width: int) -> str:
    """The number of a move and, before one of Black, a gap for White's."""
    return f"{position.fullmove_number:>3}. " + ("" if position.turn is Color.WHITE else "…".ljust(width))


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
    position, rng, expected = begin.copy(), random.Random(seed), 0.5
    decisions: list[Decision | None] = []
    while position.ending() is None and position.plies < plies:
        opening = start is None and position.plies < 2
        decision = None if opening else player.choose(position, limits)
        move = rng.choice(position.legal_moves()) if decision is None else decision.move
        decisions.append(decision)
        expected = expected if decision is None else decision.value.seen_by(Color.WHITE)
        _print_move(console, position, move, decision)
        position.play(move)
    tags = {"Event": "Okapi against itself", "White": name, "Black": name}
    game = Game(begin, tuple(position.history()), position.result(), tuple(decisions), tags)
    look = BoardStyle.of(console)
    console.print("\n" if position.turn is Color.BLACK else "")
    console.print(draw_board(position, look, last=game.moves[-1] if game.moves else None))
    console.print(draw_bar(SCORES.get(game.result, expected), look), "for White")
    console.print(position.ending() or f"stopped after {position.plies} plies")
    console.print()
    console.print(write_pgn(game), markup=False)
    return game


def _print_move(console: Console, position: Position, move: Move, decision: Decision | None) -> None:
    """As on a score sheet: number, White's move, Black's, and what White may expect."""
    if position.turn is Color.WHITE or position.plies == 0:
        console.print(_number(position, width=9), end="")
    if position.turn is Color.WHITE:
        console.print(f"{position.san(move):<9}", end="")
    else:
        shown = "" if decision is None else f"{decision.value.seen_by(Color.WHITE):.2f}"
        console.print(f"{position.san(move):<9}{shown}".rstrip())
