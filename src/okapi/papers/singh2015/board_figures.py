"""Headline figures of the boards, of V and of play."""

from collections.abc import Callable
from typing import Final

from okapi.papers.headlines import Headline, Headlines, Measured
from okapi.papers.singh2015.published import CORRELATION, TABLE_3_7
from okapi.papers.singh2015.reading import BRAINS, Data
from okapi.papers.tables import tally_of

__all__ = ["BOARD_HEADLINES"]

SOURCE: Final = "thesis"
MATCHES: Final = {
    "top_prob": ("Top-Prob, the seven, against Sunfish with 10 to 1000 nodes", 0),
    "topprob_negamax": ("TopProb-Negamax, likewise", 1),
    "negamax": ("V with Negamax, likewise", 3),
    "quick_negamax": ("V as a perceptron with Negamax, likewise", None),
    "ours_limited": ("Ours without search, likewise", None),
    "ours_unlimited": ("Ours without search against Sunfish that nobody holds back", None),
    "taught_limited": ("Ours, taught by Stockfish, against Sunfish with 10 to 1000 nodes", None),
    "taught_unlimited": ("Ours, taught by Stockfish, against Sunfish that nobody holds back", None),
}
"""What they are called, and their lines in the thesis' Table 3.7."""


def _found(brain: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        rows = [row for row in data["rows"] if row["brain"] == brain]
        return Measured(sum(row["rank"] == 1 for row in rows), note=f"of {len(rows)}") if rows else Measured(None)

    return measure


def _correlation(data: Data) -> Measured:
    found = data["correlations"][str(data["gamma"])]
    note = f"discount {data['gamma']:g}, boards of {found['games']:,} games"
    return Measured(found["value"], found["low"], found["high"], note)


def _score(key: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        row = next((row for row in data["rows"] if row["key"] == key), None)
        if row is None:
            return Measured(None)
        note = f"{row['wins']}–{row['draws']}–{row['losses']}"
        return Measured(100 * row["score"], 100 * row["score_low"], 100 * row["score_high"], note)

    return measure


def _theirs(line: int | None) -> float | None:
    if line is None:
        return None
    match = TABLE_3_7[line]
    return 100 * tally_of((match.wins, match.draws, match.losses)).score


BOARD_HEADLINES: Final[Headlines] = {
    **{
        f"cases_{brain}": (Headline(f"Sample moves found first, {called}", None, "boards", "cases"), _found(brain))
        for brain, called in BRAINS.items()
    },
    "v_material": (
        Headline("Correlation of V with material", CORRELATION, "correlation", "evaluation", source=SOURCE),
        _correlation,
    ),
    **{
        f"match_{key}": (Headline(what, _theirs(line), "percent", "gameplay", source=SOURCE), _score(key))
        for key, (what, line) in MATCHES.items()
    },
}
"""By keys that programs may rely on; those that the thesis has are its own numbers."""
