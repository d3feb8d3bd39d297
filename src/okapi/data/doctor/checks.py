"""What can be wrong with samples and games: one small function for each, which yields findings."""

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.game import surname
from okapi.core.keys import position_keys
from okapi.core.packed import Trait, traits
from okapi.data.doctor.statistics import (
    LONGEST,
    Calibration,
    ColumnAgreement,
    Evidence,
    PointOfView,
    SampleCounts,
    evidence_of,
)
from okapi.data.store import Store
from okapi.formats.svg import Bars, Chart


class Severity(StrEnum):
    OK = "ok"
    """Checked, no problem."""
    NOTE = "note"
    """Information; often intended."""
    WARNING = "warning"
    """Probably not intended."""
    FAULT = "fault"
    """Wrong in any case."""


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    """The name of the check, for programs: `repeated-positions`."""
    severity: Severity
    text: str
    count: int = 0
    """Games or rows concerned."""
    fix: str = ""
    """What fixing does about it; empty where only a person can decide."""


@dataclass(frozen=True, slots=True)
class DoctorReport:
    name: str
    kind: str
    """What was examined: `games` or `samples`."""
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


PLIES = 20
"""Width of a bar."""

SCALES = (100, 1500)
"""Between these, a fitted scale may be centipawns; Okapi's is 400."""

CROWDED = 0.05
"""More repeated positions than this are rarely intended."""

LOPSIDED = 0.9
"""More rows than this with the same side to move are rarely intended."""

VIEWS: Final = {
    PointOfView.WHITE: "White's view: those with Black to move have the wrong sign",
    PointOfView.BLACK: "Black's view: those with White to move have the wrong sign",
    PointOfView.OPPONENT: "the view of the side that is not to move: all have the wrong sign",
}


def report_on(
    counts: SampleCounts, name: str, earlier: Iterable[Finding] = (), checks: "Checks | None" = None
) -> DoctorReport:
    """The report on the rows that were counted, after earlier findings."""
    findings = [*earlier, *(finding for check in checks or SAMPLE_CHECKS for finding in check(counts))]
    return DoctorReport(name, "samples", findings, figures(counts), charts(counts))


def _share(count: int, rows: int) -> str:
    """A count as text, with per cent.

    >>> _share(5, 200)
    '5 of 200 rows (2.5 %)'
    """
    return f"{count:,} of {rows:,} rows ({100 * count / max(1, rows):.2g} %)"


def found(name: str, severity: Severity, count: int, text: str, fix: str = "", ok: str = "") -> Iterator[Finding]:
    """A finding about so many rows or games; where there are none, `ok`, if that is worth saying."""
    if count:
        yield Finding(name, severity, text, count, fix)
    elif ok:
        yield Finding(name, Severity.OK, ok)


# --- Positions and moves --------------------------------------------------------------------------------------------


def _broken(counts: SampleCounts) -> Iterator[Finding]:
    count = counts.traits[Trait.BROKEN]
    text = f"{_share(count, counts.rows)} hold a position that is impossible in chess."
    ok = f"All {counts.rows:,} positions are possible."
    yield from found("broken-positions", Severity.FAULT, count, text, "leaves them out", ok)


def _illegal(counts: SampleCounts) -> Iterator[Finding]:
    if not counts.moves:
        yield Finding("illegal-moves", Severity.NOTE, "No row has a best move.")
        return
    count = counts.traits[Trait.ILLEGAL]
    text = f"In {_share(count, counts.rows)} the best move is not legal."
    ok = f"All {counts.moves:,} best moves are legal."
    yield from found("illegal-moves", Severity.FAULT, count, text, "removes the move, and keeps the rest", ok)


def _noisy(counts: SampleCounts) -> Iterator[Finding]:
    for trait, what in (
        (Trait.IN_CHECK, "the side to move is in check"),
        (Trait.CAPTURE, "the move is a capture"),
        (Trait.CHECK, "the move gives check"),
        (Trait.PROMOTION, "the move promotes"),
    ):
        count, name = counts.traits[trait], f"{str(trait.name).lower().replace('_', '-')}-share"
        yield from found(name, Severity.NOTE, count, f"In {_share(count, counts.rows)} {what}.")


