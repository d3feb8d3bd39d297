"""What can be wrong with samples and games, as findings."""

import datetime
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.output import expected_scores
from okapi.core.game import surname
from okapi.core.keys import position_keys
from okapi.core.packed import Trait, traits
from okapi.data.doctor.statistics import BIN, REACH, WRONG_TURNS, Evidence, PointOfView, SampleCounts, evidence_of
from okapi.data.store import Store
from okapi.formats.svg import Bars, Chart, Curve, Lines


class Severity(StrEnum):
    OK = "ok"  # checked, no problem
    NOTE = "note"  # information; often intended
    WARNING = "warning"  # probably not intended
    FAULT = "fault"  # wrong in any case


@dataclass(frozen=True, slots=True)
class Finding:
    check: str  # the name of the check, for programs: `repeated-positions`
    severity: Severity
    text: str
    count: int = 0  # games or rows concerned
    fix: str = ""  # what fixing does about it; empty where only a person can decide


FINDINGS: Final = tomllib.loads(Path(__file__).with_name("findings.toml").read_text(encoding="utf-8"))


def stated(name: str, count: int = 0, **facts: object) -> Finding:
    """The finding of that name in findings.toml, with its facts; the name of a variant stands behind a point."""
    check, _, variant = name.partition(".")
    entry = FINDINGS[check][variant] if variant else FINDINGS[check]
    text, fix = (entry.get(key, "").format(count=count, **facts) for key in ("text", "fix"))
    return Finding(check, Severity(entry["severity"]), text, count, fix)


def found(name: str, count: int, **facts: object) -> Iterator[Finding]:
    """A finding about so many rows or games; where there are none, that it is ok, if that is worth saying."""
    if count:
        yield stated(name, count, **facts)
    elif "ok" in FINDINGS.get(name, ()):
        yield Finding(name, Severity.OK, FINDINGS[name]["ok"].format(**facts))


@dataclass(frozen=True, slots=True)
class DoctorReport:
    name: str
    kind: str  # what was examined: `games` or `samples`
    findings: Sequence[Finding]
    figures: dict[str, Any] = field(default_factory=dict)
    charts: Sequence[Chart] = ()

    @property
    def healthy(self) -> bool:
        """No faults; warnings and notes are for a person to judge."""
        return all(finding.severity is not Severity.FAULT for finding in self.findings)

    @property
    def fixable(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.fix]


# --- Samples ----------------------------------------------------------------------------------------------------------

PLIES = 20  # width of a bar
SCALES = (100, 1500)  # between these, a fitted scale may be centipawns; Okapi's is 400
CROWDED, LOPSIDED = 0.05, 0.9  # larger shares of repeated positions, or of one side to move, are rarely intended
SIDES: Final = ("White", "Black")

VIEWS: Final = {
    PointOfView.WHITE: "White's view: those with Black to move have the wrong sign",
    PointOfView.BLACK: "Black's view: those with White to move have the wrong sign",
    PointOfView.OPPONENT: "the view of the side that is not to move: all have the wrong sign",
}


def sample_findings(counts: SampleCounts) -> Iterator[Finding]:
    """Of samples from any source."""
    yield from _of_rows("broken-positions", counts, counts.traits[Trait.BROKEN])
    if counts.moves:
        yield from _of_rows("illegal-moves", counts, counts.traits[Trait.ILLEGAL])
    else:
        yield stated("illegal-moves.none")
    for finding in _of_rows("repeated-positions", counts, counts.repeated):
        crowded = counts.repeated > CROWDED * counts.rows
        yield replace(finding, severity=Severity.WARNING) if crowded else finding
    yield from _values(counts)
    yield from _results(counts)
    yield from _views(counts)
    yield from _calibration(counts)
    most, share = int(counts.turns.max()), counts.turns.max() / max(1, counts.turns.sum())
    if share > LOPSIDED:
        yield stated("one-side-to-move", most, share=100 * share, side=SIDES[int(counts.turns.argmax())])
    yield from _noisy(counts)


def position_findings(counts: SampleCounts) -> Iterator[Finding]:
    """Of positions from games, which are legal and may repeat."""
    yield from _values(counts)
    yield from _view("value", evidence_of(counts)["value"])
    yield from _calibration(counts)
    yield from _noisy(counts)


