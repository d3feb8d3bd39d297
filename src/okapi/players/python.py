"""Players written in Python: python:FILE.py:NAME or python:MODULE:NAME, an object with `choose` or a function.

A class is instantiated, and so is what a function without parameters returns.
"""

import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, TypeAlias, cast

from okapi.core import Decision, Limits, Move, Position, Value
from okapi.errors import NotFound, OkapiError, PlayerCheated, PlayerCrashed, PlayerFailed, UsageError, did_you_mean

Answer: TypeAlias = Decision | Move | str
"""A move: with value and line, alone, or as text in SAN or UCI."""

Choose: TypeAlias = Callable[[Position], Answer] | Callable[[Position, Limits], Answer]


class Chooser(Protocol):
    def choose(self, position: Position, limits: Limits, /) -> Answer: ...


Given: TypeAlias = Chooser | Choose | type[Chooser] | Callable[[], Chooser]
"""A player, or what makes one."""


class PythonPlayer:
    """A player made of an object with `choose`, or of a function. Whatever it raises is reported with its traceback."""

    def __init__(self, player: Chooser | Choose, *, name: str = "") -> None:
        self._player = player
        self._choose: Callable[..., Answer] = getattr(player, "choose", player)  # type: ignore[arg-type]
        if not callable(self._choose):
            hint = "give an object with choose(position, limits), or a function"
            raise UsageError(f"{player!r} cannot play", hint=hint)
        self.name = name or _name(player)
        self._takes_limits = _positional(self._choose) >= 2

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Let it choose; PlayerCrashed for an exception, PlayerCheated for what is no legal move."""
        answer = self._call(self._choose, position.copy(), *([limits] if self._takes_limits else []))
        move = answer.move if isinstance(answer, Decision) else answer
        with suppress(OkapiError):
            move = position.move(move) if isinstance(move, str) else move
            if isinstance(move, Move) and position.is_legal(move):
                return answer if isinstance(answer, Decision) else Decision(move, Value(0.5, position.turn), (move,), 0)
        raise PlayerCheated(f"{self.name} answered {answer!r:.60}, which is no legal move in {position.fen()}")

    def new_game(self) -> None:
        """Pass on that a game begins, if it has such a method."""
        begin = getattr(self._player, "new_game", None)
        if callable(begin):
            self._call(begin)

    def _call(self, function: Callable[..., Any], *arguments: object) -> Any:
        try:
            return function(*arguments)
        except PlayerFailed:
            raise
        except Exception as error:
            what = f"{self.name} failed: {type(error).__name__}: {error}"
            theirs = error.__traceback__ and error.__traceback__.tb_next  # without our own frame
            lines = traceback.format_exception(type(error), error, theirs)
            raise PlayerCrashed(what, traceback="".join(lines).rstrip()) from error


def find_python(text: str) -> PythonPlayer:
    """The player of `MODULE:NAME` or `FILE.py:NAME`; NotFound, UsageError."""
    where, colon, name = text.rpartition(":")
    if not colon or not name:
        raise UsageError(f"`python:{text}` names no player", hint="write python:players.py:NAME or python:module:NAME")
    module = _load(where, os.getcwd())
    if not hasattr(module, name):
        known = [word for word in vars(module) if not word.startswith("_")]
        raise NotFound(f"`{where}` has no `{name}`", hint=did_you_mean(name, known))
    return as_player(getattr(module, name), name=name)


def as_player(given: Given, *, name: str = "") -> PythonPlayer:
    """The player of an object or a function, or of what makes one: a class, a function without parameters."""
    if isinstance(given, PythonPlayer):
        return given
    name, player = name or _name(given), cast(Any, given)
    is_function = callable(given) and not hasattr(given, "choose")
    if isinstance(given, type) or (is_function and _positional(player) == 0):
        try:
            player = player()
        except Exception as error:
            what = f"the player `{name}` cannot be made: {type(error).__name__}: {error}"
            hint = "a class or a function that makes a player is called without arguments"
            raise UsageError(what, hint=hint) from error
    return PythonPlayer(player, name=name)


def python_file(text: str) -> Path | None:
    """The file that a player of `MODULE:NAME` or `FILE.py:NAME` comes from; None where a module has none."""
    file = _load(text.rpartition(":")[0], os.getcwd()).__file__
    return None if file is None else Path(file)


def python_spec(maker: Callable[..., object]) -> str:
    """The specification by which other processes make a player of a class, or of a function without parameters."""
    name, where = maker.__qualname__, maker.__module__
    if not name.isidentifier():
        raise UsageError(f"`{name}` cannot be made in another process", hint="define it at the top of a module")
    if where == "__main__":
        where = getattr(sys.modules[where], "__file__", None) or ""
    if not where:
        raise UsageError(f"`{name}` is in no file, so other processes cannot make it", hint="leave out workers")
    return f"python:{where}:{name}"


@lru_cache(maxsize=32)
def _load(where: str, folder: str) -> ModuleType:
    """The module of a name or of a .py file, found from `folder`."""
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        if not where.endswith(".py"):
            return importlib.import_module(where)
        path = Path(folder, where).expanduser()
        if not path.is_file():
            raise NotFound(f"no file `{where}`", hint="write python:FILE.py:NAME")
        for main in (sys.modules.get("__main__"), sys.modules.get("__mp_main__")):
            if main is not None and os.path.realpath(getattr(main, "__file__", None) or "") == os.path.realpath(path):
                return main  # the program itself, which a worker process has imported already
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    except OkapiError:
        raise
    except Exception as error:
        what = f"`{where}` cannot be imported: {type(error).__name__}: {error}"
        raise UsageError(what, hint="python:FILE.py:NAME or module:NAME") from error


def _positional(function: Callable[..., Any]) -> int:
    """The number of arguments to call it with: those without a default, and `limits`; 1 where Python cannot tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 2
    by_position = (each for each in parameters if each.kind not in (each.KEYWORD_ONLY, each.VAR_KEYWORD))
    return sum(parameter.default is parameter.empty or parameter.name == "limits" for parameter in by_position)


def _name(player: object) -> str:
    return str(getattr(player, "name", "") or getattr(player, "__name__", "") or type(player).__name__)
