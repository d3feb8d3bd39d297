"""The search of the core as a player."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from okapi.brains import evaluator, load, move_prior
from okapi.core import Decision, Evaluator, Limits, Position, Search, Value
from okapi.core import search as core
from okapi.errors import UsageError
from okapi.formats.syzygy import Tables
from okapi.players.player import Evaluate


def check_limits(**limits: int | None) -> None:
    """UsageError for a limit of a search that is below 1."""
    for name, number in limits.items():
        if number is not None and number < 1:
            raise UsageError(f"{name}={number} is no limit of a search", hint="1 or more")


class AlphaBeta:
    """Alpha-beta search within limits, with a brain or a function as the evaluator."""

    def __init__(
        self,
        brain: str | Path | None = None,
        *,
        evaluate: Evaluate | None = None,
        elo: int | None = None,
        threads: int = 1,
        table_mb: int = 16,
        multipv: int = 1,
        without: Iterable[str] = (),
        extras: Iterable[str] = (),
        bounds: str | Path | None = None,
        time: str | Path | None = None,
        syzygy: str | Path | None = None,
        seed: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        budget: str = "depth",
        moves: str | Path | None = None,
        constants: Mapping[str, int] | None = None,
    ) -> None:
        """The evaluator is `brain` (a name or path; None: the default brain) or the function `evaluate`.

        `elo` plays weaker, as people do; `without` switches heuristics off by name, or "all", or "shortcuts"; `extras`
        switches on those that are off; `bounds` is a brain that says between what values lie, `time` one that allots
        time, `syzygy` a folder of endgame tables. With `depth` or `nodes` it looks exactly so far, whatever the clock.
        `budget` says what a move costs; `moves` is a brain that predicts moves, for the budget `learned` or to order
        moves; `constants` are numbers of the search that are to be other than usual, by name.
        """
        if brain is not None and evaluate is not None:
            raise UsageError("give a brain or a function, not both")
        if elo is not None and not core.LOWEST_ELO <= elo <= core.HIGHEST_ELO:
            raise UsageError(f"an elo of {elo} is not available", hint=f"{core.LOWEST_ELO} to {core.HIGHEST_ELO}")
        check_limits(depth=depth, nodes=nodes)
        judge = evaluator(brain, bounds=bounds) if evaluate is None else evaluate
        self._handicap = None if elo is None else core.Handicap(elo)
        self._search = Search(
            judge if isinstance(judge, Evaluator) else Evaluator.from_function(judge),
            table_mb=table_mb,
            threads=threads,
            multipv=max(multipv, self._handicap.lines if self._handicap else 1),
            without=without,
            extras=extras,
            budget=budget,
            moves=None if moves is None else move_prior(moves),
            time_network=None if time is None else core.TimeNetwork(load(time)),
            constants=constants,
        )
        everywhere = syzygy and core.tablebase_available() and core.tablebase_load(str(syzygy)) > 0
        self._tables = Tables(str(syzygy)) if syzygy and not everywhere else None  # for the root alone
        self._rng = random.Random(seed)
        self._fixed = Limits(depth=depth, nodes=nodes)

    def choose(self, position: Position, limits: Limits, report: core.Report | None = None) -> Decision:
        """Search within `limits`; `report` gets each completed line."""
        if not self._fixed.endless:
            limits = self._fixed.among(limits.only)
        if self._tables is not None and not limits.only:
            limits = limits.among(self._tables.best_moves(position))
        if self._handicap is None:
            return self._search.run(position, limits, report)
        return self._choose_worse(position, limits, self._handicap)

    def stop(self) -> None:
        """Stop the search; from any thread."""
        self._search.stop()

    def new_game(self) -> None:
        self._search.new_game()

    def _choose_worse(self, position: Position, limits: Limits, handicap: core.Handicap) -> Decision:
        """Search no more nodes than the handicap allows, and let it choose among several moves."""
        raw = self._search.run_raw(position, replace(limits, nodes=min(limits.nodes or handicap.nodes, handicap.nodes)))
        mate = core.mate_in_one(position) if handicap.visible_mate else None
        if mate is not None and mate in (limits.only or (mate,)):
            return Decision(mate, Value.from_mate(1, position.turn), (mate,), raw.nodes, raw.depth)
        chosen = handicap.choose(position, raw.lines, self._rng.getrandbits(64))
        line = core.line_from_core(raw.lines[chosen], position.turn)
        return Decision(line.moves[0], line.value, line.moves, raw.nodes, line.depth, (line,))
