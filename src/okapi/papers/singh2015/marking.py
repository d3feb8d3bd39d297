"""Exams that are marked in parts, each kept: whoever is stopped goes on with the next part."""

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import predictor
from okapi.brains.files import replace_file
from okapi.core.packed import rows
from okapi.files import file_hash
from okapi.papers.experiment import ExperimentContext
from okapi.papers.singh2015.exam import Exam
from okapi.papers.singh2015.marks import MARK, mark
from okapi.papers.singh2015.reading import BRAINS
from okapi.papers.singh2015.school import School
from okapi.recipes.config import Size

__all__ = ["POSITIONS", "brains_of", "marked", "sat"]

POSITIONS: Final[dict[Size, int]] = {"tiny": 200, "quick": 4_000, "full": 50_000}
"""Of the exam, drawn at random."""

AT_ONCE: Final = 512
"""Positions in a part: with the probabilities of all pairs of squares 8 MB, a few times over."""


def brains_of(school: School) -> dict[str, Path]:
    """Those that were taught."""
    files = {"seven": school.seven, "ours": school.ours}
    return {name: path for name, path in files.items() if path is not None}


def sat(lab: ExperimentContext, school: School, name: str) -> tuple[Exam, Mapping[str, NDArray[np.void]]]:
    """The exam as far as it is set in a lab of that size, and the marks of each brain."""
    count = lab.chosen(name, {"positions": POSITIONS[lab.size]})["positions"]
    exam = school.exam.some(count, lab.seed)
    return exam, {brain: marked(lab, path, exam, BRAINS[brain]) for brain, path in brains_of(school).items()}


def marked(lab: ExperimentContext, brain: Path, exam: Exam, what: str) -> NDArray[np.void]:
    """The marks of a brain, which are made once for each brain and exam; `what` is for whoever watches."""
    folder = lab.folder / "marks" / f"{file_hash(brain)}-{_hash(exam)}"
    folder.mkdir(parents=True, exist_ok=True)
    begins = range(0, len(exam), AT_ONCE)
    files = [folder / f"{begin:08}.npy" for begin in begins]
    thinks = None
    for begin, file in zip(begins, files, strict=True):
        if file.exists():
            continue
        thinks = thinks or predictor(str(brain), threads=lab.executor.workers)
        part = exam.take(np.arange(begin, min(begin + AT_ONCE, len(exam))))
        replace_file(file, _bytes(mark(thinks, part)))
        lab.tell(f"{what}: {begin + len(part):,} of {len(exam):,} positions")
    return np.concatenate([np.zeros(0, MARK), *(np.load(file) for file in files)])


def _hash(exam: Exam) -> str:
    """Short, and another one for other positions, moves or ratings."""
    digest = hashlib.sha256(rows(exam.positions).tobytes())
    digest.update(exam.moves.tobytes())
    digest.update(exam.elos.tobytes())
    return digest.hexdigest()[:16]


def _bytes(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()