def report_on(
    counts: SampleCounts,
    name: str,
    earlier: Iterable[Finding] = (),
    findings: Callable[[SampleCounts], Iterator[Finding]] = sample_findings,
) -> DoctorReport:
    """The report on the rows that were counted, after earlier findings."""
    return DoctorReport(name, "samples", [*earlier, *findings(counts)], figures(counts), charts(counts))


def _of_rows(name: str, counts: SampleCounts, count: int) -> Iterator[Finding]:
    rows = f"{count:,} of {counts.rows:,} rows ({100 * count / max(1, counts.rows):.2g} %)"
    return found(name, count, rows=rows, counts=counts)


def _noisy(counts: SampleCounts) -> Iterator[Finding]:
    for trait in (Trait.IN_CHECK, Trait.CAPTURE, Trait.CHECK, Trait.PROMOTION):
        name = str(trait.name).lower().replace("_", "-")
        yield from _of_rows(f"{name}-share", counts, counts.traits[trait])


def _values(counts: SampleCounts) -> Iterator[Finding]:
    if counts.values and counts.out_of_range and counts.zeros != counts.values:
        return _of_rows("values.range", counts, counts.out_of_range)
    variant = ".none" if not counts.values else ".zero" if counts.zeros == counts.values else ""
    return iter([stated(f"values{variant}", counts.values, counts=counts)])


def _results(counts: SampleCounts) -> Iterator[Finding]:
    lost, drawn, won = counts.results[1:].tolist()
    known = lost + drawn + won
    yield from _of_rows("results", counts, counts.odd_results)
    if not known:
        yield stated("results.none")
    elif known in (lost, drawn, won):
        yield stated("results.same", known, which="lost" if lost else "drawn" if drawn else "won")
    yield from _of_rows("random-with-result", counts, counts.random_with_result)


def _views(counts: SampleCounts) -> Iterator[Finding]:
    known = evidence_of(counts)
    for what, evidence in known.items():
        yield from _view(what, evidence)
    together = counts.value_and_result
    unsure = any(evidence.agreement.view is PointOfView.UNKNOWN for evidence in known.values())
    if unsure and together.view in WRONG_TURNS:
        turns = WRONG_TURNS[together.view]
        where = f"where {SIDES[turns[0]]} is to move" if len(turns) == 1 else "everywhere"
        yield stated("views-disagree", sum(together.disagree), where=where)


def _view(what: str, evidence: Evidence) -> Iterator[Finding]:
    agreement, count = evidence.agreement, 0
    if agreement.view is PointOfView.MOVER:
        variant = "mover"
    elif agreement.view is not PointOfView.UNKNOWN:
        variant = "unsure" if agreement.certain_view is PointOfView.UNKNOWN else "wrong"
        count = sum(agreement.disagree)
    elif min(agreement.rows):
        variant = "unknown"
    else:
        return
    numbers = zip(agreement.shares, agreement.rows, SIDES, strict=True)
    shares = " and ".join(f"{100 * share:.0f} % of {rows:,} with {side} to move" for share, rows, side in numbers)
    facts = f"Where {evidence.where}, they agree in {shares}."
    finding = stated(f"view.{variant}", count, what=what, view=VIEWS.get(agreement.view), stated=facts)
    yield replace(finding, check=f"view-of-{what}s")


def _calibration(counts: SampleCounts) -> Iterator[Finding]:
    both = counts.calibration
    views = {evidence.agreement.view for evidence in evidence_of(counts).values()}
    if both.scale is None or both.error is None or views & WRONG_TURNS.keys():
        return  # a curve through wrong signs means nothing
    usual = SCALES[0] <= both.scale <= SCALES[1]
    name = "calibration" if usual else "calibration.unit" if both.scale > 0 else "calibration.wrong"
    yield stated(name, int(both.count.sum()), scale=both.scale, error=100 * both.error)


