"""Tables 3.1 to 3.3: each network by itself, and what it knows of the rules."""

from collections.abc import Iterator, Mapping
from typing import Any

from okapi.formats.html import Notes, Part, Prose, Section, Table
from okapi.formats.numbers import compared, counted, number, percent
from okapi.papers.experiment import Results
from okapi.papers.singh2015.published import BOARDS, NETWORKS, TABLE_3_1, TABLE_3_1_BOARDS, TABLE_3_2, TABLE_3_3, TOP
from okapi.papers.singh2015.reading import BRAINS, Data, after_masking, before_masking, illegal
from okapi.papers.tables import made

__all__ = ["rules"]


def rules(results: Results) -> Section:
    """Accuracies, and distances between what a network says and what the rules leave of it."""
    return Section(
        "Which piece, and where it goes",
        [
            Prose(
                "Masking sets to zero what cannot be: for PIECE squares where no piece of the mover stands, for the "
                "others squares where the piece cannot go by a legal move. Our one network says the same by its "
                "marginal: how likely each square is to be left, and each square to be reached from there."
            ),
            *made(results, "networks", "Tables 3.1 to 3.3", _tables),
        ],
    )


def _tables(data: Data) -> Iterator[Part]:
    brains: Mapping[str, Any] = data["brains"]
    rows = [(brain, network, brains[brain][network]) for brain in brains for network in NETWORKS]
    bands = [(BRAINS[brain], len(NETWORKS)) for brain in brains]
    yield Prose(
        f"Measured on {counted(data['positions'], 'position')} of {counted(data['games'], 'game')} that nobody learned "
        f"from; {percent(data['seen'] / max(data['positions'], 1))} of the positions occur in training games, too. The "
        "six are asked where such a piece moved. Intervals are Wilson's, of 95 %."
    )
    yield Table(
        name="Table 3.1",
        caption=f"Right with so many guesses, without masking. Theirs is one batch of {TABLE_3_1_BOARDS:,} positions; "
        "the bishop's line, which the thesis lacks, is its program's.",
        heads=("network", *(f"k = {k}" for k in TOP), *(f"k = {k}" for k in TOP), "95 % of k = 1", "positions"),
        groups=(("", 1), ("thesis", len(TOP)), ("here", len(TOP) + 2)),
        rows=[_row_3_1(network, row) for _, network, row in rows],
        bands=bands,
    )
    yield Table(
        name="Table 3.2",
        caption=f"How far masking moves the distributions, on average; first choices that cannot be; and the mean rank "
        f"of what was played, before and after masking. Theirs: {BOARDS:,} boards.",
        heads=("network", *("‖p−q‖²", "max|p−q|", "illegal", "rank", "masked") * 2),
        groups=(("", 1), ("thesis", 5), ("here", 5)),
        rows=[_row_3_2(network, row) for _, network, row in rows],
        bands=bands,
    )
    yield Table(
        name="Table 3.3",
        caption="First choices that were played, before and after masking. The thesis prints 56.11 % for PIECE and "
        "53.60 % for PAWN; its program had said 53.60 % for PIECE and 92.07 % for PAWN, which stand here.",
        heads=("network", "before", "after", "before", "after", "95 % after"),
        groups=(("", 1), ("thesis", 2), ("here", 3)),
        rows=[_row_3_3(network, row) for _, network, row in rows],
        bands=bands,
    )
    for brain, found in brains.items():
        yield Notes([f"{BRAINS[brain].capitalize()}. {said}" for said in _sentences(found)])


def _row_3_1(network: str, row: Data) -> tuple[str, ...]:
    shares = [before_masking(row, k) for k in TOP]
    return (
        network.upper(),
        *(percent(share) for share in TABLE_3_1[network]),
        *(percent(share.value) if share.count else "–" for share in shares),
        _ends(shares[0].interval),
        number(row["count"]),
    )


def _row_3_2(network: str, row: Data) -> tuple[str, ...]:
    theirs = TABLE_3_2[network]
    return (
        network.upper(),
        _small(theirs.squared),
        _small(theirs.chebyshev),
        percent(theirs.illegal, 2),
        number(theirs.rank, 3),
        number(theirs.rank_masked, 3),
        _small(row["squared"]),
        _small(row["chebyshev"]),
        percent(illegal(row).value, 2),
        number(row["rank"], 3),
        number(row["rank_masked"], 3),
    )


def _row_3_3(network: str, row: Data) -> tuple[str, ...]:
    before, after = before_masking(row), after_masking(row)
    theirs = (percent(share, 2) for share in TABLE_3_3[network])
    return network.upper(), *theirs, percent(before.value, 2), percent(after.value, 2), _ends(after.interval)


def _sentences(rows: Data) -> Iterator[str]:
    for network in NETWORKS:
        if rows[network]["count"]:
            ours, theirs = 100 * after_masking(rows[network]).value, 100 * TABLE_3_3[network][1]
            yield f"{compared(f'{network.upper()}, masked,', ours, theirs, 'points', digits=1)}."
    measured = {network: illegal(rows[network]) for network in NETWORKS if rows[network]["count"]}
    if not measured:
        return
    worst = max(measured, key=lambda network: measured[network].value)
    there = max(TABLE_3_2, key=lambda network: TABLE_3_2[network].illegal)
    yield (
        f"{worst.upper()} breaks the rules most often, with {percent(measured[worst].value, 2)} of its first choices; "
        f"in the thesis {there.upper()}, with {percent(TABLE_3_2[there].illegal, 2)}."
    )
    gained = {network: _gained(rows[network]) for network in measured}
    most = max(gained, key=lambda network: gained[network])
    yield (
        f"The rules help {most.upper()} most: {number(gained[most], 2)} points. "
        f"{', '.join(name.upper() for name in gained if not gained[name]) or 'No network'} gains nothing by them."
    )
    piece = rows["piece"]
    yield (
        f"PIECE's likeliest piece of the mover cannot move in {percent(piece['stuck'] / max(piece['count'], 1), 2)} of "
        "the positions, which the thesis does not count."
    )


def _gained(row: Data) -> float:
    """Points that masking brings."""
    return 100 * (after_masking(row).value - before_masking(row).value)


def _small(value: float | None) -> str:
    return "–" if value is None else f"{value:.1e}".replace("-", "−")


def _ends(interval: tuple[float, float]) -> str:
    return " … ".join(number(100 * end, 1) for end in interval)
