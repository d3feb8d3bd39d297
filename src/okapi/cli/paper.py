"""`okapi paper` and `okapi league`: experiments of papers and of our own, each with a page of results."""

import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from okapi.arena.match import processors
from okapi.brains.library import run_folder
from okapi.cli.console import Json, answer, emit, note, say, table_of
from okapi.cli.options import StorageOptions, make_executor
from okapi.cli.parameters import Cluster, Concurrency, Positive, Size, Texts, Words, about
from okapi.cli.progress import Progress
from okapi.errors import NotFound, Unfinished, UsageError, did_you_mean
from okapi.files import file_hash, replace_file
from okapi.formats.numbers import interval, number
from okapi.optimize.executor import ProcessExecutor, ThreadExecutor
from okapi.papers import PAPERS
from okapi.papers.experiment import ExperimentContext, Paper, cost_left, run_experiments
from okapi.papers.page import read_paper
from okapi.papers.stored import store as store_results
from okapi.papers.stored import stored_runs
from okapi.recipes.config import RecipeConfig
from okapi.recipes.league.laws import expected_of_plan
from okapi.recipes.league.plan import LeaguePlan
from okapi.recipes.league.report import answers, as_markdown, in_one, laws_as_json, league_page
from okapi.recipes.league.result import PARQUET, RESULT, LeagueResult

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
      okapi paper vazquez2012 --size quick --games masters.pgn --out vazquez
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
        super().tell(self._timed(message.removeprefix(f"{self._name}: ")))

    def _timed(self, said: str) -> str:
        whole, seconds = divmod(int(self.seconds), 60)
        return f"{whole:3d}:{seconds:02d}  {self._where}: {said}"


if TYPE_CHECKING:
    from okapi.recipes.league.experiment import LeagueExperiment

Names = Annotated[list[str] | None, Parameter(consume_multiple=True)]


