"""`okapi explain` and `okapi brains compare`: what a brain's value is made of, and how two brains differ."""

import math
import time
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text

from okapi.analysis.attribution import BrainChanges, PositionAttribution, attribute_pieces, brain_changes
from okapi.analysis.compare import EvaluatorComparison, EvaluatorValues, Gap, comparison_page, list_disagreements
from okapi.analysis.compare import compare as compared
from okapi.analysis.neurons import Neurons, NeuronSurvey
from okapi.analysis.positions import KINDS, kinds_of, quiet_positions, sample_positions, self_play_positions
from okapi.brains import card, default_name, evaluations, evaluator, find
from okapi.brains.library import checkpoints, default_library, run_folder
from okapi.brains.output import expected_scores
from okapi.cli.console import BrainOption, Json, emit, note, out, rounded, say, table_of, write_text
from okapi.cli.drawing import bar, draw_map, draw_numbers, print_board
from okapi.cli.evaluate import Fen, position_from
from okapi.cli.parameters import Count, CountOrZero, Positive, SourceFile, about, out_flag
from okapi.cli.progress import fraction_done
from okapi.core import Color, Kind, Position, Value
from okapi.core.packed import fens, unpack
from okapi.core.samples import Rows
from okapi.errors import UsageError
from okapi.files import file_errors
from okapi.formats.samples import SkippedSamples

Against = Annotated[str | None, about("Another brain: show how much more each piece contributes with the first one.")]
WARMEST = 0.5
"""A piece that contributes so much more than its kind usually does, as a fraction of that, is fully red."""


def pieces(*fen: Fen, brain: BrainOption = None, against: Against = None, json: Json = False) -> None:
    """Show what each piece contributes to the brain's value: the value that its side loses without it.

    The brain evaluates the position again without the piece. A piece is red where it contributes more than the usual
    proportions 1 3 3 5 9 would give it, and blue where it contributes less. Kings stay.

    For example:
      okapi explain pieces r4rk1/1bq2ppp/p2bpn2/1p6/3BP3/P1NQ4/1PP1BPPP/R4RK1 w - - 0 15 --brain giraffe
      okapi explain pieces startpos --brain now.safetensors --against before.safetensors
    """
    if not fen:
        raise UsageError("explain pieces takes a position", hint="okapi explain pieces startpos")
    position = position_from(" ".join(fen))
    found = attribute_pieces(evaluator(brain), position)
    other = None if against is None else attribute_pieces(evaluator(against), position)
    if json:
        against_it = {} if other is None else {"against": _pieces_described(position, other)}
        emit(_pieces_described(position, found) | against_it)
    elif other is None:
        _print_pieces(position, card(brain or default_name()).name, found)
    else:
        _print_differences(position, card(brain or default_name()).name, card(str(against)).name, found, other)


def _pieces_described(position: Position, found: PositionAttribution) -> dict[str, Any]:
    totals = {side.name.lower(): found.total(side) for side in Color}
    pieces = []
    for worth in found.pieces:
        known = {"centipawns": worth.centipawns, "usual": round(found.usual(worth.piece.kind))}
        pieces.append({"square": str(worth.square), "piece": str(worth.piece), **known})
    return {"fen": position.fen(), "centipawns": found.centipawns, **totals, "pieces": pieces}


def _print_pieces(position: Position, name: str, found: PositionAttribution) -> None:
    texts = {worth.square: _pawns(worth.centipawns) for worth in found.pieces}
    beyond = dict.fromkeys((worth.square for worth in found.pieces), 0.0)
    for worth in found.pieces:
        usually = found.usual(worth.piece.kind)
        if worth.centipawns is not None and usually > 0:
            beyond[worth.square] = worth.centipawns / usually - 1.0
    warmth = {square: part / WARMEST for square, part in beyond.items()}
    totals = [f"{side.name.capitalize()}'s pieces are worth {found.total(side) / 100:.2f}" for side in Color]
    say(f"{name} gives White {found.centipawns / 100:+.2f}; what each piece is worth to its side\n")
    say(draw_numbers(position, texts, warmth))
    say(f"\n{', '.join(totals)}; a pawn usually {found.usual(Kind.PAWN) / 100:.2f}")
    ranked = sorted((worth for worth in found.pieces if worth.centipawns is not None), key=lambda w: -beyond[w.square])
    for what, worth in (("most", ranked[0]), ("least", ranked[-1])) if len(ranked) > 1 else ():
        piece = f"{worth.piece.color.name.capitalize()}'s {worth.piece.kind.name.lower()} on {worth.square}"
        usual = f"usually {found.usual(worth.piece.kind) / 100:.2f}"
        say(f"worth {what} for its kind: {piece} ({_pawns(worth.centipawns)}, {usual})")
    if any(worth.centipawns is None for worth in found.pieces):
        say(Text("–  cannot be taken off: the king behind it could be captured", "dim"))


