"""What is wrong with samples: one small function for each thing that can be."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import numpy as np

from okapi.core.traits import Trait
from okapi.data.doctor.calibration import Calibration
from okapi.data.doctor.findings import Finding, Report, Severity
from okapi.data.doctor.tally import LONGEST, Tally, evidence_of
from okapi.data.doctor.views import Agreement, Evidence, Whose
from okapi.formats.svg import Bars

__all__ = ["OF_GAMES", "report_on"]

PLIES = 20
"""Of one bar."""

SCALES = (100, 1500)
"""Between these, a fitted scale may be centipawns; glossary.md says 400."""

CROWDED = 0.05
"""More repeated positions than this are rarely meant."""

LOPSIDED = 0.9
"""More rows than this with the same side to move are rarely meant."""

VIEWS: Final = {
    Whose.WHITE: "White's view: those with Black to move have the wrong sign",
    Whose.BLACK: "Black's view: those with White to move have the wrong sign",
    Whose.OPPONENT: "the view of the side that is not to move: all have the wrong sign",
}


def report_on(tally: Tally, name: str, found: Iterable[Finding] = (), checks: "Checks | None" = None) -> Report:
    """Everything about the rows that were counted, after what was found before."""
    findings = [*found, *(finding for check in checks or CHECKS for finding in check(tally))]
    return Report(name, "samples", findings, figures(tally), charts(tally))


def _share(count: int, rows: int) -> str:
    """A count in words and per cent.

    >>> _share(5, 200)
    '5 of 200 rows (2.5 %)'
    """
    return f"{count:,} of {rows:,} rows ({100 * count / max(1, rows):.2g} %)"


# --- Positions and moves --------------------------------------------------------------------------------------------


def _broken(tally: Tally) -> Iterator[Finding]:
    broken = tally.traits[Trait.BROKEN]
    if broken:
        text = f"{_share(broken, tally.rows)} hold no position that chess can have."
        yield Finding("broken-positions", Severity.FAULT, text, broken, "leaves them out")
    else:
        yield Finding("broken-positions", Severity.OK, f"All {tally.rows:,} positions can stand on a board.")


def _illegal(tally: Tally) -> Iterator[Finding]:
    illegal = tally.traits[Trait.ILLEGAL]
    if illegal:
        text = f"In {_share(illegal, tally.rows)} the best move is not legal."
        yield Finding("illegal-moves", Severity.FAULT, text, illegal, "takes the move away, and keeps the rest")
    elif tally.moves:
        yield Finding("illegal-moves", Severity.OK, f"All {tally.moves:,} best moves are legal.")
    else:
        yield Finding("illegal-moves", Severity.NOTE, "No row has a best move.")


def _noisy(tally: Tally) -> Iterator[Finding]:
    for trait, what in (
        (Trait.IN_CHECK, "the side to move is in check"),
        (Trait.CAPTURE, "the move takes something"),
        (Trait.CHECK, "the move gives check"),
        (Trait.PROMOTION, "the move promotes"),
    ):
        count = tally.traits[trait]
        if count:
            name = f"{str(trait.name).lower().replace('_', '-')}-share"
            yield Finding(name, Severity.NOTE, f"In {_share(count, tally.rows)} {what}.", count)


def _repeated(tally: Tally) -> Iterator[Finding]:
    severity = Severity.WARNING if tally.repeated > CROWDED * tally.rows else Severity.NOTE
    if tally.repeated:
        text = f"{_share(tally.repeated, tally.rows)} repeat a position of an earlier row."
        yield Finding("repeated-positions", severity, text, tally.repeated, "keeps the first of each")
    else:
        yield Finding("repeated-positions", Severity.OK, "No position stands in two rows.")


def _lopsided(tally: Tally) -> Iterator[Finding]:
    share = tally.turns.max() / max(1, tally.turns.sum())
    if share > LOPSIDED:
        side = ("White", "Black")[int(tally.turns.argmax())]
        text = f"In {100 * share:.3g} % of the rows {side} is to move: the other side is hardly learned."
        yield Finding("one-side-to-move", Severity.WARNING, text, int(tally.turns.max()))


# --- Values and results ---------------------------------------------------------------------------------------------


def _values(tally: Tally) -> Iterator[Finding]:
    if not tally.values:
        yield Finding("values", Severity.NOTE, "No row has a value.")
    elif tally.zeros == tally.values:
        yield Finding("values", Severity.FAULT, f"All {tally.values:,} values are 0.", tally.values)
    elif tally.out_of_range:
        text = f"{_share(tally.out_of_range, tally.rows)} have a value beyond a mate in 0 (32,000)."
        yield Finding("values", Severity.FAULT, text, tally.out_of_range, "takes these values away")
    else:
        text = f"All {tally.values:,} values are in range; {tally.mates:,} of them are mates."
        yield Finding("values", Severity.OK, text, tally.values)


def _results(tally: Tally) -> Iterator[Finding]:
    lost, drawn, won = tally.results[1:].tolist()
    known = lost + drawn + won
    if tally.odd_results:
        text = f"{_share(tally.odd_results, tally.rows)} have a result that is none."
        yield Finding("results", Severity.FAULT, text, tally.odd_results, "takes these results away")
    if not known:
        yield Finding("results", Severity.NOTE, "No row has a result.")
    elif known in (lost, drawn, won):
        which = "lost" if lost else "drawn" if drawn else "won"
        text = f"All {known:,} results are the same ({which} for the side to move): nothing can be learned from them."
        yield Finding("results", Severity.WARNING, text, known)
    if tally.random_with_result:
        text = f"{_share(tally.random_with_result, tally.rows)} come after a random move, yet have the game's result."
        yield Finding(
            "random-with-result", Severity.WARNING, text, tally.random_with_result, "takes these results away"
        )


def _views(tally: Tally) -> Iterator[Finding]:
    found = evidence_of(tally)
    for what, evidence in found.items():
        yield from _view(what, evidence)
    together = tally.value_and_result.summary()
    unsure = any(evidence.agreement.view is Whose.UNKNOWN for evidence in found.values())
    if unsure and together.view not in (Whose.MOVER, Whose.UNKNOWN):
        text = (
            f"Values and results contradict each other {_for_whom(together)}: one of the two is written from another "
            "view, but there are too few clear positions to say which. Look at one with a queen more for Black."
        )
        yield Finding("views-disagree", Severity.FAULT, text, sum(together.disagree))


def _view_of_values(tally: Tally) -> Iterator[Finding]:
    yield from _view("value", evidence_of(tally)["value"])


def _view(what: str, evidence: Evidence) -> Iterator[Finding]:
    name, agreement = f"view-of-{what}s", evidence.agreement
    shares = " and ".join(
        f"{100 * agreement.share(turn):.0f} % of {agreement.rows[turn]:,} with {side} to move"
        for turn, side in enumerate(("White", "Black"))
    )
    told = f"Where {evidence.where}, they agree in {shares}."
    if agreement.view is Whose.MOVER:
        yield Finding(name, Severity.OK, f"The {what}s are those of the side to move. {told}")
    elif agreement.view is not Whose.UNKNOWN:
        sure = agreement.is_overwhelming
        yield Finding(
            name,
            Severity.FAULT,
            f"The {what}s are written from {VIEWS[agreement.view]}. {told}"
            + ("" if sure else " The evidence is not overwhelming, so mending leaves them alone."),
            sum(agreement.disagree),
            "turns these signs round" if sure else "",
        )
    elif min(agreement.rows):
        yield Finding(name, Severity.NOTE, f"Too little to tell whose view the {what}s are. {told}")


def _for_whom(agreement: Agreement) -> str:
    match agreement.view:
        case Whose.WHITE:
            return "where Black is to move"
        case Whose.BLACK:
            return "where White is to move"
    return "everywhere"


def _calibration(tally: Tally) -> Iterator[Finding]:
    both = tally.calibration.all
    views = {evidence.agreement.view for evidence in evidence_of(tally).values()}
    if both.scale is None or both.error is None or not views <= {Whose.MOVER, Whose.UNKNOWN}:
        return  # a curve through wrong signs says nothing
    text = f"Results fit values best where {both.scale:.0f} centipawns count like ten to one"
    text += f" (okapi's are 400); they stray {100 * both.error:.1f} % of a point from that curve."
    usual = SCALES[0] <= both.scale <= SCALES[1]
    if usual:
        yield Finding("calibration", Severity.OK, text, int(both.count.sum()))
    elif both.scale > 0:
        text += " That is no scale of centipawns: look at the unit of the values."
        yield Finding("calibration", Severity.WARNING, text, int(both.count.sum()))
    else:
        text = "The higher a value, the worse the result that followed."
        yield Finding("calibration", Severity.FAULT, text, int(both.count.sum()))


Checks = tuple[Callable[[Tally], Iterator[Finding]], ...]

OF_GAMES: Final[Checks] = (_values, _view_of_values, _calibration, _noisy)
"""What can be wrong with the positions of games: the rules brought them about, and they may repeat."""

CHECKS: Final[Checks] = (_broken, _illegal, _repeated, _values, _results, _views, _calibration, _lopsided, _noisy)

# --- Figures --------------------------------------------------------------------------------------------------------


def figures(tally: Tally) -> dict[str, Any]:
    """Everything that was counted, for programs."""
    unknown, lost, drawn, won = tally.results.tolist()
    return {
        "rows": tally.rows,
        "white_to_move": int(tally.turns[0]),
        "values": tally.values,
        "mates": tally.mates,
        "moves": tally.moves,
        "results": {"unknown": unknown, "lost": lost, "drawn": drawn, "won": won},
        "repeated": tally.repeated,
        "traits": {str(trait.name).lower(): count for trait, count in tally.traits.items()},
        "pieces": tally.pieces.tolist(),
        "plies": {str(start): count for start, count in _plies(tally)},
        "agreement": {
            name: {"agree": list(opinions.summary().agree), "disagree": list(opinions.summary().disagree)}
            for name, opinions in (
                ("value_and_material", tally.value_and_material),
                ("result_and_material", tally.result_and_material),
                ("value_and_result", tally.value_and_result),
            )
        },
        "calibration": _calibrated(tally.calibration),
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


def charts(tally: Tally) -> list[Any]:
    """The same as pictures."""
    counted = np.flatnonzero(tally.pieces)
    first, last = (int(counted[0]), int(counted[-1])) if len(counted) else (2, 32)
    plies = list(_plies(tally))
    calibration = [tally.calibration.chart()] if any(tally.calibration.all.bins()) else []
    return [
        *calibration,
        Bars("plies", [str(start) for start, _ in plies], [count for _, count in plies], "plies before the position"),
        Bars(
            "pieces", [str(n) for n in range(first, last + 1)], tally.pieces[first : last + 1].tolist(), "on the board"
        ),
    ]


def _plies(tally: Tally) -> Iterator[tuple[int, int]]:
    """The first ply of each bar, and how many rows it has; up to the last that has any."""
    counted = np.flatnonzero(tally.plies)
    for start in range(0, (int(counted[-1]) if len(counted) else 0) + 1, PLIES):
        yield start, int(tally.plies[start : min(start + PLIES, LONGEST + 1)].sum())