def league(
    *,
    size: Annotated[Size, about("tiny: to try it; quick: small budgets, few games; full: for an answer.")] = "quick",
    out_: Annotated[str | None, about("The run's name or folder; league-SIZE if not given.", name="--out")] = None,
    labels: Annotated[Path | None, about("Labelled positions; Okapi labels games of its own if not given.")] = None,
    games: Annotated[Path | None, about("Games that labelled positions come from, so that they split by game.")] = None,
    ways: Annotated[Words, about("Only these ways, by name.")] = None,
    budgets: Annotated[list[int] | None, about("Numbers of positions, not the size's.", consume_multiple=True)] = None,
    pools: Annotated[Words, about('Only these pools, by name, as "100 nodes".')] = None,
    marks: Annotated[Words, about("Only these of the brains that ship, beside material.")] = None,
    half_width: Annotated[float | None, about("Elo: with an interval this narrow a brain plays no more.")] = None,
    seed: Annotated[int, about("The first random seed of the trainings, and that of the openings.")] = 1,
    estimate: Annotated[bool, about("Say what would be done and how long it takes, and end.", negative="")] = False,
    jobs: Annotated[Path | None, about("Write trainings for a GPU to this folder; take them when run again.")] = None,
    device: Annotated[str, about("Where networks are trained: cpu, cuda, or auto.")] = "cpu",
    concurrency: Annotated[Concurrency, about("Trainings and games at a time; usually one a processor.")] = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Train every way of learning with equal budgets, rate all brains under equal conditions, and fit what they gain.

    It says first what it will train and play, in hours on this machine and minutes on a GPU. The folder gets
    league.json, league.html, league.svg, league.md and, with pyarrow, league.parquet after each pool of games; the
    board's section League shows the newest. After Ctrl-C or kill -9 the same command goes on. With --jobs, trainings
    that suit a GPU are written to a folder, for `python -m okapi.recipes.jobs`, and taken from there the next time.

    For example:
      okapi league --labels labels.samples --games masters.okapi
      okapi league --size full --labels labels.samples --jobs jobs
    """
    for path in (labels, games):
        if path is not None and not path.exists():
            raise NotFound(f"no file at `{path}`")
    count = concurrency or processors()
    chosen: dict[str, Any] = {"ways": ways or (), "budgets": budgets or (), "pools": pools or (), "marks": marks or ()}
    chosen["half_width"] = half_width
    if estimate:
        plan = LeaguePlan.make(size, EVERYTHING, **chosen, seed=seed)
        if json:
            expected = expected_of_plan(plan)
            emit({"size": size, **plan.estimate(count), "left_out": dict(plan.left_out), "expected": expected})
        else:
            _tell_plan(plan, count, note)
        return
    from okapi.recipes.league.experiment import LABELS, LeagueExperiment, prepare  # here, because they need torch

    folder = run_folder(out_, f"league-{size}").absolute()  # other machines have it under the same path
    named = {"labels": labels and [labels.name], "games": games and [games.name], **chosen}
    named["half-width"] = named.pop("half_width") and [half_width]
    told = [shlex.join([f"--{option}", *map(str, values)]) for option, values in named.items() if values]
    with Progress("league", bar=False) as progress:
        config = RecipeConfig(size, seed, ThreadExecutor(count), games, {}, labels, folder / LABELS, progress.tell)
        league = LeagueExperiment(
            plan=LeaguePlan.make(size, prepare(config, folder / LABELS), **chosen, seed=seed),
            folder=folder,
            labels="made here" if labels is None else f"{labels.name} {file_hash(labels)}",
            command=" ".join(["okapi league --size", size, *told, "--seed", str(seed)]),
            executor=ProcessExecutor(count) if cluster is None else make_executor(None, cluster),
            make_workers=StorageOptions(concurrency=None if cluster else count, cluster=cluster).make_workers(),
            cluster=cluster is not None,
            device=device,
            tell=progress.tell,
        )
        result = _carry_out(league, jobs, count, progress)
    if json:
        emit({**result.as_json(), "laws": laws_as_json(result), "folder": str(folder)})
    else:
        _show(result)
        note(f"the page is {folder / 'league.html'}, the pictures {folder / 'league.svg'}")


def _carry_out(league: "LeagueExperiment", jobs: Path | None, processors: int, progress: Progress) -> LeagueResult:
    """Say the plan, train, and play."""

    def watch(pool: str, games: int, widest: float) -> None:
        progress.note(f"{pool}: {games:,} games, the widest interval is ± {widest:.0f}")

    _tell_plan(league.plan, processors, progress.note)
    try:
        if jobs is not None:
            _exchange(league, jobs)
        league.train(progress.note)
        return league.rate(watch, lambda now: _write(league.folder, now))
    except KeyboardInterrupt:
        told = f"interrupted; the league is in {league.folder}, and the same command goes on"
        raise Unfinished(told) from None


EVERYTHING = 1 << 40
"""Positions, where it is not known how many there are."""


def _exchange(league: "LeagueExperiment", jobs: Path) -> None:
    """Write the jobs that are missing, or take what was trained: Unfinished, as long as something is missing."""
    from okapi.recipes.jobs import job_folders

    if not jobs.exists() or not job_folders(jobs):
        count = league.trainings.hand_over(jobs)
        hint = f"copy it to a machine with a GPU, run `python -m okapi.recipes.jobs {jobs}` there, copy it back, go on"
        raise Unfinished(f"{count} trainings are in {jobs}", hint=hint)
    if missing := league.trainings.collect(jobs):
        raise Unfinished(f"{missing} trainings in {jobs} are not done", hint=f"python -m okapi.recipes.jobs {jobs}")


def _tell_plan(plan: LeaguePlan, processors: int, say: Callable[[str], object]) -> None:
    told = plan.estimate(processors)
    hours = f"{told['hours']:.3g} hours on {processors} processors, {told['training_hours']:.3g} of them for trainings"
    gpu = f"with --jobs {told['gpu_minutes']:g} minutes of a GPU are for networks on labels"
    say(f"{told['trainings']} trainings and up to {told['games']:,} games: about {hours}; {gpu}")
    for why, names in groupby(sorted(plan.left_out, key=plan.left_out.__getitem__), plan.left_out.__getitem__):
        say(f"left out: {', '.join(names)} ({why})")


def _write(folder: Path, result: LeagueResult) -> None:
    result.write(folder / RESULT)
    result.write_parquet(folder / PARQUET)
    for suffix, text in {"html": league_page(result), "svg": in_one(result), "md": as_markdown(result)}.items():
        replace_file(folder / f"league.{suffix}", text.encode())


def _show(result: LeagueResult) -> None:
    columns = {"": "d", "player": "", "elo": "s", "95 %": "s", "games": "d", "score": ".1%"}
    for pool in result.pools:
        rows = (
            (place, row.name, number(row.elo), interval(row.low, row.high), row.games, row.score)
            for place, row in enumerate(pool.rows, start=1)
        )
        say(table_of(columns, rows, title=pool.name), "")
    say(*answers(result))