def _print_differences(
    position: Position, name: str, against: str, found: PositionAttribution, other: PositionAttribution
) -> None:
    values = f"{name} gives White {found.centipawns / 100:+.2f}, {against} {other.centipawns / 100:+.2f}"
    say(f"{values}; how much more each piece is worth to {name}\n")
    more = {
        one.square: one.centipawns - two.centipawns
        for one, two in zip(found.pieces, other.pieces, strict=True)
        if one.centipawns is not None and two.centipawns is not None
    }
    most = max(map(abs, more.values()), default=0) or 1
    texts = {square: f"{by / 100:+.2f}" for square, by in more.items()}
    warmth = {square: by / most for square, by in more.items()}
    say(draw_numbers(position, texts, warmth))


def _pawns(centipawns: int | None) -> str:
    return "–" if centipawns is None else f"{centipawns / 100:.2f}"


MAPS_A_ROW = 3
STRONGEST = 8
"""Pieces on squares with the largest weights of a neuron."""


def neurons(
    brain: Annotated[str, about("A brain of the kind nnue: its name, or the path of a file.")],
    number: Annotated[tuple[int, ...], about("Neurons to show in detail.")] = (),
    /,
    *,
    positions: SourceFile = None,
    most: Annotated[Count, about("Positions to measure neurons on.")] = 4_000,
    top: Annotated[Count, about("Neurons to list.")] = 16,
    boards: Annotated[CountOrZero, about("Positions to show for each neuron in detail.")] = 3,
    json: Json = False,
) -> None:
    """List the neurons of a brain, those with the most influence first; or show the weights of some of them.

    Influence is how many centipawns the contribution of a neuron varies by over positions. A neuron reads the board
    from one side, mirrored so that the king of this side is on files a to d; its maps are the weights of each piece
    on each square, and the boards are the positions with its largest activations.

    For example:
      okapi explain neurons champion.safetensors 17 203
      okapi explain neurons champion.safetensors 17 --positions games.okapi --most 20000 --boards 6
    """
    layer = Neurons.open(find(brain))
    for one in number:
        layer.check(one)
    survey = NeuronSurvey.of(layer, positions_to_evaluate(positions, most))
    if json:
        old = {"awake": "active", "full": "saturated", "favour": "mean_contribution"}
        facts = [asdict(fact) | {key: getattr(fact, now) for key, now in old.items()} for fact in survey.neurons]
        close = [_neuron_described(layer, survey, one, boards) for one in number]
        emit({"neurons": facts, "positions": len(survey.rows), "close": close})
        return
    if not number:
        say(f"{len(layer)} neurons, measured on {len(survey.rows):,} positions\n", _neuron_table(survey, layer, top))
    for one in number:
        _print_neuron(layer, survey, one, boards)


def _neuron_table(survey: NeuronSurvey, layer: Neurons, top: int) -> Table:
    columns = {"neuron": "d", "influence": ".1f", "": "s", "active": ".0%", "saturated": ".0%", "centipawns": "+.0f"}
    columns["largest weights"] = ""
    largest = survey.neurons[0].influence or 1.0
    rows = []
    for fact in survey.neurons[:top]:
        length, shares = bar(fact.influence / largest, 16), (fact.active, fact.saturated)
        strongest = _strongest(layer, survey, fact.number, 2)
        rows.append((fact.number, fact.influence, length, *shares, fact.mean_contribution, strongest))
    table = table_of(columns, rows)
    table.columns[2].style, table.columns[2].justify = "cyan", "left"
    return table


def _strongest(layer: Neurons, survey: NeuronSurvey, number: int, most: int) -> str:
    return ", ".join(f"{what} {weight:+.2f}" for what, weight in layer.strongest(number, most, survey.seen))


