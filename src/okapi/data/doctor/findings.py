"""What the doctor says: findings, each one sentence with how bad it is."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from okapi.formats.svg import Chart

__all__ = ["Finding", "Report", "Severity"]


class Severity(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    """Looked for, and not found."""
    NOTE = "note"
    """Good to know; often meant so."""
    WARNING = "warning"
    """Probably not meant so."""
    FAULT = "fault"
    """Wrong whatever was meant."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked for, and what was found."""

    check: str
    """Its name, which programs may rely on: `repeated-positions`."""
    severity: Severity
    text: str
    count: int = 0
    """Of games or rows that it is about."""
    mend: str = ""
    """What mending does about it; nothing where only a person can know."""


@dataclass(frozen=True, slots=True)
class Report:
    """All about one file."""

    name: str
    kind: str
    """What was examined: `games` or `samples`."""
    findings: Sequence[Finding]
    figures: dict[str, Any] = field(default_factory=dict)
    """Counts and histograms, as JSON."""
    charts: Sequence[Chart] = ()

    @property
    def unit(self) -> str:
        """What a mended copy has so and so many of."""
        return "games" if self.kind == "games" else "samples"

    @property
    def healthy(self) -> bool:
        """No faults: warnings and notes are for a person to judge."""
        return all(finding.severity is not Severity.FAULT for finding in self.findings)

    @property
    def mendable(self) -> list[Finding]:
        """What mending would change."""
        return [finding for finding in self.findings if finding.mend]