def figures(counts: SampleCounts) -> dict[str, Any]:
    pairs = ("value_and_material", "result_and_material", "value_and_result")
    both = counts.calibration
    curves = {"all": both, "white_to_move": counts.white, "black_to_move": counts.black}
    fits = {each: {"scale": it.scale, "error": it.error, "rows": int(it.count.sum())} for each, it in curves.items()}
    bins = [{"value": value, "rows": rows, "result": round(mean, 4)} for value, rows, mean in both.bins()]
    return {
        "rows": counts.rows,
        "white_to_move": int(counts.turns[0]),
        **{name: getattr(counts, name) for name in ("values", "mates", "moves")},
        "results": dict(zip(("unknown", "lost", "drawn", "won"), counts.results.tolist(), strict=True)),
        "repeated": counts.repeated,
        "traits": {str(trait.name).lower(): count for trait, count in counts.traits.items()},
        "pieces": counts.pieces.tolist(),
        "plies": _plies(counts),
        "agreement": {name: asdict(getattr(counts, name)) for name in pairs},
        "calibration": {**fits, "bins": bins},
    }


def charts(counts: SampleCounts) -> list[Chart]:
    counted = np.flatnonzero(counts.pieces)
    first, last = (int(counted[0]), int(counted[-1])) if len(counted) else (2, 32)
    pieces = {str(count): int(counts.pieces[count]) for count in range(first, last + 1)}
    calibration = [_calibration_chart(counts)] if any(counts.calibration.bins()) else []
    plies = Bars.named("plies", _plies(counts), "plies before the position")
    return [*calibration, plies, Bars.named("pieces", pieces, "on the board")]


def _calibration_chart(counts: SampleCounts) -> Lines:
    lines = [
        Curve(f"{side} to move", [(value, mean) for value, _, mean in curve.bins()], dots=True)
        for side, curve in zip(SIDES, (counts.white, counts.black), strict=True)
    ]
    if (scale := counts.calibration.scale) is not None:
        values = np.arange(-REACH, REACH + 1.0, BIN)
        fitted = list(zip(values.tolist(), expected_scores(values, scale).tolist(), strict=True))
        lines.append(Curve(f"ten to one at {scale:.0f}", fitted))
    return Lines("what values were worth", lines, "centipawns for the side to move", "mean result")


def _plies(counts: SampleCounts) -> dict[str, int]:
    """The rows of each bar by its first ply; up to the last bar that has any."""
    starts = range(0, int(counts.plies.nonzero()[0].max(initial=0)) + 1, PLIES)
    return {str(start): int(counts.plies[start : start + PLIES].sum()) for start in starts}


# --- Games of a store -------------------------------------------------------------------------------------------------

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

ELOS = (100, 4000)
FIRST_YEAR = 1400
SHORT, LONG = 10, 600  # plies
IN_COMMON = 0.8  # share of the shorter game that two games must have in common to be one
NEIGHBOURS = 3  # each of several games of the same players on the same day is compared with so many that follow
AT_A_TIME = 1 << 16
UNCHANGED: Final = -2  # instead of a result: keep it


class CheckedStore:
    """A store with the columns that checks need, and the changes that they propose."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.columns = store.columns()
        self.plies = self.columns.plies.astype(np.int64)
        self.white, self.black = self._players("White"), self._players("Black")
        self.drop: Flags = np.zeros(len(store), np.bool_)
        self.results = np.full(len(store), UNCHANGED, np.int8)
        self.removed_tags: dict[int, set[str]] = {}

    def _players(self, tag: str) -> Numbers:
        """A number for each player's surname; -1 where it is unknown."""
        texts = self.store.texts(tag)
        names = [surname(value) for value in texts.values]
        numbers = {name: number for number, name in enumerate(sorted({*names} - {""}))}
        return texts.spread((numbers.get(name, -1) for name in names), -1)

    def remove_tags(self, games: Flags, tag: str) -> None:
        for game in np.flatnonzero(games).tolist():
            self.removed_tags.setdefault(game, set()).add(tag)