def _print_neuron(layer: Neurons, survey: NeuronSurvey, number: int, boards: int) -> None:
    console = out()
    place, fact = next((place, fact) for place, fact in enumerate(survey.neurons, 1) if fact.number == number)
    console.print(f"[bold]Neuron {number}[/]: influence {fact.influence:.1f} centipawns, {place} of {len(layer)}")
    contributes = f"when active it contributes {fact.mean_contribution:+.0f} centipawns to its side"
    say(f"active in {fact.active:.0%} of all views, saturated in {fact.saturated:.0%}; {contributes}\n")
    weights = _weights(layer, number)
    most = max(abs(weight) for row in weights.values() for weight in row if not math.isnan(weight))
    say(f"its weights, in ninths of {most:.2f}; own side below, own king on a to d\n")
    maps = [draw_map(piece, row, most) for piece, row in weights.items()]
    for start in range(0, len(maps), MAPS_A_ROW):
        row = Table.grid(padding=(0, 1))
        row.add_row(*maps[start : start + MAPS_A_ROW])
        console.print(row, soft_wrap=False)
        console.print()
    say(f"largest weights: {_strongest(layer, survey, number, STRONGEST)}\n")
    for active in survey.most_active(number, boards):
        position = unpack(survey.rows["position"][active.row])
        side = active.side.name.capitalize()
        words = f"activation {active.activation:.2f}\nfor {side}\n\n{position.turn.name.capitalize()} to move"
        print_board(position, words, flipped=active.side is Color.BLACK)


def _weights(layer: Neurons, number: int) -> dict[str, list[float]]:
    """The weights of a neuron for each piece, from a1 to h8; NaN where that cannot stand."""
    weights = layer.weights(number)
    pieces = [(side, whose, kind) for side, whose in enumerate(("own", "enemy")) for kind in Kind]
    return {f"{whose} {kind.name.lower()}": weights[side, kind.value].tolist() for side, whose, kind in pieces}


def _neuron_described(layer: Neurons, survey: NeuronSurvey, number: int, boards: int) -> dict[str, Any]:
    known = _weights(layer, number).items()
    weights = {piece: [None if math.isnan(each) else round(each, 4) for each in row] for piece, row in known}
    most_active = []
    for active in survey.most_active(number, boards):
        fen, side = unpack(survey.rows["position"][active.row]).fen(), active.side.name.lower()
        most_active.append({"fen": fen, "side": side, "activation": round(active.activation, 3)})
    return {"number": number, "weights": weights, "most_active": most_active}


def changes(
    before: Annotated[str, about("The older brain: its name, or a file; or a run, by name or folder.")],
    now: Annotated[str | None, about("The newer one; of a run, its last two generations are taken.")] = None,
    /,
    *,
    positions: SourceFile = None,
    most: Annotated[Count, about("Positions to evaluate.")] = 4_000,
    removed: Annotated[Count, about("Positions whose pieces are removed.", name=("--removed", "--worths"))] = 1_000,
    top: Annotated[CountOrZero, about("Pieces on squares to list, those whose contribution changed most.")] = 12,
    worst: Annotated[CountOrZero, about("Boards to show, those where the values differ most.")] = 3,
    json: Json = False,
) -> None:
    """Show what changed from one brain to the next: values, what pieces contribute, and on which squares.

    Both evaluate the same positions without a search, and again without each piece in turn.

    For example:
      okapi explain changes vazquez-five okapi-28
      okapi explain changes mine
    """
    if now is None:
        before, now = _last_generations(default_library().folders().get(before, Path(before)))
    if find(before) == find(now):
        raise UsageError(f"`{before}` and `{now}` are the same brain", hint="name two brains")
    rows = positions_to_evaluate(positions, most)
    with fraction_done("removing pieces") as heard:
        found = brain_changes(before, now, rows, worst=worst, attributed=removed, on_progress=heard)
    if json:
        kinds = [(kind.name.lower(), round(old, 1), round(new, 1)) for kind, old, new in found.kinds()]
        pieces = [{"kind": kind, "before": old, "now": new} for kind, old, new in kinds]
        squares = [rounded(change, 1) | {"kind": change.kind.name.lower()} for change in found.squares(top)]
        emit({**described(found.compared), "pieces": pieces, "squares": squares})
    else:
        _print_changes(found, top)


def _last_generations(run: Path) -> tuple[str, str]:
    brains = sorted(run.glob("[0-9]*/brain.safetensors"), key=lambda path: int(path.parent.name))
    brains = brains or [checkpoint.path for checkpoint in checkpoints(run)]
    if len(brains) < 2:
        hint = "name two brains, or a run of `okapi train`"
        raise UsageError(f"`{run}` is no run with two generations or checkpoints", hint=hint)
    return str(brains[-2]), str(brains[-1])


