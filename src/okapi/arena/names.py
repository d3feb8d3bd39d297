"""Names of players: of a brain the name of its run, never a path; different players have different names."""

from collections.abc import Callable, Sequence
from pathlib import Path

from okapi.brains import display_name, find
from okapi.files import file_hash
from okapi.players.spec import brains_of, is_engine, kind_of, limited_spec


def player_names(players: Sequence[str]) -> list[str]:
    """Short, different names for players.

    >>> player_names(["uci:/usr/games/stockfish{Hash=1}", "material", "alphabeta:material"])
    ['stockfish{Hash=1}', 'material (1)', 'material (2)']
    >>> player_names(["uci:new/engine", "uci:old/engine"])
    ['new/engine', 'old/engine']
    """
    names = [short_name(player) for player in players]
    for longer in (_whole_command, _with_hash):
        names = _where_different(names, players, longer)
    return [
        name if names.count(name) == 1 else f"{name} ({names[: place + 1].count(name)})"
        for place, name in enumerate(names)
    ]


def short_name(spec: str) -> str:
    """The name of a player, for people.

    >>> short_name("alphabeta:material,elo=1500"), short_name("greedy:material"), short_name("python:my.py:Mine")
    ('material,elo=1500', 'greedy:material', 'Mine')
    """
    kind, rest = kind_of(spec)
    limited = limited_spec(spec)
    if limited is not None:
        return f"{short_name(limited.player)} ({limited.low}-{limited.high} nodes)"
    if kind == "python":
        return rest.rpartition(":")[2]
    if is_engine(spec):
        command, brace, options = rest.partition("{")
        program, *arguments = command.split()
        return " ".join([Path(program).name, *(Path(word).name for word in arguments)]) + brace + options
    named = spec.removeprefix("alphabeta:")
    for brain in brains_of(spec):
        named = named.replace(brain, display_name(brain))
    return named


def _whole_command(player: str) -> str:
    return kind_of(player)[1] if is_engine(player) else ""


def _with_hash(player: str) -> str:
    """With the beginning of its file's hash: two brains may have one name."""
    brains = [] if kind_of(player)[0] == "python" or is_engine(player) else brains_of(player)
    return f"{short_name(player)} {file_hash(find(brains[0]))[:4]}" if brains else ""


def _where_different(names: list[str], players: Sequence[str], longer: Callable[[str], str]) -> list[str]:
    """The longer names of those players whose short ones are the same, where that makes them different."""
    changed = list(names)
    for name in {name for name in names if names.count(name) > 1}:
        places = [place for place, other in enumerate(names) if other == name]
        long = [longer(players[place]) for place in places]
        if all(long) and len(set(long)) == len(long):
            for place, text in zip(places, long, strict=True):
                changed[place] = text
    return changed
