"""The HTTP API: analysis, values and likely moves for other programs, with the limits of the board.

ENDPOINTS is the one table: routes, reading, answering and the OpenAPI description are made from it.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from dataclasses import asdict, dataclass, fields, is_dataclass
from functools import partial
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from okapi import __version__
from okapi.brains import HUMAN, card, evaluator, find, predictor
from okapi.brains.summary import summary
from okapi.core import Decision, Limits, Line, Position, Value
from okapi.core.packed import pack
from okapi.encodings.layers import ELO_RANGE
from okapi.errors import InvalidMessage, NotFound, OkapiError, TooBusy, UsageError
from okapi.web.jobs import AnalysisJob, SearchJob, SearchUpdate, Steps, finish
from okapi.web.messages import LONGEST, Between, BrainName, Fen, Many, arguments, json_object, parameters
from okapi.web.session import Allowance
from okapi.web.state import AppState
from okapi.web.views import error_view

ERRORS = {"400": "A wrong request", "403": "Another host, origin or token", "404": "No such brain", "429": "Busy"}
PLAIN: Final[dict[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean"}
LONGEST_MS: Final = 20_000  # of a search: connections are closed after 30 s
USUAL_MS: Final = 1000
MOST_AT_ONCE: Final = 16  # requests that are answered at a time
START: Final = Position.start().fen()
Fens = Annotated[tuple[Fen, ...], Many(256)]
HumanElo = Annotated[int, Between(*ELO_RANGE)]


@dataclass(frozen=True, slots=True)
class AnalysedLine:
    move: str
    san: str
    value: float
    centipawns: int | None
    mate: int | None
    pv: tuple[str, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Analysis:
    fen: str
    brain: str
    lines: tuple[AnalysedLine, ...]
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class EvaluatedPosition:
    fen: str
    value: float
    centipawns: int


@dataclass(frozen=True, slots=True)
class EvaluateAnswer:
    brain: str
    positions: tuple[EvaluatedPosition, ...]


@dataclass(frozen=True, slots=True)
class LikelyMove:
    move: str
    san: str
    probability: float


@dataclass(frozen=True, slots=True)
class MovesAnswer:
    fen: str
    brain: str
    moves: tuple[LikelyMove, ...]


@dataclass(frozen=True, slots=True)
class BrainSummary:
    name: str
    kind: str
    size: int
    says: str
    sentence: str
    elo: float | None


@dataclass(frozen=True, slots=True)
class BrainList:
    default: str
    brains: tuple[BrainSummary, ...]


class Api:
    """Answers requests. All of them together have the turns and the allowance of one page."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self._allowance = Allowance()
        self._busy = 0

    async def answer(self, request: Request, endpoint: "Endpoint") -> Response:
        try:
            self._allowance.spend()
            if self._busy >= MOST_AT_ONCE:
                raise TooBusy("too many requests at once", hint="wait for answers")
            data = json_object(await _body(request)) if endpoint.method == "POST" else {}
            asked = arguments(endpoint.answer, data)
            self._busy += 1
            try:
                return JSONResponse(asdict(await endpoint.answer(self, **asked)))
            finally:
                self._busy -= 1
        except OkapiError as error:
            status = 429 if isinstance(error, TooBusy) else 404 if isinstance(error, NotFound) else 400
            return JSONResponse(error_view(error), status)

    async def analyse(
        self,
        fen: Fen = START,
        brain: BrainName | None = None,
        lines: Annotated[int, Between(1, 5)] = 1,
        movetime_ms: Annotated[int, Between(1, LONGEST_MS)] | None = None,
        nodes: Annotated[int, Between(1, 10**9)] | None = None,
        depth: Annotated[int, Between(1, 100)] | None = None,
    ) -> Analysis:
        position = Position.from_fen(fen)
        usual_ms = LONGEST_MS if nodes or depth else USUAL_MS
        limits = Limits(depth=depth, nodes=nodes, movetime_ms=movetime_ms or usual_ms)
        if not position.legal_moves():
            raise UsageError("no move is legal there", hint="the game is over")
        slot, found = self.state.engine_slot(brain), deque[SearchUpdate](maxlen=1)
        begun = time.monotonic()
        job = SearchJob(self, slot, position, limits, multipv=lines, on_update=found.append)
        decision: Decision = await finish(job, self.state.pool)
        told = found[0].lines if found else (Line(decision.line, decision.value, decision.depth),)
        analysed = tuple(_analysed(position, line) for line in told)
        return Analysis(fen, slot.brain, analysed, decision.nodes, round(time.monotonic() - begun, 3))

    async def evaluate(self, fens: Fens = (START,), brain: BrainName | None = None) -> EvaluateAnswer:
        name = self.state.known(brain)
        path = find(self.state.source(name))
        positions = [Position.from_fen(fen) for fen in fens]
        if not card(path).evaluates:
            raise UsageError(f"`{name}` does not evaluate positions", hint="POST /api/moves asks it for moves")

        def steps() -> Steps:
            with self.state.cached(evaluator, path) as judge:
                yield [judge.centipawns(position) for position in positions]

        found = zip(fens, positions, await self._only_step(steps()), strict=True)
        values = ((fen, Value.from_centipawns(value, position.turn)) for fen, position, value in found)
        told = (EvaluatedPosition(fen, round(value.expected, 6), value.centipawns) for fen, value in values)
        return EvaluateAnswer(name, tuple(told))

    async def moves(self, fen: Fen = START, brain: BrainName = HUMAN, elo: HumanElo | None = None) -> MovesAnswer:
        position = Position.from_fen(fen)
        path = self.state.predicting(brain)

        def steps() -> Steps:
            with self.state.cached(predictor, path) as asked:
                yield asked.moves(pack([position]), elo=elo if "elo" in asked.inputs else None)[0]

        found = await self._only_step(steps())
        moves = (LikelyMove(position.uci(move), position.san(move), round(float(p), 6)) for move, p in found)
        return MovesAnswer(fen, brain, tuple(moves))

    async def brains(self) -> BrainList:
        known = (summary(card(self.state.source(name))) | {"name": name} for name in self.state.all_brains())
        keys = [field.name for field in fields(BrainSummary)]
        found = tuple(BrainSummary(**{key: brain[key] for key in keys}) for brain in known)
        return BrainList(self.state.default_brain, found)

    async def _only_step(self, steps: Steps) -> Any:
        """What the only step of a job yields."""
        found: list[Any] = []
        await finish(AnalysisJob(self, steps, on_update=found.append), self.state.jobs)
        return found[0]


