"""Kinds of options that several commands take: numbers that are checked, lists of words, and what `--help` says."""

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number


def about(text: str, **more: Any) -> Parameter:
    """What `--help` says of an option."""
    return Parameter(help=text, **more)


def out_flag(*former: str, **more: Any) -> Parameter:
    """The flag of what a command writes. Former names are still taken."""
    return Parameter(name=("--out", *former), **more)


Positive = Annotated[int | None, Parameter(validator=Number(gte=1))]
Natural = Annotated[int | None, Parameter(validator=Number(gte=0))]
Count = Annotated[int, Parameter(validator=Number(gte=1))]
CountOrZero = Annotated[int, Parameter(validator=Number(gte=0))]
Amount = Annotated[float | None, Parameter(validator=Number(gt=0))]
Above0 = Annotated[float, Parameter(validator=Number(gt=0))]
Texts = list[str] | None
Words = Annotated[Texts, Parameter(consume_multiple=True)]
Size = Literal["tiny", "quick", "full"]

Anchors = Annotated[Texts, about("NAME=ELO: a player whose rating is known; may be given several times.")]
Cluster = Annotated[str | None, about("Use the Ray cluster at this address (host:port, or auto).")]
Concurrency = Annotated[Positive, about("Games at a time; as many as there are processors if not given.")]
Openings = Annotated[str | None, about("EPD, PGN or Polyglot file; our own set of balanced openings if not given.")]
RunName = Annotated[str | None, out_flag("--to", help="The name or folder of the run; by its settings if not given.")]
SourceFile = Annotated[Path | None, about("Games or samples of any format; without it, games that Okapi plays itself.")]
