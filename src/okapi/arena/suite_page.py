"""The results of a suite as one page of HTML without external files: scores by theme, a board for each miss."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from okapi.arena.suite import SuiteAnswer, SuiteScore, by_theme, summary
from okapi.formats.boards import BOARD_STYLE, board, board_parts
from okapi.formats.numbers import percent

TEMPLATE: Final = Path(__file__).with_name("suite_page.html")

MOST_BOARDS: Final = 400
"""A page with more is slow; the worst misses are kept."""


def suite_page(title: str, answers: Sequence[SuiteAnswer], *, player: str, limits: str, reference: str = "") -> str:
    total, themes = by_theme(answers)
    missed = (answer for answer in answers if not answer.solved)
    misses = sorted(missed, key=lambda answer: (-_lost(answer), answer.task.number))
    shown = sorted(misses[:MOST_BOARDS], key=lambda answer: answer.task.number)
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(title),
        player=escape(player),
        limits=escape(limits),
        figures=_figures(total, answers, reference),
        themes="\n".join(_theme_row(name, score, shown) for name, score in themes.items()),
        headline="Everything was found" if not misses else "One miss" if len(misses) == 1 else f"{len(misses)} misses",
        note=f"The {len(shown)} that cost most are shown." if len(shown) < len(misses) else "",
        misses="\n".join(map(_card, shown)),
        board_parts=board_parts(),
        board_style=BOARD_STYLE,
    )


def _lost(answer: SuiteAnswer) -> float:
    """How bad a miss is: the centipawns lost or, without a reference engine, the share of the points."""
    return answer.comparison.delta if answer.comparison else 1 - answer.points / max(answer.task.most, 1)


def _figures(total: SuiteScore, answers: Sequence[SuiteAnswer], reference: str) -> str:
    deltas = [answer.comparison.delta for answer in answers if answer.comparison]
    figures = [(percent(total.solved / max(total.positions, 1)), f"solved: {total.solved} of {total.positions}")]
    if total.max_points != total.positions:
        share = percent(total.points / max(total.max_points, 1))
        figures.append((share, f"points: {total.points:,} of {total.max_points:,}"))
    if deltas:
        about = summary(deltas)
        figures.append((f"{about['mean'] / 100:.2f}", f"pawns lost by a move on average, by {reference}"))
        figures.append((f"{about['balanced']}", f"moves of {len(deltas)} that lost at most 1½ pawns"))
    seconds = sum(answer.seconds for answer in answers)
    figures.append((f"{seconds:,.0f} s" if seconds >= 10 else f"{seconds:.1f} s", "of search"))
    return "\n".join(f"<div><b>{escape(number)}</b><span>{escape(text)}</span></div>" for number, text in figures)


def _theme_row(name: str, score: SuiteScore, shown: Sequence[SuiteAnswer]) -> str:
    share = 100 * score.points / max(score.max_points, 1)
    misses = sum(answer.task.theme == name for answer in shown)
    return (
        f'<tr data-theme="{escape(name)}"{"" if misses else " class=done"}><td>{escape(name)}</td>'
        f"<td>{score.positions}</td><td>{score.solved}</td><td>{score.points:,}</td><td>{score.max_points:,}</td>"
        f'<td class="share"><i style="--share:{share:.1f}%"></i>{share:.1f} %</td></tr>'
    )


def _card(answer: SuiteAnswer) -> str:
    task, decision = answer.task, answer.decision
    points = f" · {answer.points} of {task.most} points" if task.graded else ""
    wanted = task.wanted()
    kind, what = ("avoid", "was to be avoided") if wanted.startswith("not ") else ("wanted", "was wanted")
    lines = [
        f'<p><span class="{kind}">{escape(wanted.removeprefix("not "))}</span> {what}</p>',
        f'<p><span class="played">{escape(answer.played)}</span> was played{points}</p>',
    ]
    if answer.comparison is not None:
        compared = answer.comparison
        better = "" if compared.best in task.best else f", {escape(task.position.san(compared.best))} was better"
        lines.append(f"<p>it lost {compared.delta / 100:.2f} ({compared.value} → {compared.played}){better}</p>")
    if decision is not None and decision.depth:
        ahead, words = task.position.copy(), list[str]()
        for move in decision.line[:8]:
            words.append(ahead.san(move))
            ahead.play(move)
        line = escape(" ".join(words)) + (" …" if len(decision.line) > 8 else "")
        lines.append(f"<p class=quiet>{decision.value} at depth {decision.depth}: {line}</p>")
    arrows = [("wanted", move) for move in task.best] + [("avoid", move) for move in task.avoid]
    drawn = board(task.position, [*arrows, *([("played", decision.move)] if decision else [])])
    return (
        f'<article data-theme="{escape(task.theme)}">{drawn}<div><h3>{escape(task.name)}</h3>'
        f"<p class=quiet>{task.position.turn.name.capitalize()} to move</p>{''.join(lines)}"
        f"<details><summary>FEN</summary><code>{escape(task.position.fen())}</code></details></div></article>"
    )
