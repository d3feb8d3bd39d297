"""The table of commands, and what happens when one of them fails."""

import os
import re
import sys
from pkgutil import resolve_name
from typing import Any, Final

from cyclopts import App, CycloptsError, Parameter

from okapi import __version__
from okapi.cli.console import Exit, out, show_error, show_okapi_error, talk
from okapi.errors import OkapiError, UsageError

__all__ = ["COMMANDS", "GROUPS", "dispatch"]

COMMANDS: Final = {
    "play": "okapi.cli.play:play",
    "analyse": "okapi.cli.analyse:analyse",
    "uci": "okapi.cli.uci:uci",
    "eval": "okapi.cli.evaluate:evaluate",
    "moves": "okapi.cli.moves:moves",
    "encode": "okapi.cli.encode:encode",
    "match": "okapi.cli.match:match",
    "tournament": "okapi.cli.tournament:tournament",
    "league": "okapi.cli.league:league",
    "rate": "okapi.cli.rate:rate",
    "ablate": "okapi.cli.ablate:ablate",
    "tune": "okapi.cli.tune:tune",
    "suite": "okapi.cli.suite:suite",
    "label": "okapi.cli.label:label",
    "selfplay": "okapi.cli.selfplay:selfplay",
    "evolve": "okapi.cli.evolve:evolve",
    "train": "okapi.cli.train:train",
    "paper": "okapi.cli.paper:paper",
    "bench": "okapi.cli.bench:bench",
    "perft": "okapi.cli.perft:perft",
}
"""In the order in which a person meets them. A command's module is imported when it is called, and not before."""

GROUPS: Final = {
    "games": (
        "Games: PGN into a store and back, what is in it, what is wrong with it, how it is split.",
        {
            "import": "okapi.cli.games:import_",
            "export": "okapi.cli.games:export",
            "stats": "okapi.cli.games_stats:stats",
            "doctor": "okapi.cli.games_doctor:doctor",
            "split": "okapi.cli.games_split:split",
        },
    ),
    "samples": (
        "Samples: positions with what is known about them, in any format.",
        {
            "convert": "okapi.cli.samples:convert",
            "show": "okapi.cli.samples:show",
            "play": "okapi.cli.samples_play:play",
        },
    ),
    "brains": (
        "Brains: learned weights with their cards.",
        {
            "list": "okapi.cli.brains:list_brains",
            "show": "okapi.cli.brains:show",
            "compare": "okapi.cli.brains_compare:compare",
        },
    ),
    "inside": (
        "Inside a brain: what pieces are worth to it, what its neurons like, what changed since another one.",
        {
            "pieces": "okapi.cli.inside_pieces:pieces",
            "neurons": "okapi.cli.inside_neurons:neurons",
            "changes": "okapi.cli.inside_changes:changes",
        },
    ),
}
"""Commands that have commands: what they are about, and those below them."""

PLACEMENT: Final = re.compile(r"[1-8pnbrqkPNBRQK]+(/[1-8pnbrqkPNBRQK]+){7}")
FIELDS: Final = tuple(map(re.compile, ("[wb]", "-|[A-HKQa-hkq]{1,4}", "-|[a-h][36]", "[0-9]+", "[0-9]+")))
"""The parts of a FEN."""

HELP = """A chess engine that learns.

Begin with `okapi play`. `okapi COMMAND --help` explains a command and shows examples; `--json` is for programs.
"""


def make_app(*, lazy: bool) -> App:
    """The parser of the command line, made from the tables above. A lazy one knows no summaries to list."""
    app = App(
        name="okapi",
        help=HELP,
        version=__version__,
        help_format="plaintext",
        default_parameter=Parameter(negative=(), show_default=_shown),
        result_action="return_value",
        console=out(),
        error_console=talk(),
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
    )
    for order, (name, function) in enumerate(COMMANDS.items()):
        app.command(function if lazy else resolve_name(function), name=name, sort_key=order)
    for order, (name, (about, commands)) in enumerate(GROUPS.items(), start=len(COMMANDS)):
        group = App(name=name, help=about, sort_key=order)
        for below, function in commands.items():
            group.command(function if lazy else resolve_name(function), name=below)
        app.command(group)
    return app


def dispatch(arguments: list[str]) -> int:
    """Run the command that the arguments name. Every error ends here."""
    try:
        code = make_app(lazy=bool(arguments) and arguments[0] in COMMANDS)(with_whole_fens(arguments))
        sys.stdout.flush()
    except CycloptsError as error:
        show_error(*_usage(error))
        return Exit.USAGE
    except UsageError as error:
        show_okapi_error(error)
        return Exit.USAGE
    except OkapiError as error:
        show_okapi_error(error)
        return Exit.INPUT
    except KeyboardInterrupt:
        show_error("interrupted", "the same command begins again")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody listens any more: no second complaint
        return Exit.DONE
    return code if isinstance(code, int) else Exit.DONE


def with_whole_fens(arguments: list[str]) -> list[str]:
    """The arguments, with a FEN that somebody forgot to put in quotes made one of them again.

    >>> with_whole_fens("eval 4k3/8/8/8/8/8/8/4K3 w - - 0 1 --json".split())
    ['eval', '4k3/8/8/8/8/8/8/4K3 w - - 0 1', '--json']
    """
    whole: list[str] = []
    left = list(arguments)
    while left:
        word = left.pop(0)
        if PLACEMENT.fullmatch(word):
            for field in FIELDS:
                if not left or not field.fullmatch(left[0]):
                    break
                word += f" {left.pop(0)}"
        whole.append(word)
    return whole


def _shown(default: Any) -> Any:
    """A default as the help shows it: nothing, where it says nothing."""
    return None if default in (None, False, ()) else str(default)


def _usage(error: CycloptsError) -> tuple[str, str]:
    """What is wrong with the command line, and a hint: cyclopts says both in one paragraph."""
    text = " ".join(str(error).split())
    for start in ("Did you mean", "Available commands:", "Choose from:"):
        message, found, hint = text.partition(f" {start}")
        if found:
            hint = hint.replace(", ...", " …")  # a list that cyclopts cut short
            return message.rstrip("."), start[0].lower() + start[1:] + hint.rstrip(".")
    chain = " ".join(error.command_chain or ())
    return text.rstrip("."), f"`okapi {chain} --help` shows what it takes" if chain else "`okapi --help` lists commands"
