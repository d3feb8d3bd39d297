"""The table of commands, and what happens when one of them fails."""

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any, Final, Literal

from cyclopts import App, CycloptsError, Group, Parameter
from cyclopts.exceptions import MissingArgumentError, UnknownOptionError, UnusedCliTokensError

import okapi
from okapi.cli.console import Exit, Json, answer, note, out, show_error, talk
from okapi.cli.parameters import about, out_flag
from okapi.errors import OkapiError, Unfinished, UsageError


@dataclass(frozen=True, slots=True)
class Subcommands:
    """A verb that has verbs below it: functions of a module, without the underscore at the end of a name."""

    about: str
    module: str
    names: tuple[str, ...]
    """Those of another module with its name, as MODULE:NAME."""

    @property
    def functions(self) -> dict[str, str]:
        paths = (name if ":" in name else f"{self.module}:{name}" for name in self.names)
        return {path.rpartition(":")[2].rstrip("_"): path for path in paths}


COMMANDS: Final[dict[str, dict[str, str | Subcommands]]] = {
    "Play and analyse": {
        "play": "okapi.cli.play:play",
        "analyse": "okapi.cli.analyse:analyse",
        "eval": "okapi.cli.evaluate:evaluate",
        "moves": "okapi.cli.evaluate:moves",
        "explain": Subcommands(
            "Explain a brain: what each piece contributes, what neurons react to, what changed since another brain.",
            "okapi.cli.explain",
            ("pieces", "neurons", "changes"),
        ),
        "uci": "okapi.cli.play:uci",
    },
    "Train": {
        "train": "okapi.cli.train:train",
        "tune": "okapi.cli.tune:tune",
        "games": Subcommands(
            "Games: PGN into a store and back, statistics, faults, and the split into training and test.",
            "okapi.cli.games",
            ("import_", "export", "stats", "doctor", "split"),
        ),
        "samples": Subcommands(
            "Samples: positions with labels, in any format.", "okapi.cli.samples", ("convert", "show", "play")
        ),
        "label": "okapi.cli.samples:label",
        "selfplay": "okapi.cli.samples:selfplay",
        "brains": Subcommands(
            "Brains: learned weights with their model cards.",
            "okapi.cli.brains",
            ("list_", "show", "okapi.cli.explain:compare", "export", "add", "import_", "remove", "rename"),
        ),
    },
    "Compete": {
        "match": "okapi.cli.match:match",
        "tournament": "okapi.cli.match:tournament",
        "league": "okapi.cli.paper:league",
        "rate": "okapi.cli.rate:rate",
        "suite": "okapi.cli.analyse:suite",
        "ladder": "okapi.cli.rate:ladder",
    },
    "Research and tools": {
        "paper": "okapi.cli.paper:paper",
        "bench": "okapi.cli.bench:bench",
        "perft": "okapi.cli.bench:perft",
        "encode": "okapi.cli.evaluate:encode",
        "ablate": "okapi.cli.tune:ablate",
        "experiment": "okapi.cli.match:experiment",
        "completion": "okapi.cli.app:completion",
    },
}
"""The commands by group, as `okapi --help` shows them. The module of a command is imported when it is called."""

HIDDEN: Final = {"evolve": "okapi.cli.train:evolve"}
"""Commands that `okapi --help` does not list: `okapi train` does the same."""

ALIASES: Final = {"analyze": ("analyse",), "inside": ("explain",), "--install-completion": ("completion", "--install")}
"""Other names of commands. `inside` is a former one, and goes with the next release."""

PLACEMENT: Final = re.compile(r"[1-8pnbrqkPNBRQK]+(/[1-8pnbrqkPNBRQK]+){7}")
FIELDS: Final = tuple(map(re.compile, ("[wb]", "-|[A-HKQa-hkq]{1,4}", "-|[a-h][36]", "[0-9]+", "[0-9]+")))

HELP = """A chess engine that learns.

Begin with `okapi play`. `okapi COMMAND --help` explains a command and shows examples; `--json` is for programs.
`--runs DIR` or the variable OKAPI_RUNS names the folder of your runs and brains.
"""


