"""What is wrong with games and samples, in plain sentences, and how to mend it.

patient = admit("labelled.samples")
for finding in patient.report.findings:
    print(finding.severity, finding.text)
patient.mend("good.samples")
"""

from pathlib import Path

from okapi.data.doctor.findings import Finding, Report, Severity
from okapi.data.doctor.pairs import Pair
from okapi.data.doctor.patients import Patient, SamplePatient
from okapi.data.doctor.sources import SampleSource, Tell, nobody
from okapi.data.doctor.stores import StorePatient, StoreSource
from okapi.data.store import is_store
from okapi.formats.samples import Options

__all__ = ["Finding", "Patient", "Report", "Severity", "admit", "admit_pair"]

AS_IT_SAYS = Options()
"""Formats and headers say whose values they are."""


def admit(path: Path | str, options: Options = AS_IT_SAYS, kind: str | None = None, tell: Tell = nobody) -> Patient:
    """Examine a store or a file of samples. `kind` is its format, where neither its name nor its bytes tell."""
    path = Path(path)
    if is_store(path):
        return StorePatient.examine(path, tell)
    return SamplePatient.examine(SampleSource(path, options, kind), tell)


def admit_pair(
    one: Path | str, other: Path | str, options: Options = AS_IT_SAYS, kind: str | None = None, tell: Tell = nobody
) -> Patient:
    """Examine what two stores or files of samples have in common; the second may be the test set of the first."""
    first, second = (
        StoreSource(path) if is_store(path) else SampleSource(path, options, kind) for path in map(Path, (one, other))
    )
    return Pair.examine(first, second, tell)