def _print_changes(found: BrainChanges, top: int) -> None:
    compared = found.compared
    now, before = (each.name for each in compared.evaluators)
    say(f"from {before} to {now}, on {len(compared.rows):,} positions\n")
    say(gap_in_words(now, before, compared.pairs[0].whole), "", kind_table(compared))
    out().print("\n[bold]What pieces contribute[/], in pawns\n")
    kinds = ((kind.name.lower(), old / 100, new / 100, (new - old) / 100) for kind, old, new in found.kinds())
    say(table_of({"piece": "", "before": ".2f", "now": ".2f", "change": "+.2f"}, kinds))
    out().print("\n[bold]Where that changed most[/], beyond its kind's change; squares as the owner counts them\n")
    columns = {"piece on": "", "before": ".2f", "now": ".2f", "beyond its kind": "+.2f", "seen": "d"}
    rows = []
    for change in found.squares(top):
        pawns = (change.before / 100, change.now / 100, change.beyond / 100)
        rows.append((f"{change.kind.name.lower()} {change.square}", *pawns, change.seen))
    say(table_of(columns, rows))
    title = f"[bold]Where {now} and {before} are furthest apart[/]; values of the side to move"
    print_boards(compared, compared.worst, title)


TEACHER = "teacher"
OF_A_FILE, OF_OUR_OWN = 20_000, 4_000
"""Default numbers of positions: fewer of our own games, which have to be played first."""


def compare(
    first: Annotated[str, about("A brain that is shipped, or the path of a file.")],
    second: Annotated[str | None, about("Another one; not needed with --teacher.")] = None,
    /,
    *,
    positions: SourceFile = None,
    teacher: Annotated[Path | None, about("Samples with values; these are the positions then.")] = None,
    most: Annotated[Positive, about("Positions, a fixed choice: 20,000 of a file, 4,000 of our own games.")] = None,
    worst: Annotated[CountOrZero, about("Boards to show.")] = 4,
    each: Annotated[CountOrZero, about("Boards to show of each kind of position.")] = 0,
    quiet: Annotated[bool, about("Only positions with nothing to capture or to save: no search is missing.")] = False,
    page: Annotated[Path | None, out_flag("--page", help="Write a page with all of it: an HTML file.")] = None,
    leave: Annotated[str | None, about("With --teacher: leave the worst in this run, for the board's Compare.")] = None,
    json: Json = False,
) -> None:
    """Show where two brains disagree most: in all, on which kinds of positions, and on which boards.

    They evaluate without a search. A difference is one of expected scores: 0.1 is a tenth of a point. A file with
    values adds its teacher to the comparison.

    For example:
      okapi brains compare okapi-28 material
      okapi brains compare mine.safetensors --teacher labels.samples
    """
    if second is None and teacher is None:
        hint = "okapi brains compare okapi-28 material"
        raise UsageError("compare takes two brains, or one and --teacher", hint=hint)
    if first == second:
        raise UsageError(f"both brains are `{first}`", hint="name two brains")
    if positions is not None and teacher is not None:
        raise UsageError("--positions and --teacher exclude each other", hint="the teacher's file has the positions")
    if leave is not None and teacher is None:
        raise UsageError("--leave is about a brain and its teacher", hint="name the teacher's file with --teacher")
    begun = time.perf_counter()
    given = [first] if second is None else [first, second]
    known = [card(brain).name for brain in given]  # two files may have one name
    brains = dict(zip(known if len(set(known)) == len(known) else given, given, strict=True))
    file = teacher or positions
    rows = positions_to_evaluate(file, most, valued=teacher is not None)
    rows = quiet_positions(rows) if quiet else rows
    evaluators = [EvaluatorValues(name, evaluations(brain, rows["position"]).values) for name, brain in brains.items()]
    if teacher is not None:
        evaluators.append(EvaluatorValues(TEACHER, expected_scores(rows["value"])))
    found = compared(rows, evaluators, worst=worst, each=each)
    source = "games that Okapi played itself" if file is None else file.name
    if page is not None:
        write_text(page, comparison_page(found, source))
        note(f"the page is in {page}", "dim")
    if leave is not None:
        folder = run_folder(leave, "")
        with file_errors(folder, "made"):
            folder.mkdir(parents=True, exist_ok=True)
        list_disagreements(evaluators[0].name, source, found.rows, evaluators[0].values).write(folder)
        note(f"the board shows them: okapi play --runs {folder.parent}", "dim")
    if json:
        emit({**described(found), "source": source, "seconds": round(time.perf_counter() - begun, 3)})
    else:
        _print_comparison(found, source)