def make_app(called: Sequence[str] = ()) -> App:
    """The parser of the command line, made from the tables above. `called` is the command that is to be run."""
    app = App(
        name="okapi",
        help=HELP,
        version=lambda: okapi.__version__,
        help_format="plaintext",
        default_parameter=Parameter(negative=(), show_default=_shown),
        result_action="return_value",
        console=out(),
        error_console=talk(),
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
    )

    def add(to: App, function: str, *names: str, **options: Any) -> None:
        about = None if names == tuple(called[: len(names)]) else summary(function)
        to.command(function, name=names[-1], help=about, **options)

    for order, (title, commands) in enumerate(COMMANDS.items()):
        group = Group(title, sort_key=order)
        for place, (name, command) in enumerate(commands.items()):
            if isinstance(command, Subcommands):
                below = App(name=name, help=command.about, group=group, sort_key=place)
                for subname, function in command.functions.items():
                    add(below, function, name, subname)
                app.command(below)
            else:
                add(app, command, name, group=group, sort_key=place)
    for name, function in HIDDEN.items():
        add(app, function, name, show=False)
    options = Group("Options", sort_key=len(COMMANDS))
    for flag in ("--help", "--version"):
        app[flag].group = (options,)
    return app


@cache
def summary(function: str) -> str:
    """The first sentences of a command's docstring, read from its file: importing every module would take a second."""
    module, _, name = function.rpartition(":")
    file = Path(__file__).with_name(f"{module.rpartition('.')[2]}.py")
    if not file.exists():  # a module of somebody else
        return (resolve_name(function).__doc__ or "").partition("\n")[0]
    text = file.read_text(encoding="utf-8")
    found = re.search(rf'^def {name}\(.*?\) -> [^\n]+:\n    """(.*?)(?:"""|\n\n)', text, re.MULTILINE | re.DOTALL)
    assert found is not None, f"{function} has no docstring"
    return " ".join(found[1].split())


def command_names(*groups: str) -> list[str]:
    """Every command, such as `play` and `games import`, or those of the groups that `--help` shows."""
    found = [] if groups else list(HIDDEN)
    for group in groups or COMMANDS:
        for name, command in COMMANDS[group].items():
            subcommands = command.functions if isinstance(command, Subcommands) else {}
            found += [f"{name} {subname}" for subname in subcommands] or [name]
    return found