def _repeated(counts: SampleCounts) -> Iterator[Finding]:
    severity = Severity.WARNING if counts.repeated > CROWDED * counts.rows else Severity.NOTE
    text = f"{_share(counts.repeated, counts.rows)} repeat a position of an earlier row."
    ok = "No position is in two rows."
    yield from found("repeated-positions", severity, counts.repeated, text, "keeps the first of each", ok)


def _lopsided(counts: SampleCounts) -> Iterator[Finding]:
    share = counts.turns.max() / max(1, counts.turns.sum())
    if share > LOPSIDED:
        side = ("White", "Black")[int(counts.turns.argmax())]
        text = f"In {100 * share:.3g} % of the rows {side} is to move: a model hardly learns the other side."
        yield Finding("one-side-to-move", Severity.WARNING, text, int(counts.turns.max()))


# --- Values and results ---------------------------------------------------------------------------------------------


def _values(counts: SampleCounts) -> Iterator[Finding]:
    if not counts.values:
        yield Finding("values", Severity.NOTE, "No row has a value.")
    elif counts.zeros == counts.values:
        yield Finding("values", Severity.FAULT, f"All {counts.values:,} values are 0.", counts.values)
    elif counts.out_of_range:
        text = f"{_share(counts.out_of_range, counts.rows)} have a value beyond a mate in 0 (32,000)."
        yield Finding("values", Severity.FAULT, text, counts.out_of_range, "removes these values")
    else:
        text = f"All {counts.values:,} values are in range; {counts.mates:,} of them are mates."
        yield Finding("values", Severity.OK, text, counts.values)


def _results(counts: SampleCounts) -> Iterator[Finding]:
    lost, drawn, won = counts.results[1:].tolist()
    known = lost + drawn + won
    text = f"{_share(counts.odd_results, counts.rows)} have an invalid result."
    yield from found("results", Severity.FAULT, counts.odd_results, text, "removes these results")
    if not known:
        yield Finding("results", Severity.NOTE, "No row has a result.")
    elif known in (lost, drawn, won):
        which = "lost" if lost else "drawn" if drawn else "won"
        text = f"All {known:,} results are the same ({which} for the side to move): a model cannot learn from them."
        yield Finding("results", Severity.WARNING, text, known)
    count = counts.random_with_result
    text = f"{_share(count, counts.rows)} follow a random move, but have a result."
    yield from found("random-with-result", Severity.WARNING, count, text, "removes these results")


def _views(counts: SampleCounts) -> Iterator[Finding]:
    known = evidence_of(counts)
    for what, evidence in known.items():
        yield from _view(what, evidence)
    together = counts.value_and_result
    unsure = any(evidence.agreement.view is PointOfView.UNKNOWN for evidence in known.values())
    if unsure and together.view not in (PointOfView.MOVER, PointOfView.UNKNOWN):
        text = (
            f"Values and results contradict each other {_for_whom(together)}: one of the two is written from another "
            "view, but there are too few clear positions to say which. Look at a position in which Black is a queen up."
        )
        yield Finding("views-disagree", Severity.FAULT, text, sum(together.disagree))


def _view_of_values(counts: SampleCounts) -> Iterator[Finding]:
    yield from _view("value", evidence_of(counts)["value"])