def positions_to_evaluate(file: Path | None, most: int | None, *, valued: bool = False) -> Rows:
    """So many of a file's positions, or of games that Okapi plays itself."""
    if file is None:
        return self_play_positions(most or OF_OUR_OWN)
    skipped = SkippedSamples(tell=lambda told: note(f"skipped: {told}"))
    with fraction_done("reading") as heard:
        return sample_positions(file, most or OF_A_FILE, skipped, heard, valued=valued)


def described(found: EvaluatorComparison) -> dict[str, Any]:
    def told(numbers: NDArray[np.int64]) -> list[dict[str, Any]]:
        return [
            {"fen": fen, "values": {each.name: round(float(each.values[number]), 5) for each in found.evaluators}}
            for fen, number in zip(fens(found.rows["position"][numbers]), numbers, strict=True)
        ]

    names = [each.name for each in found.evaluators]
    pairs = []
    for pair in found.pairs:
        kinds = {name: gap.as_json() for name, gap in pair.kinds.items()}
        pairs.append({"first": pair.first, "second": pair.second, **pair.whole.as_json(), "kinds": kinds})
    worst = {"worst": told(found.worst), "worst_of_kind": {k: told(those) for k, those in found.worst_of_kind.items()}}
    # judges: the former key, for one release
    return {"evaluators": names, "judges": names, "positions": len(found.rows), "pairs": pairs, **worst}


def _print_comparison(found: EvaluatorComparison, source: str) -> None:
    names = [each.name for each in found.evaluators]
    say(f"{' and '.join(names)} on {len(found.rows):,} positions of {source}\n")
    say(*(gap_in_words(pair.first, pair.second, pair.whole) for pair in found.pairs), "", kind_table(found))
    apart = f"{names[0]} and {names[1]} are furthest apart"
    print_boards(found, found.worst, f"[bold]Where {apart}[/]; values of the side to move")
    for name, numbers in found.worst_of_kind.items():
        print_boards(found, numbers, f"[bold]{name}[/]: where {apart}")


def gap_in_words(first: str, second: str, gap: Gap) -> str:
    alike = {"correlation": gap.correlation, "order": gap.order}
    told = [f"{what} {number:.2f}" for what, number in alike.items() if number is not None]
    lean = f"{first} values the side to move {abs(gap.lean):.3f} {'higher' if gap.lean >= 0 else 'lower'}"
    apart = f"apart by {gap.mean:.3f} on average ({gap.low:.3f} … {gap.high:.3f}), median {gap.median:.3f}"
    return f"{first} – {second}: {apart}\n  {', '.join([*told, lean])}"


def kind_table(found: EvaluatorComparison) -> Table:
    """How far the first two are apart on each kind, and the others beside them."""
    first, *others = found.pairs
    columns = {"kind of position": "", "positions": ",", "apart by": ".3f", "95 %": "s", "": "s"}
    columns |= {str(pair): ".3f" for pair in others}
    largest = max(gap.mean for gap in first.kinds.values()) or 1.0
    rows: list[Sequence[object]] = []
    for _, kinds in groupby(first.kinds, key=lambda name: KINDS[name].group):
        rows += [[None] * len(columns)] if rows else []
        for name in kinds:
            gap = first.kinds[name]
            apart = (gap.positions, gap.mean, f"{gap.low:.3f} … {gap.high:.3f}", bar(gap.mean / largest, 12))
            rows.append((name, *apart, *(pair.kinds[name].mean for pair in others)))
    table = table_of(columns, rows)
    table.columns[3].style, table.columns[4].style, table.columns[4].justify = "dim", "cyan", "left"
    for column in table.columns[5:]:  # their headings are long, their numbers are not
        column.no_wrap, column.min_width = False, 6
    return table


def print_boards(found: EvaluatorComparison, numbers: NDArray[np.int64], title: str) -> None:
    if len(numbers):
        out().print(f"\n{title}\n")
    for number in numbers.tolist():
        position = unpack(found.rows["position"][number])
        kinds = kinds_of(found.rows["position"][number : number + 1])
        words = [f"{position.turn.name.capitalize()} to move", ""]
        for each in found.evaluators:
            value = Value(float(each.values[number]), position.turn)
            words.append(f"{each.name}: {value.expected:.2f} ({value})")
        words += ["", *(name for name, are in kinds.items() if are[0])]
        print_board(position, "\n".join(words))