def dispatch(arguments: list[str]) -> int:
    """Run the command that the arguments name. Every error ends here."""
    if arguments:
        arguments = [*ALIASES.get(arguments[0], arguments[:1]), *arguments[1:]]
    fail = partial(show_error, json="--json" in arguments)
    try:
        arguments = with_runs_folder(arguments)
        code = make_app(arguments)(with_whole_fens(arguments))
        sys.stdout.flush()
    except CycloptsError as error:
        return fail(*_usage(error), Exit.USAGE)
    except OkapiError as error:
        known = {UsageError: Exit.USAGE, Unfinished: Exit.INTERRUPTED}
        return fail(str(error), error.hint, known.get(type(error), Exit.INPUT))
    except KeyboardInterrupt:
        return fail("interrupted", "the same command begins again", Exit.INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone: print no second error
        return Exit.DONE
    except OSError as error:
        if error.filename is None:
            raise
        return fail(f"`{error.filename}`: {error.strerror}", "", Exit.INPUT)
    return code if isinstance(code, int) else Exit.DONE


def with_runs_folder(arguments: list[str]) -> list[str]:
    """The arguments without `--runs DIR`, which every command takes: what they find by name is in that folder."""
    for place, word in enumerate(arguments):
        flag, equals, folder = word.partition("=")
        if flag == "--runs":
            value = [folder] if equals else arguments[place + 1 : place + 2]
            if not value or not value[0]:
                raise UsageError("--runs needs a folder")
            from okapi.brains.library import use_runs_folder  # here, because it imports the core

            use_runs_folder(value[0])
            return arguments[:place] + arguments[place + (1 if equals else 2) :]
    return arguments


def with_whole_fens(arguments: list[str]) -> list[str]:
    """The arguments, with a FEN that was not quoted joined into one argument.

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
    """A default as the help shows it; None for defaults that need no mention."""
    return None if default in (None, False, ()) else str(default)


SAME: Final = (
    {"--max", "--most", "--limit", "--positions", "--count", "--number"},
    {"--workers", "--concurrency", "--threads", "--jobs", "--cores"},
    {"--out", "--output", "--to", "--file"},
)
"""Flags with one meaning, of which a command takes one."""


def _usage(error: CycloptsError) -> tuple[str, str]:
    """The message of an error of usage, and its hint: cyclopts has both in one paragraph."""
    chain = " ".join(error.command_chain or ())
    usual = f"`okapi {chain} --help` shows what it takes" if chain else "`okapi --help` lists commands"
    if isinstance(error, UnknownOptionError):
        word = (error.token.keyword or error.token.value).partition("=")[0]
        flags = [name for argument in error.argument_collection for name in argument.names if name.startswith("--")]
        near = nearest_flag(word, flags)
        return f"`okapi {chain}` has no option {word}", f"did you mean {near}?" if near else usual
    if isinstance(error, UnusedCliTokensError) and chain:
        words = " ".join(f"`{word}`" for word in error.unused_tokens or ())
        return f"`okapi {chain}` takes no {words}", usual
    text = " ".join(str(error).split())
    for start in ("Did you mean", "Available commands:", "Choose from:"):
        message, found, hint = text.partition(f" {start}")
        if found:
            hint = hint.replace(", ...", " …")  # a list that cyclopts cut short
            return message.rstrip("."), start[0].lower() + start[1:] + hint.rstrip(".")
    if isinstance(error, MissingArgumentError) and error.argument is not None and chain:
        if error.keyword is not None:
            count, _ = error.argument.token_count()
            return f"{error.keyword} needs {'a value' if count == 1 else f'{count} values'}", usual
        example = re.search(r"xamples?:\n\s*(okapi .*)", (error.target.__doc__ or "") if error.target else "")
        return f"`okapi {chain}` needs {error.argument.name}", f"for example: {example[1]}" if example else usual
    return text.rstrip("."), usual


def nearest_flag(word: str, flags: Sequence[str]) -> str | None:
    """The flag that was meant: one that begins alike, one of the same meaning, or the most similar."""
    alike = [flag for flag in flags if word.startswith(flag) or flag.startswith(word)]
    same = [flag for group in SAME if word in group for flag in flags if flag in group]
    similar = get_close_matches(word, flags, n=1, cutoff=0.7)
    return next(iter((*alike, *same, *similar)), None)


Shell = Literal["bash", "zsh", "fish", "powershell"]


def completion(
    shell: Annotated[Shell | None, about("The shell; the one in use if not given.")] = None,
    /,
    *,
    install: Annotated[bool, about("Write it where the shell finds it, and name it in its startup file.")] = False,
    to: Annotated[Path | None, out_flag(help="Write the script to this file.")] = None,
    json: Json = False,
) -> None:
    """Print a script by which the shell completes commands and options, or install it.

    For example:
      okapi completion --install
      okapi completion bash > ~/.local/share/bash-completion/completions/okapi
    """
    from cyclopts.completion.detect import ShellDetectionError

    app = make_app()
    try:
        if install:
            to = app.install_completion(shell=shell, output=to, add_to_startup=to is None)
            note(f"written: {to}; a new shell completes okapi")
        else:
            script = app.generate_completion(shell=shell)
    except ShellDetectionError:
        raise UsageError("which shell?", hint="okapi completion bash, zsh, fish or powershell") from None
    if to is None:
        answer({"script": script}, script, json=json)
        return
    if not install:
        to.write_text(script, encoding="utf-8")
    answer({"file": str(to)}, json=json)
