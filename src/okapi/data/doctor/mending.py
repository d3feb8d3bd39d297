"""Samples with what was wrong put right, or left out. Only what is certain is changed."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import KeySet, position_keys
from okapi.core.packed import NO_VALUE
from okapi.core.samples import Rows
from okapi.core.traits import Trait, traits
from okapi.data.doctor.tally import HIGHEST, RANDOM_MOVE, Tally, evidence_of
from okapi.data.doctor.views import Whose, turned

__all__ = ["Mender"]


@dataclass
class Mender:
    """Mends chunk after chunk of the rows that were examined. Remembers positions, to keep the first of each."""

    value_view: Whose
    result_view: Whose
    seen: KeySet = field(default_factory=KeySet)

    @classmethod
    def after(cls, tally: Tally) -> "Mender":
        """One that knows what the examination found."""
        views = {
            what: found.agreement.view if found.agreement.is_overwhelming else Whose.MOVER
            for what, found in evidence_of(tally).items()
        }
        return cls(views["value"], views["result"])

    def mend(self, rows: Rows) -> Rows:
        """What is left of these rows, corrected."""
        found = traits(rows["position"], rows["move"])
        whole = (found & Trait.BROKEN) == 0
        whole[whole] = self.seen.add(position_keys(rows["position"][whole]))
        kept: Rows = rows[whole]
        found = found[whole]
        kept["move"][(found & Trait.ILLEGAL) != 0] = 0
        self._mend_values(kept)
        self._mend_results(kept)
        return kept

    def _mend_values(self, rows: Rows) -> None:
        values = rows["value"]
        values[np.abs(values.astype(np.int32)) > HIGHEST] = NO_VALUE
        wrong = turned(self.value_view, rows["position"]["turn"])
        values[wrong] = _turned_round(values[wrong])
        names = rows.dtype.names or ()
        if "lines" in names:
            rows["lines"]["value"][wrong] = _turned_round(rows["lines"]["value"][wrong])
        if "wdl" in names:
            rows["wdl"][wrong] = rows["wdl"][wrong][:, ::-1]

    def _mend_results(self, rows: Rows) -> None:
        results = rows["result"]
        known = (results >= 0) & (results <= 2)
        results[~known | ((rows["flags"] & RANDOM_MOVE) != 0)] = -1
        wrong = turned(self.result_view, rows["position"]["turn"]) & (results >= 0)
        results[wrong] = 2 - results[wrong]


def _turned_round(values: NDArray[np.int16]) -> NDArray[np.int16]:
    return np.where(values == NO_VALUE, values, -values)
