"""`okapi paper`: a paper's experiments, and the page that shows its tables and figures beside ours."""

import time
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from cyclopts import Parameter
from rich.markup import escape

from okapi.cli.console import Exit, Json, emit, out, talk
from okapi.cli.options import Positive, make_executor
from okapi.cli.progress import EVERY_S
from okapi.errors import NotFound, UsageError, did_you_mean

if TYPE_CHECKING:
    from okapi.papers.experiment import Paper

__all__ = ["paper"]


def paper(
    name: Annotated[
        str, Parameter(help="The paper: lai2015, sabatelli2018, sheehan2016, singh2015 or vazquez2012.")
    ] = "",
    /,
    *,
    size: Literal["tiny", "quick", "full"] = "quick",
    out_: Annotated[Path | None, Parameter(name="--out")] = None,
    seed: int = 1,
    games: Path | None = None,
    labels: Path | None = None,
    threads: Positive = None,
    cluster: str | None = None,
    only: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
    change: Annotated[list[str] | None, Parameter(negative="")] = None,
    page: bool = False,
    json: Json = False,
) -> int:
    """Make a paper's experiments, and write a page: each table and figure, theirs beside ours.

    Each experiment leaves a file in the folder's `results`. What is there is not made again: interrupted or killed,
    the same command goes on where it was.

    Examples:
      okapi paper vazquez2012 --size tiny
      okapi paper vazquez2012 --size quick --games masters.pgn --out runs/vazquez
      okapi paper vazquez2012 --size full --threads 8 --change exploration.runs=10
      okapi paper vazquez2012 --size quick --only pieces pieces_rating
      okapi paper vazquez2012 --size quick --page
      okapi paper sabatelli2018 --size quick --labels labels.samples
      okapi paper singh2015 --size quick --games masters.okapi
      okapi paper lai2015 --size quick --games masters.okapi --change sts.suite=sts.epd

    Parameters
    ----------
    size
        tiny takes seconds and shows that everything works, quick takes minutes, full does what the paper did.
    out_
        The folder for everything; runs/PAPER-SIZE if not given.
    seed
        Of all random numbers.
    games
        Games of masters: PGN, plain or compressed, or a store. Without any, Okapi plays games of its own instead.
    labels
        Labelled positions: samples of any format, plain or compressed. Without any, Okapi labels games of its own.
    threads
        How many things to do at a time; as many as there are processors if not given.
    cluster
        Work on the Ray cluster at this address (host:port, or auto).
    only
        Make only these experiments.
    change
        A setting of an experiment that is to be different, EXPERIMENT.KEY=VALUE; may be given several times.
    page
        Make no experiment; write the page again from the results that are there.
    """
    begun = time.monotonic()
    chosen = _find(name)
    folder = out_ or Path("runs") / f"{name}-{size}"
    if games is not None and not games.is_file():
        raise NotFound(f"no games at `{games}`")
    if labels is not None and not labels.is_file():
        raise NotFound(f"no labels at `{labels}`", hint="`okapi label` makes some")
    became: dict[str, str] = {}
    if page:
        if not folder.is_dir():
            raise NotFound(f"no results at `{folder}`", hint="without --page, the experiments are made")
    else:
        from okapi.papers.experiment import (  # here, because numpy takes a while and others do without
            ExperimentContext,
            run_experiments,
        )

        watch = _Watch(begun)
        lab = ExperimentContext(
            size=size,
            folder=folder,
            seed=seed,
            executor=make_executor(threads, cluster),
            games=games,
            labels=labels,
            tell=watch.tell,
            changes=_changes(change or []),
        )
        try:
            with watch:
                became = run_experiments(chosen, lab, only or (), watch=watch)
        except KeyboardInterrupt:
            return watch.interrupted(folder)
    figures = chosen.write(folder)
    seconds = round(time.monotonic() - begun, 1)
    if json:
        emit({"paper": name, "folder": str(folder), "seconds": seconds, "experiments": became, "figures": figures})
    else:
        _print(folder, seconds, figures)
    return Exit.DONE


def _changes(texts: list[str]) -> dict[str, dict[str, str]]:
    """What is to be different, by experiments.

    >>> _changes(["exploration.runs=10", "pieces.runs=4", "pieces.depth=3"])
    {'exploration': {'runs': '10'}, 'pieces': {'runs': '4', 'depth': '3'}}
    """
    changes: dict[str, dict[str, str]] = {}
    for text in texts:
        name, dot, rest = text.partition(".")
        key, equals, value = rest.partition("=")
        if not (name and dot and key and equals):
            raise UsageError(
                f"--change {text}", hint="write it as EXPERIMENT.KEY=VALUE, such as --change exploration.runs=10"
            )
        changes.setdefault(name, {})[key] = value
    return changes


def _find(name: str) -> "Paper":
    from okapi.papers import PAPERS

    if name not in PAPERS:
        missing = f"no paper named `{name}`" if name else "which paper?"
        raise UsageError(missing, hint=did_you_mean(name, PAPERS))
    found: Paper = resolve_name(PAPERS[name])
    return found


class _Watch:
    """Tells a person how it is going: which experiment of how many, what it says, and the time so far.

    What an experiment says replaces what it said before; where nobody watches a terminal, it is heard now and then.
    """

    def __init__(self, begun: float) -> None:
        self._begun = begun
        self._console = talk()
        self._status = self._console.status("", spinner="line")
        self._where = self._name = ""
        self._told = -EVERY_S
        self._safe = 0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def __call__(self, number: int, total: int, name: str, what: str) -> None:
        """An experiment has begun or ended."""
        self._where, self._name = f"{number}/{total} {name}", name
        self._safe += what != "begun"
        self._told = -EVERY_S
        said = {"begun": "begins", "kept": "was made before", "skipped": "cannot be made here"}.get(what, what)
        self._console.print(self._line(said), markup=False)

    def tell(self, line: str) -> None:
        """A line of the experiment itself, which may begin with its name."""
        line = line.removeprefix(f"{self._name}: ")
        if self._console.is_terminal:
            self._status.update(escape(self._line(line)))
        elif time.monotonic() - self._told >= EVERY_S:
            self._told = time.monotonic()
            self._console.print(self._line(line), markup=False)

    def _line(self, said: str) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self._begun), 60)
        return f"{minutes:3d}:{seconds:02d}  {self._where}: {said}"

    def interrupted(self, folder: Path) -> int:
        """Ctrl-C."""
        count = "1 result is" if self._safe == 1 else f"{self._safe} results are"
        self._console.print(f"interrupted; {count} safe in {folder}, and the same command goes on", markup=False)
        return Exit.INTERRUPTED


def _print(folder: Path, seconds: float, figures: dict[str, Any]) -> None:
    console = out()
    for figure in figures.values():
        if figure["ours"] is not None:
            console.print(figure["text"], markup=False)
    console.print(f"{folder / 'index.html'}, {seconds:.0f} s", markup=False)
