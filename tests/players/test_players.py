"""Everybody who can choose a move."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from oracle import Oracle

from okapi import Evaluator, Limits, Position
from okapi.brains import load, shipped
from okapi.core import Clock
from okapi.core.evaluation import evaluate
from okapi.errors import GameIsOver, OkapiError, PlayerFailed, UsageError
from okapi.papers import PAPERS
from okapi.players import AlphaBeta, Engine, Greedy, Player, Random, parse_player
from okapi.players.player import LimitedPlayer, NodeSampler
from okapi.players.singh2015 import Negamax, TopMove, TopProb, TopProbNegamax
from okapi.players.spec import OF_PAPERS, brains_of, kind_of
from okapi.uci import okapi_uci

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
QUICK = Limits(nodes=2_000)


def half(positions: list[Position]) -> list[float]:
    return [0.5] * len(positions)


def material(positions: NDArray[np.void]) -> NDArray[np.int32]:
    return evaluate([Evaluator.from_brain(load("material"))], positions)[0]


MAKERS = {
    "alphabeta": lambda: AlphaBeta(),
    "alphabeta with elo": lambda: AlphaBeta(elo=1200, seed=1),
    "alphabeta with a function": lambda: AlphaBeta(evaluate=half),
    "naive alphabeta": lambda: AlphaBeta("material", without=["all"]),
    "greedy": lambda: Greedy(half),
    "random": lambda: Random(1),
    "top-prob": lambda: TopProb(Oracle({"e2e4": 0.5, "e7e5": 0.5})),
    "top-move": lambda: TopMove(Oracle({"e2e4": 0.5, "e7e5": 0.5})),
    "topprob-negamax": lambda: TopProbNegamax(Oracle({"e2e4": 0.5}), material, k=3, depth=2),
    "negamax": lambda: Negamax(material, depth=2),
    "limited": lambda: LimitedPlayer(AlphaBeta("material"), NodeSampler(10, 1000, seed=1)),
    "uci": lambda: Engine([str(okapi_uci())]),
}


@pytest.fixture(params=MAKERS)
def player(request: pytest.FixtureRequest) -> Iterator[Player]:
    player = MAKERS[request.param]()
    yield player
    if isinstance(player, Engine):
        player.close()


def test_everybody_plays_legal_moves_until_the_end(player: Player) -> None:
    position = Position.start()
    while position.ending() is None and position.plies < 30:
        decision = player.choose(position, QUICK)
        assert decision.move == decision.line[0]
        assert decision.value.side is position.turn
        position.play(decision.move)
    with pytest.raises(GameIsOver):
        player.choose(Position.from_fen(MATED), QUICK)


def test_everybody_chooses_among_the_moves_it_is_given(player: Player) -> None:
    position = Position.start()
    only = (position.move("h3"),)

    assert only[0] == player.choose(position, Limits(nodes=500, only=only)).move


class TestAlphaBeta:
    def test_takes_the_shorter_of_two_mates(self) -> None:
        """A mate counts plies from the root, so a mate in one beats the mate in two beside it."""
        position = Position.from_fen("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")

        position.play(AlphaBeta().choose(position, Limits(depth=4)).move)

        assert position.is_checkmate()

    def test_a_weak_player_is_weak_and_still_sees_a_mate_in_one(self) -> None:
        position = Position.from_fen(BACK_RANK)

        decision = AlphaBeta(elo=800, seed=3).choose(position, Limits(movetime_ms=1000))

        assert "Ra8#" == position.san(decision.move)

    def test_the_same_seed_loses_the_same_way(self) -> None:
        games = []
        for _ in range(2):
            player, position = AlphaBeta(elo=1000, seed=5), Position.start()
            for _ in range(10):
                position.play(player.choose(position, Limits(depth=4)).move)
            games.append(position.history())

        assert games[0] == games[1]

    def test_a_brain_or_a_function(self) -> None:
        with pytest.raises(UsageError, match="not both"):
            AlphaBeta("material", evaluate=half)

    @pytest.mark.parametrize("elo", [0, 799, 3201, -5])
    def test_ratings_that_cannot_be_played(self, elo: int) -> None:
        with pytest.raises(UsageError, match="is not available"):
            AlphaBeta(elo=elo)


class TestEngine:
    def test_a_program_that_is_not_there(self) -> None:
        with pytest.raises(PlayerFailed, match="cannot be started"):
            Engine("no-such-engine-anywhere")

    def test_a_program_that_does_not_speak(self) -> None:
        with pytest.raises(PlayerFailed, match="does not speak UCI"):
            Engine([sys.executable, "-c", "print('hello')"], startup_seconds=5)

    def test_a_program_that_dies(self, tmp_path: Path) -> None:
        script = tmp_path / "dies.py"
        script.write_text(
            "import sys\n"
            "for line in sys.stdin:\n"
            "    if line.strip() == 'uci': print('id name Mortal', 'uciok', sep='\\n', flush=True)\n"
            "    if line.strip() == 'isready': print('readyok', flush=True)\n"
            "    if line.startswith('go'): sys.exit(1)\n"
        )
        with (
            Engine([sys.executable, str(script)]) as engine,
            pytest.raises(PlayerFailed, match="Mortal failed in rnbq"),
        ):
            engine.choose(Position.start(), QUICK)

    def test_a_program_that_cheats(self, tmp_path: Path) -> None:
        script = tmp_path / "cheats.py"
        script.write_text(
            "import sys\n"
            "for line in sys.stdin:\n"
            "    if line.strip() == 'uci': print('id name Cheat', 'uciok', sep='\\n', flush=True)\n"
            "    if line.strip() == 'isready': print('readyok', flush=True)\n"
            "    if line.startswith('go'): print('bestmove e1e8', flush=True)\n"
        )
        with Engine([sys.executable, str(script)]) as engine, pytest.raises(PlayerFailed, match="Cheat"):
            engine.choose(Position.start(), QUICK)

    def test_mates_and_lines(self) -> None:
        with Engine([str(okapi_uci())], multipv=2) as engine:
            decision = engine.choose(Position.from_fen(BACK_RANK), Limits(depth=5))

        assert (1, 2) == (decision.value.mate, len(decision.lines))

    @pytest.mark.skipif(shutil.which("stockfish") is None, reason="stockfish is not installed")
    def test_stockfish(self) -> None:
        with Engine("stockfish") as engine:
            assert "Stockfish" in engine.name
            assert engine.choose(Position.from_fen(BACK_RANK), Limits(depth=5)).value.mate == 1


class TestSpecifications:
    @pytest.mark.parametrize(
        "spec",
        [
            "alphabeta",
            "alphabeta:material",
            "alphabeta:,elo=900",
            "greedy",
            "greedy:vazquez-five",
            "random:3",
            "negamax:material,depth=2",
            "negamax:material,depth=2,quiescence=no",
            "limited:alphabeta:material,hash=1,nodes=10-100,seed=3",
        ],
    )
    def test_what_is_understood(self, spec: str) -> None:
        assert parse_player(spec).choose(Position.start(), Limits(nodes=500)).move

    def test_another_program(self) -> None:
        player = parse_player(f"uci:{okapi_uci()}")

        assert isinstance(player, Engine)
        player.close()

    @pytest.mark.parametrize(
        ("spec", "hint"),
        [
            ("alphabeat", "did you mean `alphabeta`?"),
            ("nobody", "there are `alphabeta`"),
            ("alphabeta:material,elo", "elo=VALUE"),
            ("alphabeta:material,ello=5", "did you mean `elo`?"),
            ("alphabeta:material,elo=strong", "elo is a number"),
            ("alphabeta:material,without=nul_move", "did you mean `null_move`?"),
            ("alphabeta:material,with=similarty", "did you mean `similarity`?"),
            ("alphabeta:materiel", "did you mean `material`?"),
            ("random:x", "random:7"),
            ("top-prob", "top-prob:BRAIN"),
            ("top-prob:material", "okapi eval"),
            ("top-prob:material,masked=maybe", "masked is yes or no"),
            ("negamax:material,quiescense=no", "did you mean `quiescence`?"),
            ("limited:random", "limited:PLAYER,nodes=10-1000"),
            ("limited:random,nodes=100-10", "nodes=10-1000"),
            ("uci:", "uci:stockfish"),
        ],
    )
    def test_what_is_not(self, spec: str, hint: str) -> None:
        with pytest.raises(OkapiError) as caught:
            parse_player(spec)

        assert hint in caught.value.hint


@pytest.mark.parametrize("name", sorted(PAPERS))
def test_every_paper_has_a_player_of_its_name_with_a_shipped_brain(name: str) -> None:
    brains = brains_of(name)

    assert OF_PAPERS[name]["sentence"] and brains and {*brains} <= {brain.name for brain in shipped()}


def test_options_of_a_paper_player_change_it() -> None:
    assert ("alphabeta", "giraffe,moves=giraffe-moves,budget=depth+ask=4,nodes=9") == kind_of("lai2015,nodes=9")
    assert 2 == parse_player("vazquez2012,depth=2").choose(Position.start(), Limits(depth=9)).depth


def test_greedy_takes_what_hangs() -> None:
    position = Position.from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")

    assert "exd5" == position.san(Greedy(Evaluator.from_brain(load("material"))).choose(position, Limits()).move)


def test_random_is_repeatable() -> None:
    assert Random(4).choose(Position.start(), Limits()) == Random(4).choose(Position.start(), Limits())


def test_a_player_that_looks_exactly_so_far_does_not_care_about_the_clock() -> None:
    hurried = Limits(white=Clock(1), black=Clock(1))

    assert parse_player("alphabeta:material,depth=3").choose(Position.start(), hurried).depth == 3
    assert parse_player("alphabeta:material,nodes=700").choose(Position.start(), Limits(depth=60)).nodes >= 700


def test_without_shortcuts_more_is_looked_at() -> None:
    nodes = {
        without: parse_player(f"alphabeta:material,depth=5{without}").choose(Position.start(), Limits(depth=1)).nodes
        for without in ("", ",without=shortcuts")
    }

    assert nodes[",without=shortcuts"] > 2 * nodes[""]


def test_with_similarity_less_is_looked_at_and_it_is_off_from_the_beginning() -> None:
    position = Position.from_fen("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8")
    nodes = {
        options: parse_player(f"alphabeta:material,depth=8{options}").choose(position, Limits(depth=1)).nodes
        for options in ("", ",with=similarity", ",without=similarity")
    }

    assert nodes[",without=similarity"] == nodes[""] != nodes[",with=similarity"]


@pytest.mark.parametrize("option", ["depth=0", "nodes=-3"])
def test_looking_nowhere_is_refused(option: str) -> None:
    with pytest.raises(UsageError, match="no limit of a search"):
        parse_player(f"alphabeta:material,{option}")
