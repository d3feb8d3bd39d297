"""Figures 3.1 and 3.2: how the networks learn."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from okapi.formats.html import Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import counted, lasted, number, percent
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.experiment import Results
from okapi.papers.singh2015.published import SAMPLES_PER_SECOND, TOP
from okapi.papers.singh2015.reading import Data, fastest_lesson
from okapi.papers.tables import made
from okapi.recipes.proportions import Proportion, difference

__all__ = ["learning"]

PIECE: Final = "piece"
LETTER: Final = "piece-letter"
"""The lesson that is had exactly as the thesis says."""

SHORT: Final = "piece-short"
"""PIECE after as many samples as those that are compared with it."""

VARIANTS: Final = {
    LETTER: (SHORT, "PIECE as section 2.7 teaches it"),
    "piece-6": (SHORT, "PIECE with six planes instead of twelve"),
    "piece-plain": (SHORT, "PIECE without the ELO layer"),
    "piece-outcome": (SHORT, "PIECE with the outcome layer, which knows how the game will end"),
    "piece-coded": (SHORT, "PIECE with the layers of the thesis' own program"),
    "rook-plain": ("rook", "ROOK without the piece layer"),
}
"""Lessons that differ from another in one thing."""

ACCURACIES: Final = {1: "accuracy", **{k: f"top_{k}" for k in TOP[1:]}}
"""Where reports have what so many guesses get right."""


def learning(results: Results) -> Section:
    """What was taught, and how it went."""
    return Section(
        "Learning",
        [
            Prose(
                "PIECE says which piece moves, the other six where it goes; each is ChessNet-1: at full size three "
                "convolutions of 64, 96 and 256 channels, a layer of 1024 neurons, and 64 squares. To the letter means "
                "AdaGrad with the rates and batches of section 2.7; the others learn in today's way."
            ),
            *made(results, "training", "Figures 3.1 and 3.2", _training),
        ],
    )


def _training(data: Data) -> Iterator[Part]:
    lessons: Mapping[str, Any] = data["lessons"]
    for name, numbered in ((PIECE, "Figures 3.1 and 3.2"), (LETTER, "Figures 3.1 and 3.2, to the letter")):
        if name in lessons and len(lessons[name]["curve"]) > 1:
            yield _curves(name, numbered, lessons[name]["curve"])
    yield Table(
        name="Lessons",
        caption="Samples of test games that each lesson's network gets right, without masking.",
        heads=("lesson", *(f"k = {k}" for k in TOP), "loss", "samples"),
        rows=[_tested(name, lesson["test"]) for name, lesson in lessons.items()],
    )
    yield Table(
        name="What lessons took",
        caption="The network and what it sees, how it learned, and for how long.",
        heads=("lesson", "network", "sees", "learns by", "batch", "samples", "samples/s", "time"),
        rows=[_taken(name, lesson) for name, lesson in lessons.items()],
        words=(1, 2, 3),
    )
    yield Notes(list(_sentences(lessons)))


def _curves(name: str, numbered: str, curve: list[dict[str, float]]) -> Figure:
    losses = [
        Line(called, [(entry["epoch"], entry[key]) for entry in curve if key in entry])
        for called, key in (("training", "train_loss"), ("validation", "validation_loss"))
    ]
    accuracies = [
        Line(f"k = {k}", [(entry["epoch"], 100 * entry[f"validation_{key}"]) for entry in curve])
        for k, key in ACCURACIES.items()
        if f"validation_{key}" in curve[0]
    ]
    last = "; ".join(f"{line.name} ends at {number(line.points[-1][1], 2)}" for line in (*losses, *accuracies))
    return Figure(
        name=numbered,
        caption="The softmax loss on training and validation samples, and the share of validation samples that k "
        "guesses get right. The thesis draws its test set, which we look at once; its curves have no numbers.",
        pictures=[
            figure(Lines(f"{name}: loss", losses, "epoch"), f"{name}: {last}", width=460),
            figure(Lines(f"{name}: right, per cent", accuracies, "epoch"), f"{name}: {last}", width=460),
        ],
    )


def _tested(name: str, test: Data) -> tuple[str, ...]:
    shares = (percent(test.get(key)) for key in ACCURACIES.values())
    return name, *shares, number(test["loss"], 3), number(test["count"])


def _taken(name: str, lesson: Data) -> tuple[str, ...]:
    return (
        name,
        lesson["model"],
        lesson["encoding"],
        f"{lesson['optimiser']} {lesson['rate']:g}",
        number(lesson["batch"]),
        number(lesson["samples"]),
        number(lesson["samples_per_second"]),
        lasted(lesson["seconds"]),
    )


def _sentences(lessons: Mapping[str, Any]) -> Iterator[str]:
    for name, (base, what) in VARIANTS.items():
        if name in lessons and base in lessons:
            other, usual = (_right(lessons[each]["test"]) for each in (name, base))
            gap, seen = difference(other, usual), _seen(lessons[name], lessons[base])
            yield f"{what}{seen}: {other} instead of {percent(usual.value)}, {gap} points."
    piece = lessons.get(PIECE)
    if piece and piece["curve"]:
        last = piece["curve"][-1]
        gap = last["validation_loss"] - last["train_loss"]
        yield (
            f"PIECE ends with a loss of {number(last['validation_loss'], 3)} on validation samples, "
            f"{number(abs(gap), 3)} {'above' if gap > 0 else 'below'} that on training samples, after "
            f"{counted(piece['epochs'], 'epoch')}."
        )
    fastest = fastest_lesson(lessons)
    if fastest is not None:
        lesson = lessons[fastest]
        busy = f", which was busy {percent(lesson['busy'], 0)} of the time" if lesson["busy"] is not None else ""
        yield (
            f"ChessNet-1 saw up to {number(lesson['samples_per_second'])} samples a second on "
            f"{lesson['device']}{busy}; the thesis' GPU {number(SAMPLES_PER_SECOND)}, by its 300,000 batches of 1000 "
            "in two to three days."
        )


def _seen(lesson: Data, other: Data) -> str:
    """What is unequal about a comparison, if anything is."""
    if lesson["samples"] == other["samples"]:
        return ""
    return f", after {number(lesson['samples'])} samples instead of {number(other['samples'])}"


def _right(test: Data) -> Proportion:
    return Proportion(round(test["accuracy"] * test["count"]), test["count"])
