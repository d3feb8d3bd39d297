"""The last section of every paper's page: how to do all of it again."""

from okapi.papers.lab import Results
from okapi.papers.page import Command, Part, Prose, Section, Table
from okapi.papers.words import lasted

__all__ = ["repeat"]


def repeat(paper: str, results: Results) -> Section:
    """The command, and how each result came about."""
    if not results:
        return Section("How to repeat this", [Prose("Nothing was made yet."), Command(f"okapi paper {paper}")])
    settings = next(iter(results.values())).settings
    games = settings["games"]
    command = f"okapi paper {paper} --size {settings['size']} --seed {settings['seed']}"
    parts: list[Part] = [Command(f"{command} --games {games.split()[0]}" if games else command)]
    if games:
        parts.append(Prose(f"The games were those of the file {games} (the beginning of its SHA-256)."))
    else:
        parts.append(Prose("No games of masters were given: where some are needed, Okapi played games of its own."))
    for what in ("machine", "version"):
        said = sorted({getattr(result, what) for result in results.values()})
        parts.append(Prose(f"{'Machine' if what == 'machine' else 'Okapi'}: {'; '.join(said)}."))
    total = sum(result.seconds for result in results.values())
    rows = [(name, result.skipped or lasted(result.seconds)) for name, result in results.items()]
    parts.append(
        Table(
            name="Time",
            caption="How long each experiment took; one that was broken off counts from where it was taken up.",
            heads=("experiment", "time"),
            rows=[*rows, ("all", lasted(total))],
        )
    )
    return Section("How to repeat this", parts)
