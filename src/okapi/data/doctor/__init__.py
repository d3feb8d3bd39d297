"""Find and fix what is wrong with games and samples.

examination = examine("labelled.samples")
for finding in examination.report.findings:
    print(finding.severity, finding.text)
examination.fix("good.samples")
"""

from okapi.data.doctor.checks import DoctorReport, Finding, Severity
from okapi.data.doctor.examine import Examination, examine

__all__ = ["DoctorReport", "Examination", "Finding", "Severity", "examine"]