def _view(what: str, evidence: Evidence) -> Iterator[Finding]:
    name, agreement = f"view-of-{what}s", evidence.agreement
    shares = " and ".join(
        f"{100 * agreement.share(turn):.0f} % of {agreement.rows[turn]:,} with {side} to move"
        for turn, side in enumerate(("White", "Black"))
    )
    stated = f"Where {evidence.where}, they agree in {shares}."
    if agreement.view is PointOfView.MOVER:
        yield Finding(name, Severity.OK, f"The {what}s are those of the side to move. {stated}")
    elif agreement.view is not PointOfView.UNKNOWN:
        sure = agreement.is_overwhelming
        yield Finding(
            name,
            Severity.FAULT,
            f"The {what}s are written from {VIEWS[agreement.view]}. {stated}"
            + ("" if sure else " The evidence is not overwhelming, so --fix leaves them alone."),
            sum(agreement.disagree),
            "flips these signs" if sure else "",
        )
    elif min(agreement.rows):
        yield Finding(name, Severity.NOTE, f"Too little to tell whose view the {what}s are. {stated}")


def _for_whom(agreement: ColumnAgreement) -> str:
    match agreement.view:
        case PointOfView.WHITE:
            return "where Black is to move"
        case PointOfView.BLACK:
            return "where White is to move"
    return "everywhere"


def _calibration(counts: SampleCounts) -> Iterator[Finding]:
    both = counts.calibration.all
    views = {evidence.agreement.view for evidence in evidence_of(counts).values()}
    if both.scale is None or both.error is None or not views <= {PointOfView.MOVER, PointOfView.UNKNOWN}:
        return  # a curve through wrong signs means nothing
    text = f"Results fit values best where {both.scale:.0f} centipawns mean odds of ten to one"
    text += f" (okapi's are 400); the deviation from that curve is {100 * both.error:.1f} % of a point."
    usual = SCALES[0] <= both.scale <= SCALES[1]
    if usual:
        yield Finding("calibration", Severity.OK, text, int(both.count.sum()))
    elif both.scale > 0:
        text += " That is not a scale of centipawns: check the unit of the values."
        yield Finding("calibration", Severity.WARNING, text, int(both.count.sum()))
    else:
        text = "The higher a value, the worse the result that followed."
        yield Finding("calibration", Severity.FAULT, text, int(both.count.sum()))


Checks = tuple[Callable[[SampleCounts], Iterator[Finding]], ...]

POSITION_CHECKS: Final[Checks] = (_values, _view_of_values, _calibration, _noisy)
"""For positions of games, which are legal and may repeat."""

SAMPLE_CHECKS: Final[Checks] = (
    _broken,
    _illegal,
    _repeated,
    _values,
    _results,
    _views,
    _calibration,
    _lopsided,
    _noisy,
)

# --- Figures --------------------------------------------------------------------------------------------------------


def figures(counts: SampleCounts) -> dict[str, Any]:
    unknown, lost, drawn, won = counts.results.tolist()
    return {
        "rows": counts.rows,
        "white_to_move": int(counts.turns[0]),
        "values": counts.values,
        "mates": counts.mates,
        "moves": counts.moves,
        "results": {"unknown": unknown, "lost": lost, "drawn": drawn, "won": won},
        "repeated": counts.repeated,
        "traits": {str(trait.name).lower(): count for trait, count in counts.traits.items()},
        "pieces": counts.pieces.tolist(),
        "plies": {str(start): count for start, count in _plies(counts)},
        "agreement": {
            name: asdict(getattr(counts, name))
            for name in ("value_and_material", "result_and_material", "value_and_result")
        },
        "calibration": _calibrated(counts.calibration),
    }


def _calibrated(calibration: Calibration) -> dict[str, Any]:
    sides = {"all": calibration.all, "white_to_move": calibration.white, "black_to_move": calibration.black}
    described: dict[str, Any] = {
        name: {"scale": curve.scale, "error": curve.error, "rows": int(curve.count.sum())}
        for name, curve in sides.items()
    }
    described["bins"] = [
        {"value": value, "rows": count, "result": round(mean, 4)} for value, count, mean in calibration.all.bins()
    ]
    return described