def game_findings(checked: CheckedStore) -> Iterator[Finding]:
    """Of the games of a store; `checked` learns what would fix them."""
    columns, plies = checked.columns, checked.plies
    played = plies > 0
    same_moves, twice = (_later(played, columns.hash, *who) for who in ((), (checked.white, checked.black)))
    checked.drop |= twice
    yield from _of_games("duplicates", twice)
    yield from _of_games("same-moves", same_moves & ~twice)
    yield from _of_games("near-duplicates", _near_duplicates(checked))
    yield from _contradictions(checked)
    count = 0
    for tag, elos in (("WhiteElo", columns.white_elo), ("BlackElo", columns.black_elo)):
        wrong = (elos > 0) & ((elos < ELOS[0]) | (elos > ELOS[1]))
        count += int(wrong.sum())
        checked.remove_tags(wrong, tag)
    yield from found("impossible-elo", count, low=ELOS[0], high=ELOS[1])
    dates, texts = columns.date, checked.store.texts("Date")
    wrong_dates = [date for date in np.unique(dates[dates > 0]).tolist() if not _is_date(date)]
    says_something = texts.spread(("?" not in text and text.strip(" .-") != "" for text in texts.values), False)
    impossible = np.isin(dates, wrong_dates) | (dates < 0) & says_something
    checked.remove_tags(impossible, "Date")
    yield from _of_games("impossible-date", impossible)
    yield from _of_games("too-short", plies < SHORT, plies=SHORT)
    yield from _of_games("too-long", plies > LONG, plies=LONG)
    yield from _of_games("without-names", (checked.white < 0) | (checked.black < 0))


def _of_games(name: str, games: Flags, **facts: object) -> Iterator[Finding]:
    """A finding about the games that are marked."""
    count = int(games.sum())
    return found(name, count, games=f"{count:,} game{'s' * (count != 1)}", **facts)


def _later(among: Flags, *keys: NDArray[np.generic]) -> Flags:
    """Which games equal an earlier one in all of these columns."""
    games = np.flatnonzero(among)
    order = games[np.lexsort([games, *(key[games] for key in keys)])]
    same = np.ones(max(0, len(order) - 1), np.bool_)
    for key in keys:
        same &= key[order][1:] == key[order][:-1]
    later = np.zeros(len(among), np.bool_)
    later[order[1:][same]] = True
    return later


def _near_duplicates(checked: CheckedStore) -> Flags:
    """The same players, date, and position near the end of the shorter game, which is dropped."""
    date, plies = checked.columns.date.astype(np.int64), checked.plies
    known = (date % 100 > 0) & (checked.white >= 0) & (checked.black >= 0) & (plies >= 2 * SHORT) & ~checked.drop
    games = np.flatnonzero(known)
    order = games[np.lexsort([-games, plies[games], date[games], checked.black[games], checked.white[games]])]
    nearly = np.zeros(len(plies), np.bool_)
    for distance in range(1, NEIGHBOURS + 1):
        one, other = order[:-distance], order[distance:]
        same = date[one] == date[other]
        for players in (checked.white, checked.black):
            same &= players[one] == players[other]
        one, other = one[same], other[same]
        near_the_end = (IN_COMMON * plies[one]).astype(np.int64)  # one is the shorter, or the later
        keys = [position_keys(checked.store.positions(side, near_the_end)) for side in (one, other)]
        nearly[one[keys[0] == keys[1]]] = True
    checked.drop |= nearly
    return nearly


def _contradictions(checked: CheckedStore) -> Iterator[Finding]:
    """The final position decides the result, whatever the tag says."""
    results = checked.columns.result
    for start in range(0, len(results), AT_A_TIME):
        games = np.arange(start, min(start + AT_A_TIME, len(results)))
        final = checked.store.positions(games, checked.plies[games])
        ends = traits(final)
        mated = (ends & Trait.CHECKMATE) != 0
        drawn = (ends & (Trait.STALEMATE | Trait.INSUFFICIENT)) != 0
        right = np.where(mated, 2 * final["turn"].astype(np.int8), np.where(drawn, 1, UNCHANGED)).astype(np.int8)
        checked.results[games] = np.where(right == results[games], UNCHANGED, right)
    wrong = checked.results != UNCHANGED
    yield from _of_games("contradicted-results", wrong & (results >= 0))
    yield from _of_games("decided-without-result", wrong & (results < 0))
    yield from _of_games("without-result", ~wrong & (results < 0))


def _is_date(number: int) -> bool:
    """Is year * 10000 + month * 100 + day possible? 0 stands for unknown.

    >>> _is_date(19990231), _is_date(19990000), _is_date(19990228)
    (False, True, True)
    """
    year, month, day = number // 10000, number // 100 % 100, number % 100
    try:
        date = datetime.date(year, month or 1, day or 1)
    except ValueError:
        return year == 0
    return date.year >= FIRST_YEAR and date <= datetime.date.today() + datetime.timedelta(days=1)
