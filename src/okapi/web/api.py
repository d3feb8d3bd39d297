"""The HTTP API: analysis, values and likely moves for other programs, with the limits of the board.

ENDPOINTS is the one table: routes, reading, answering and the OpenAPI description are made from it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from functools import partial
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from okapi import __version__
from okapi.brains import HUMAN, card, find
from okapi.brains.move_prediction import Predictor
from okapi.brains.summary import summary
from okapi.core import Decision, Limits, Line, Position, Value
from okapi.core.packed import pack
from okapi.encodings.layers import ELO_RANGE
from okapi.errors import InvalidMessage, NotFound, OkapiError, TooBusy, UsageError
from okapi.web.jobs import AnalysisJob, SearchJob, Steps
from okapi.web.messages import LONGEST, Between, Fen, Many, Nothing, Text, json_object, read
from okapi.web.session import Allowance
from okapi.web.state import AppState, open_evaluator

LONGEST_MS: Final = 20_000
"""Of a search: connections are closed after 30 s."""

USUAL_MS: Final = 1000

MOST_AT_ONCE: Final = 16
"""Requests that are answered at a time."""

Name = Annotated[str, Text(300)]
START: Final = Position.start().fen()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyseRequest:
    fen: Fen = START
    brain: Name | None = None
    lines: Annotated[int, Between(1, 5)] = 1
    movetime_ms: Annotated[int, Between(1, LONGEST_MS)] | None = None
    nodes: Annotated[int, Between(1, 10**9)] | None = None
    depth: Annotated[int, Between(1, 100)] | None = None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateRequest:
    fens: Annotated[tuple[Fen, ...], Many(256)] = (START,)
    brain: Name | None = None


@dataclass(frozen=True, slots=True)
class EvaluatedPosition:
    fen: str
    value: float
    centipawns: int


@dataclass(frozen=True, slots=True)
class EvaluateAnswer:
    brain: str
    positions: tuple[EvaluatedPosition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MovesRequest:
    fen: Fen = START
    brain: Name = HUMAN
    elo: Annotated[int, Between(*ELO_RANGE)] | None = None


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
            asked = read(endpoint.asks, json_object(await _body(request)) if endpoint.method == "POST" else {})
            self._busy += 1
            try:
                return JSONResponse(asdict(await endpoint.answer(self, asked)))
            finally:
                self._busy -= 1
        except OkapiError as error:
            status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
            return JSONResponse({"error": str(error), "hint": error.hint}, status)

    async def analyse(self, asked: AnalyseRequest) -> Analysis:
        position = Position.from_fen(asked.fen)
        given = asked.movetime_ms or asked.nodes or asked.depth
        limits = Limits(
            depth=asked.depth,
            nodes=asked.nodes,
            movetime_ms=asked.movetime_ms or (LONGEST_MS if given else USUAL_MS),
        )
        if not position.legal_moves():
            raise UsageError("no move is legal there", hint="the game is over")
        slot = self.state.engine_slot(asked.brain)
        done: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        found: list[Line] = []
        job = SearchJob(
            self,
            slot,
            position,
            limits,
            multipv=asked.lines,
            on_update=lambda news: found.__setitem__(slice(None), news.lines),
            on_done=done.set_result,
            on_failed=done.set_exception,
        )
        begun = time.monotonic()
        self.state.pool.submit(job)
        try:
            decision = await done
        finally:
            job.stop()
        lines = found or [Line(decision.line, decision.value, decision.depth)]
        told = tuple(_analysed(position, line) for line in lines)
        return Analysis(asked.fen, slot.brain, told, decision.nodes, round(time.monotonic() - begun, 3))

    async def evaluate(self, asked: EvaluateRequest) -> EvaluateAnswer:
        name = self.state.known(asked.brain)
        path = find(self.state.source(name))
        positions = [Position.from_fen(fen) for fen in asked.fens]
        if not card(path).evaluates:
            raise UsageError(f"`{name}` does not evaluate positions", hint="POST /api/moves asks it for moves")

        def steps() -> Steps:
            with self.state.cached(open_evaluator, path) as judge:
                yield [judge.centipawns(position) for position in positions]

        values = zip(asked.fens, positions, await self._done(steps()), strict=True)
        told = ((fen, Value.from_centipawns(value, position.turn)) for fen, position, value in values)
        return EvaluateAnswer(name, tuple(EvaluatedPosition(f, round(v.expected, 6), v.centipawns) for f, v in told))

    async def moves(self, asked: MovesRequest) -> MovesAnswer:
        position = Position.from_fen(asked.fen)
        path = self.state.predicting(asked.brain)

        def steps() -> Steps:
            with self.state.cached(Predictor.open, path) as predictor:
                elo = asked.elo if "elo" in predictor.inputs else None
                yield predictor.moves(pack([position]), elo=elo)[0]

        found = await self._done(steps())
        moves = (LikelyMove(position.uci(move), position.san(move), round(float(p), 6)) for move, p in found)
        return MovesAnswer(asked.fen, asked.brain, tuple(moves))

    async def brains(self, asked: Nothing) -> BrainList:
        known = (summary(card(self.state.source(name))) | {"name": name} for name in self.state.all_brains())
        keys = [field.name for field in fields(BrainSummary)]
        found = tuple(BrainSummary(**{key: brain[key] for key in keys}) for brain in known)
        return BrainList(self.state.default_brain, found)

    async def _done(self, steps: Steps) -> Any:
        """What the only step of a job yields."""
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        job = AnalysisJob(self, steps, stop=lambda: None, on_update=done.set_result, on_failed=done.set_exception)
        self.state.jobs.submit(job)
        try:
            return await done
        finally:
            job.stop()


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


STATUS: Final[dict[type[OkapiError], int]] = {TooBusy: 429, NotFound: 404}


@dataclass(frozen=True, slots=True)
class Endpoint:
    method: Literal["GET", "POST"]
    path: str
    summary: str
    asks: type[Any]
    answers: type[Any]
    answer: Callable[[Api, Any], Awaitable[Any]]


ENDPOINTS: Final = (
    Endpoint("POST", "/api/analyse", "Search a position, for the side to move", AnalyseRequest, Analysis, Api.analyse),
    Endpoint(
        "POST", "/api/evaluate", "Evaluate positions without search", EvaluateRequest, EvaluateAnswer, Api.evaluate
    ),
    Endpoint("POST", "/api/moves", "What people play, likeliest first", MovesRequest, MovesAnswer, Api.moves),
    Endpoint("GET", "/api/brains", "All brains", Nothing, BrainList, Api.brains),
)


def api_routes(state: AppState) -> list[Route]:
    """The routes of the table, and /api/openapi.json."""
    api, described = Api(state), JSONResponse(openapi())

    async def answer(request: Request, endpoint: Endpoint) -> Response:
        return await api.answer(request, endpoint)

    async def describe(request: Request) -> Response:
        return described

    routes = [Route(each.path, partial(answer, endpoint=each), methods=[each.method]) for each in ENDPOINTS]
    return [*routes, Route("/api/openapi.json", describe)]


# --- OpenAPI ---------------------------------------------------------------------------------------------------------


def openapi() -> dict[str, Any]:
    """The description of the API, from the table and the records in it."""
    schemas: dict[str, Any] = {"Error": _object({"error": {"type": "string"}, "hint": {"type": "string"}})}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    errors = {code: {"description": text, "content": content} for code, text in ERRORS.items()}
    paths: dict[str, Any] = {}
    for each in ENDPOINTS:
        body = {"required": True, "content": {"application/json": {"schema": _schema(each.asks, schemas)}}}
        answer = {"application/json": {"schema": _schema(each.answers, schemas)}}
        paths[each.path] = {
            each.method.lower(): {
                "summary": each.summary,
                "operationId": each.path.rpartition("/")[2],
                **({"requestBody": body} if each.method == "POST" else {}),
                "responses": {"200": {"description": "Done", "content": answer}, **errors},
            }
        }
    bearer = {"token": {"type": "http", "scheme": "bearer"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Okapi", "version": __version__, "description": "A token is needed on a shared board alone."},
        "paths": paths,
        "security": [{}, {"token": []}],
        "components": {"schemas": schemas, "securitySchemes": bearer},
    }


ERRORS: Final = {
    "400": "A wrong request",
    "403": "Another host, origin or token",
    "404": "No such brain",
    "429": "Busy",
}

PLAIN: Final[dict[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def _schema(kind: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of a type of okapi.web.messages; records are added to `schemas`."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _schema(inner[0], schemas) | _bounds(inner[1])
    if origin in (Union, UnionType):
        (known,) = (_schema(each, schemas) for each in inner if each is not NoneType)
        return {"anyOf": [known, {"type": "null"}]}
    if origin is tuple:
        return {"type": "array", "items": _schema(inner[0], schemas)}
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind, include_extras=True)
        told = {each.name: _schema(hints[each.name], schemas) for each in fields(kind)}
        optional = {each.name: each.default for each in fields(kind) if each.default is not MISSING}
        told |= {name: told[name] | {"default": value} for name, value in optional.items() if value is not None}
        schemas[kind.__name__] = _object(told, optional)
        return {"$ref": f"#/components/schemas/{kind.__name__}"}
    return {"type": PLAIN[kind]}


def _object(properties: dict[str, Any], optional: Any = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _bounds(rule: Text | Between | Many) -> dict[str, Any]:
    match rule:
        case Text(most):
            return {"maxLength": most}
        case Many(most):
            return {"maxItems": most}
        case Between(least, most):
            return {"minimum": least, "maximum": most}
