"""`okapi paper`: a paper's experiments, and the page that shows its tables and figures beside ours."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from rich.markup import escape
from rich.spinner import Spinner

from okapi.brains.library import run_folder
from okapi.cli.console import Json, answer, note
from okapi.cli.options import make_executor
from okapi.cli.parameters import Cluster, Positive, Size, Texts, Words, about
from okapi.cli.progress import Progress
from okapi.errors import NotFound, Unfinished, UsageError, did_you_mean
from okapi.papers import PAPERS
from okapi.papers.experiment import ExperimentContext, Paper, cost_left, run_experiments
from okapi.papers.page import read_paper
from okapi.papers.stored import store as store_results
from okapi.papers.stored import stored_runs

GAMES_HELP = "Games of masters: PGN, plain or compressed, or a store. Without any, Okapi plays games of its own."
STORE_HELP = "Copy results, long single runs, pictures and the page to PAPER in this folder, such as docs/papers."
LABELS_HELP = "Labelled positions: samples of any format. Without any, Okapi labels games of its own."


def paper(
    name: Annotated[str, about("The paper: lai2015, sabatelli2018, sheehan2016, singh2015 or vazquez2012.")] = "",
    /,
    *,
    size: Annotated[Size, about("tiny takes seconds, quick takes minutes, full does what the paper did.")] = "quick",
    seed: Annotated[int, about("Random seed.")] = 1,
    games: Annotated[Path | None, about(GAMES_HELP)] = None,
    labels: Annotated[Path | None, about(LABELS_HELP)] = None,
    threads: Annotated[Positive, about("Threads; as many as there are processors if not given.")] = None,
    cluster: Cluster = None,
    change: Annotated[Texts, about("A setting: EXPERIMENT.KEY=VALUE; may be given again.", negative="")] = None,
    out_: Annotated[str | None, about("The run's name or folder; PAPER-SIZE if not given.", name="--out")] = None,
    only: Annotated[Words, about("Run only these experiments.")] = None,
    page: Annotated[bool, about("Run no experiment; write the page again from the stored results.")] = False,
    store: Annotated[Path | None, about(STORE_HELP)] = None,
    json: Json = False,
) -> None:
    """Run the experiments of a paper, and write a page: each published table and figure beside ours.

    Each experiment writes a file in the folder's `results` and is not run again: an interrupted or killed command
    continues when it is given again.

    For example:
      okapi paper vazquez2012 --size tiny
      okapi paper vazquez2012 --size quick --games masters.pgn --out vazquez
      okapi paper vazquez2012 --size quick --page
      okapi paper lai2015 --size quick --games masters.okapi --change sts.suite=sts.epd
    """
    begun = time.monotonic()
    if name not in PAPERS:
        hint = did_you_mean(name, PAPERS)
        raise NotFound(f"no paper named `{name}`", hint=hint) if name else UsageError("which paper?", hint=hint)
    chosen = read_paper(name)
    folder = run_folder(out_, f"{name}-{size}")
    for what, file, hint in (("games", games, ""), ("labels", labels, "`okapi label` makes some")):
        if file is not None and not file.is_file():
            raise NotFound(f"no {what} at `{file}`", hint=hint)
    became: dict[str, str] = {}
    if not page:
        watch = _PaperProgress()
        context = ExperimentContext(
            size=size,
            folder=folder,
            seed=seed,
            executor=make_executor(threads, cluster),
            games=games,
            labels=labels,
            tell=watch.tell,
            changes=_changes(change or []),
        )
        became = _run(chosen, context, watch, only or (), store)
    elif not folder.is_dir():
        raise NotFound(f"no results at `{folder}`", hint="without --page, the experiments are made")
    figures = chosen.write(folder)
    if jobs := _jobs_left(folder):
        note(f"{jobs} training jobs are for a machine with a GPU: copy {folder / 'jobs'} there, run")
        note("  python -m okapi.recipes.jobs jobs\ncopy it back, and give the same command again")
    if store is not None:
        note(f"stored in {store_results(chosen, folder, store)}")
    seconds = round(time.monotonic() - begun, 1)
    told = {"paper": name, "folder": str(folder), "seconds": seconds, "experiments": became}
    texts = [figure["text"] for figure in figures.values() if figure["ours"] is not None]
    index = f"{folder / 'index.html'}, {seconds:.0f} s"
    answer({**told, "figures": figures, "jobs": jobs}, *texts, index, json=json)


def _run(
    chosen: Paper, context: ExperimentContext, watch: "_PaperProgress", only: Sequence[str], store: Path | None
) -> dict[str, str]:
    """Make the experiments that are not made; what became of each. What an interruption leaves is stored, too."""
    folder = context.folder
    hours, minutes = cost_left(chosen, folder, only)
    if context.size == "full" and (hours or minutes):
        note(f"about {hours:.1f} hours on two cores and {minutes:.0f} minutes on a GPU are left")
    watch.kept = lambda: f"; {'1 result is' if watch.stored == 1 else f'{watch.stored} results are'} safe in {folder}"
    try:
        with watch:
            stored = store and stored_runs(chosen, store)
            return run_experiments(chosen, replace(context, stored=stored), only, watch=watch.experiment)
    except Unfinished:
        if store is not None:
            note(f"stored in {store_results(chosen, folder, store)}")
        raise


def _jobs_left(folder: Path) -> int:
    """Training jobs of the run that are not finished."""
    if not (folder / "jobs").is_dir():
        return 0
    from okapi.recipes.jobs import job_folders, open_jobs  # imported here: torch takes a while to load

    found = map(open_jobs, job_folders(folder / "jobs"))
    return sum(jobs.report(name) is None for jobs in found for name in jobs.jobs)


def _changes(texts: list[str]) -> dict[str, dict[str, str]]:
    """Settings by experiment, from EXPERIMENT.KEY=VALUE."""
    changes: dict[str, dict[str, str]] = {}
    for text in texts:
        name, dot, rest = text.partition(".")
        key, equals, value = rest.partition("=")
        if not (name and dot and key and equals):
            hint = "write it as EXPERIMENT.KEY=VALUE, such as --change exploration.runs=10"
            raise UsageError(f"--change {text}", hint=hint)
        changes.setdefault(name, {})[key] = value
    return changes


class _PaperProgress(Progress):
    """Which experiment of how many, its latest message, and the time so far."""

    def __init__(self) -> None:
        super().__init__("paper", bar=False)
        self.stored = 0
        self._where = self._name = ""

    def experiment(self, number: int, total: int, name: str, what: str) -> None:
        self._where, self._name = f"{number}/{total} {name}", name
        self.stored += what != "begun"
        said = {"begun": "begins", "kept": "was made before", "skipped": "cannot be made here"}.get(what, what)
        self.note(self._timed(said))
        self.hurry()

    def tell(self, message: str) -> None:
        """A message of the experiment itself, which may begin with its name."""
        line = self._timed(message.removeprefix(f"{self._name}: "))
        self.update(self.stored, line, above=lambda: Spinner("line", escape(line)))

    def _timed(self, said: str) -> str:
        whole, seconds = divmod(int(self.seconds), 60)
        return f"{whole:3d}:{seconds:02d}  {self._where}: {said}"