def charts(counts: SampleCounts) -> list[Any]:
    counted = np.flatnonzero(counts.pieces)
    first, last = (int(counted[0]), int(counted[-1])) if len(counted) else (2, 32)
    plies = list(_plies(counts))
    calibration = [counts.calibration.chart()] if any(counts.calibration.all.bins()) else []
    return [
        *calibration,
        Bars("plies", [str(start) for start, _ in plies], [count for _, count in plies], "plies before the position"),
        Bars(
            "pieces", [str(n) for n in range(first, last + 1)], counts.pieces[first : last + 1].tolist(), "on the board"
        ),
    ]


def _plies(counts: SampleCounts) -> Iterator[tuple[int, int]]:
    """The first ply of each bar, and its rows; up to the last that has any."""
    counted = np.flatnonzero(counts.plies)
    for start in range(0, (int(counted[-1]) if len(counted) else 0) + 1, PLIES):
        yield start, int(counts.plies[start : min(start + PLIES, LONGEST + 1)].sum())


# --- Games of a store -------------------------------------------------------------------------------------------------


Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

ELOS = (100, 4000)
FIRST_YEAR = 1400
SHORT, LONG = 10, 600
"""Plies."""

IN_COMMON = 0.8
"""Share of the shorter game that two games of the same players on the same day must have in common to be one."""

NEIGHBOURS = 3
"""Each of several games of the same players on the same day is compared with so many that follow."""

AT_A_TIME = 1 << 16

UNCHANGED: Final = -2
"""Instead of a result: keep it."""


