"""What every paper's page says about itself: how large it is, and how to do all of it again."""

import shlex

from okapi.formats.html import Command, Part, Prose, Section, Table
from okapi.formats.numbers import counted, lasted
from okapi.papers.experiment import Results

__all__ = ["about", "repeat"]


def about(results: Results) -> list[Part]:
    """A sentence on what the numbers of a page are worth."""
    if not results:
        return []
    settings = next(iter(results.values())).settings
    size, games = settings["size"], settings["games"]
    skipped = sum(bool(result.skipped) for result in results.values())
    text = f"{counted(len(results) - skipped, 'experiment')} of size {size}, {_time(results)} of work, with "
    text += f"the games of {_file(games)}." if games else "games that Okapi played itself in place of masters'."
    if labels := settings.get("labels"):
        text += f" Labels are those of {_file(labels)}."
    if changes := _changes(results):
        text += f" Other than in that size: {', '.join(changes)}."
    if size == "tiny":
        text += " At this size numbers show that everything works, and nothing else."
    return [Prose(text)]


def repeat(paper: str, results: Results) -> Section:
    """The command, and how each result came about."""
    if not results:
        return Section("How to repeat this", [Prose("Nothing was made yet."), Command(f"okapi paper {paper}")])
    settings = next(iter(results.values())).settings
    games = settings["games"]
    command = f"okapi paper {paper} --size {settings['size']} --seed {settings['seed']}"
    if games:
        command += f" --games {shlex.quote(_file(games))}"
    if labels := settings.get("labels"):
        command += f" --labels {shlex.quote(_file(labels))}"
    parts: list[Part] = [Command(command + "".join(f" --change {change}" for change in _changes(results)))]
    if games:
        parts.append(Prose(f"The games were those of the file {games} (the beginning of its SHA-256)."))
    else:
        parts.append(Prose("No games of masters were given: where some are needed, Okapi played games of its own."))
    if labels:
        parts.append(Prose(f"The labels were those of the file {labels}."))
    for what in ("machine", "version"):
        said = sorted({getattr(result, what) for result in results.values()})
        parts.append(Prose(f"{'Machine' if what == 'machine' else 'Okapi'}: {'; '.join(said)}."))
    rows = [(name, result.skipped or lasted(result.seconds)) for name, result in results.items()]
    parts.append(
        Table(
            name="Time",
            caption="How long each experiment took; one that was broken off counts from where it was taken up.",
            heads=("experiment", "time"),
            rows=[*rows, ("all", _time(results))],
        )
    )
    return Section("How to repeat this", parts)


def _changes(results: Results) -> list[str]:
    """What somebody asked to be different, as he wrote it."""
    changed = ((name, result.settings.get("changes", {})) for name, result in results.items())
    return [shlex.quote(f"{name}.{key}={value}") for name, made in changed for key, value in made.items()]


def _file(games: str) -> str:
    """The name of the file, of which the settings also have the hash."""
    return games.rpartition(" ")[0]


def _time(results: Results) -> str:
    return lasted(sum(result.seconds for result in results.values()))