def _analysed(position: Position, line: Line) -> AnalysedLine:
    move, value = line.moves[0], line.value.for_side(position.turn)
    cp, pv = None if value.mate is not None else value.centipawns, tuple(position.uci(each) for each in line.moves)
    return AnalysedLine(pv[0], position.san(move), round(value.expected, 6), cp, value.mate, pv, line.depth)


async def _body(request: Request) -> str:
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise InvalidMessage("the request is not application/json", hint="set the header content-type")
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > LONGEST:
            raise InvalidMessage(f"the request has more than {LONGEST} bytes")
    return content.decode(errors="replace")


@dataclass(frozen=True, slots=True)
class Endpoint:
    method: Literal["GET", "POST"]
    path: str
    summary: str
    answers: type[Any]
    answer: Callable[..., Awaitable[Any]]  # its parameters are the keys of the request


ENDPOINTS: Final = (
    Endpoint("POST", "/api/analyse", "Search a position, for the side to move", Analysis, Api.analyse),
    Endpoint("POST", "/api/evaluate", "Evaluate positions without search", EvaluateAnswer, Api.evaluate),
    Endpoint("POST", "/api/moves", "What people play, likeliest first", MovesAnswer, Api.moves),
    Endpoint("GET", "/api/brains", "All brains", BrainList, Api.brains),
)


def api_routes(state: AppState) -> list[Route]:
    api, described = Api(state), JSONResponse(openapi())
    routes = [Route(each.path, partial(api.answer, endpoint=each), methods=[each.method]) for each in ENDPOINTS]
    return [*routes, Route("/api/openapi.json", lambda request: described)]


def openapi() -> dict[str, Any]:
    schemas: dict[str, Any] = {"Error": _object({"error": {"type": "string"}, "hint": {"type": "string"}})}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    errors = {code: {"description": text, "content": content} for code, text in ERRORS.items()}
    paths: dict[str, Any] = {}
    for each in ENDPOINTS:
        name = each.path.rpartition("/")[2]
        operation: dict[str, Any] = {"summary": each.summary, "operationId": name}
        if each.method == "POST":
            asked = _record(each.answer, f"{name.capitalize()}Request", schemas)
            operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": asked}}}
        answer = {"application/json": {"schema": _schema(each.answers, schemas)}}
        operation["responses"] = {"200": {"description": "Done", "content": answer}, **errors}
        paths[each.path] = {each.method.lower(): operation}
    bearer = {"token": {"type": "http", "scheme": "bearer"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Okapi", "version": __version__, "description": "A token is needed on a shared board alone."},
        "paths": paths,
        "security": [{}, {"token": []}],
        "components": {"schemas": schemas, "securitySchemes": bearer},
    }


def _schema(kind: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of a type of okapi.web.messages; records are added to `schemas`."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        rule, known = inner[1], _schema(inner[0], schemas)
        if isinstance(rule, Between):
            return {**known, "minimum": rule.least, "maximum": rule.most}
        return {**known, "maxItems" if isinstance(rule, Many) else "maxLength": rule.most}
    if origin in (Union, UnionType):
        (known,) = (_schema(each, schemas) for each in inner if each is not NoneType)
        return {"anyOf": [known, {"type": "null"}]}
    if origin is tuple:
        return {"type": "array", "items": _schema(inner[0], schemas)}
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind, kind.__name__, schemas)
    return {"type": PLAIN[kind]}


def _record(kind: Callable[..., object], name: str, schemas: dict[str, Any]) -> dict[str, Any]:
    """A reference to the schema of a record, or of a function's parameters."""
    declared = parameters(kind)
    optional = {key: each.default for key, each in declared.items() if each.default is not each.empty}
    told = {key: _schema(each.annotation, schemas) for key, each in declared.items()}
    told |= {key: told[key] | {"default": value} for key, value in optional.items() if value is not None}
    schemas[name] = _object(told, optional)
    return {"$ref": f"#/components/schemas/{name}"}


def _object(properties: dict[str, Any], optional: Collection[str] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