@dataclass
class CheckedStore:
    """A store with the columns that checks need, and the changes that they propose."""

    store: Store
    removed_tags: dict[int, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = self.store.columns()
        self.plies = self.columns.plies.astype(np.int64)
        self.white, self.black = self._players("White"), self._players("Black")
        self.drop: Flags = np.zeros(len(self.store), np.bool_)
        self.results = np.full(len(self.store), UNCHANGED, np.int8)

    def _players(self, tag: str) -> Numbers:
        """A number for each player's surname; -1 where it is unknown."""
        texts = self.store.texts(tag)
        names = [surname(value) for value in texts.values]
        numbers = {name: number for number, name in enumerate(sorted({*names} - {""}))}
        of_values = np.array([*(numbers.get(name, -1) for name in names), -1], np.int64)
        return of_values[texts.index]  # an index of -1 finds the last


def check_games(checked: CheckedStore) -> list[Finding]:
    return [finding for check in GAME_CHECKS for finding in check(checked)]


def _games(count: int) -> str:
    """A count of games as text.

    >>> _games(1), _games(2000)
    ('1 game', '2,000 games')
    """
    return f"{count:,} game{'s' * (count != 1)}"


# --- The same game twice --------------------------------------------------------------------------------------------


def _duplicates(checked: CheckedStore) -> Iterator[Finding]:
    played = checked.plies > 0
    same_moves = _later(played, checked.columns.hash)
    twice = _later(played, checked.columns.hash, checked.white, checked.black)
    checked.drop |= twice
    count = int(twice.sum())
    text, ok = f"{_games(count)} are duplicates: the same start, moves and surnames.", "There are no duplicates."
    yield from found("duplicates", Severity.FAULT, count, text, "keeps the first of each", ok)
    count = int((same_moves & ~twice).sum())
    text = f"{_games(count)} have the moves of another game, but other players; mostly short draws."
    yield from found("same-moves", Severity.NOTE, count, text)


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


def _near_duplicates(checked: CheckedStore) -> Iterator[Finding]:
    """The same players, date, and position near the end of the shorter game."""
    date, plies = checked.columns.date.astype(np.int64), checked.plies
    known = (date % 100 > 0) & (checked.white >= 0) & (checked.black >= 0) & (plies >= 2 * SHORT) & ~checked.drop
    games = np.flatnonzero(known)
    order = games[np.lexsort([-games, plies[games], date[games], checked.black[games], checked.white[games]])]
    shorter: list[Numbers] = []
    for distance in range(1, NEIGHBOURS + 1):
        one, other = order[:-distance], order[distance:]
        same = date[one] == date[other]
        for players in (checked.white, checked.black):
            same &= players[one] == players[other]
        one, other = one[same], other[same]
        near_the_end = (IN_COMMON * plies[one]).astype(np.int64)  # one is the shorter, or the later
        keys = [position_keys(checked.store.positions(side, near_the_end)) for side in (one, other)]
        shorter.append(one[keys[0] == keys[1]])
    nearly = np.unique(np.concatenate(shorter))
    checked.drop[nearly] = True
    text = (
        f"{_games(len(nearly))} nearly equal another one: the same surnames and date, and the same position after "
        "four fifths of the moves."
    )
    yield from found("near-duplicates", Severity.WARNING, len(nearly), text, "keeps the longer one")


# --- Results --------------------------------------------------------------------------------------------------------


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
        wrong = (right != UNCHANGED) & (right != results[games])
        checked.results[games[wrong]] = right[wrong]
    wrong = checked.results != UNCHANGED
    stated = int((wrong & (results >= 0)).sum())
    text = f"{_games(stated)} have a result that contradicts the final position."
    ok, fix = "No result contradicts the final position.", "takes the result of the position"
    yield from found("contradicted-results", Severity.FAULT, stated, text, fix, ok)
    silent = int((wrong & (results < 0)).sum())
    text = f"{_games(silent)} have no result although the final position decides it."
    yield from found("decided-without-result", Severity.NOTE, silent, text, fix)
    missing = int((results < 0).sum()) - silent
    yield from found("without-result", Severity.NOTE, missing, f"{_games(missing)} have no result.")


# --- Tags and lengths -----------------------------------------------------------------------------------------------


def _elos(checked: CheckedStore) -> Iterator[Finding]:
    count = 0
    for tag, elos in (("WhiteElo", checked.columns.white_elo), ("BlackElo", checked.columns.black_elo)):
        wrong = np.flatnonzero((elos > 0) & ((elos < ELOS[0]) | (elos > ELOS[1])))
        count += len(wrong)
        for game in wrong.tolist():
            checked.removed_tags.setdefault(game, set()).add(tag)
    text = f"{count:,} ratings are outside {ELOS[0]} to {ELOS[1]:,}."
    yield from found("impossible-elo", Severity.WARNING, count, text, "removes these tags")


def _dates(checked: CheckedStore) -> Iterator[Finding]:
    dates, texts = checked.columns.date, checked.store.texts("Date")
    wrong = [date for date in np.unique(dates[dates > 0]).tolist() if not _is_date(date)]
    says_something = np.array([*("?" not in text and text.strip(" .-") != "" for text in texts.values), False])
    unreadable = (dates < 0) & says_something[texts.index]  # an index of -1 finds the last
    games = np.flatnonzero(np.isin(dates, wrong) | unreadable).tolist()
    for game in games:
        checked.removed_tags.setdefault(game, set()).add("Date")
    text = f"{_games(len(games))} have an invalid date, or one in the future."
    yield from found("impossible-date", Severity.WARNING, len(games), text, "removes these tags")


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


def _lengths(checked: CheckedStore) -> Iterator[Finding]:
    for name, wrong, text in (
        ("too-short", checked.plies < SHORT, f"shorter than {SHORT} plies"),
        ("too-long", checked.plies > LONG, f"longer than {LONG} plies"),
    ):
        count = int(wrong.sum())
        yield from found(name, Severity.NOTE, count, f"{_games(count)} are {text}.")


def _players(checked: CheckedStore) -> Iterator[Finding]:
    nameless = int(((checked.white < 0) | (checked.black < 0)).sum())
    yield from found("without-names", Severity.NOTE, nameless, f"{_games(nameless)} do not name the players.")


GAME_CHECKS: Final[tuple[Callable[[CheckedStore], Iterator[Finding]], ...]] = (
    _duplicates,
    _near_duplicates,
    _contradictions,
    _elos,
    _dates,
    _lengths,
    _players,
)
