"""A client for served rookery farms, in the standard library of Python.

    from rookery_client import Rookery

    farm = Rookery("http://127.0.0.1:8080", harness_key=key)
    for task in farm.tasks(formulation="slot", sample=50, seed=7):
        run = farm.run(task["sample_id"], agent="me")
        tools = run.tools("openai")["tools"]
        result = run.call("filter_data", {"data_source": "…"})
        run.answer([["my answer"]], loops=2)
        print(run.score())

Requests block; runs may be used from several threads at once.
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, TypedDict, Union
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

__all__ = [
    "AgentRun",
    "Batch",
    "CallResult",
    "Reward",
    "Rewards",
    "Rookery",
    "RookeryError",
    "Run",
    "StartTable",
    "Task",
    "ToolList",
    "Verdict",
]

Json = Dict[str, Any]

# Retries if a farm is overloaded, and maximum seconds between them.
REPEATS = 4
LONGEST_WAIT_S = 10.0


class StartTable(TypedDict):
    label: str
    handle: str


class _Task(TypedDict):
    sample_id: str
    split: str
    db: str
    question_id: Union[int, str]
    formulation: str
    question: str
    difficulty: Optional[str]
    start_tables: List[StartTable]
    links: Dict[str, str]


class Task(_Task, total=False):
    """A question in one formulation, without its gold."""

    evidence: str
    toolset_size: int
    share: Json
    rules: List[str]


class _ToolList(TypedDict):
    split: str
    db: str
    formulation: str
    size: int
    tokens: int
    checksum: str
    call: str
    mcp: str
    tools: List[Json]


class ToolList(_ToolList, total=False):
    sample_id: str
    searchable: int
    toolset_size: int
    answer_format: str
    options: Json
    real_names: List[str]


class Verdict(TypedDict):
    """Whether an answer is right: in the form that the contract requires, and in any form that a person would accept."""

    strict: bool
    fair: bool


class _Reward(TypedDict):
    sample_id: str
    epoch: int
    outcome: str
    reward: int
    components: Dict[str, Optional[float]]
    penalties: Dict[str, int]


class Reward(_Reward, total=False):
    run_id: str
    worlds: Dict[str, int]


class Rewards(TypedDict):
    rewards: List[Reward]
    mean: float


class RookeryError(Exception):
    """A response other than 2xx. `problem` is the farm's description; None if the response is not the farm's own."""

    def __init__(self, status: int, text: str):
        body = _parse(text)
        is_problem = isinstance(body, dict) and {"code", "detail"} <= body.keys()
        self.status = status
        self.problem: Optional[Json] = body if is_problem else None
        super().__init__(f"{body['code']}: {body['detail']}" if is_problem else f"{status}: {text[:200]}")

    @property
    def code(self) -> Optional[str]:
        return self.problem["code"] if self.problem else None


@dataclass(frozen=True)
class CallResult:
    ok: bool
    status: int
    # The unparsed body.
    text: str
    # The body as JSON; None if it is not JSON.
    body: Any
    retry_after: Optional[str]
    # The fault injected into this call; only with the harness key.
    fault: Optional[str]


class Rookery:
    """A served farm: its tasks, and runs on them. Methods raise RookeryError for an error response."""

    def __init__(
        self,
        address: str,
        *,
        api_key: Optional[str] = None,
        harness_key: Optional[str] = None,
        timeout: float = 120.0,
        proxies: Optional[Mapping[str, str]] = None,
    ):
        """`proxies` as of `urllib.request.ProxyHandler`; default: those of the environment."""
        self._address = address.rstrip("/")
        self._timeout = timeout
        self._headers = {"content-type": "application/json"}
        if api_key is not None:
            self._headers["authorization"] = f"Bearer {api_key}"
        if harness_key is not None:
            self._headers["x-harness-key"] = harness_key
        self._opener = build_opener(ProxyHandler(None if proxies is None else dict(proxies)))

    def about(self) -> Json:
        """The farm's identity, and how much of its split it kept."""
        return self.get("/farm")

    def domains(self) -> List[Json]:
        return self.get("/")["domains"]

    def catalog(self, db: str) -> Json:
        """The tables and endpoints of a domain."""
        return self.get(f"/catalog/{quote(db, safe='')}")

    def find_endpoints(self, query: str, limit: Optional[int] = None) -> List[Json]:
        """The endpoints that match a search, best first."""
        return self.get(f"/tools{_query(query=query, limit=limit)}")["endpoints"]

    def tasks(self, **select: Any) -> Iterator[Task]:
        """
        Tasks of a selection, page by page: `formulation`, `db`, `difficulty`, `flags`, `sample`, `seed`, `half`, `all`.
        `pairs=True`: tasks that change records and have a twin that must not be done.
        """
        # `from` is a keyword of Python.
        if "start" in select:
            select["from"] = select.pop("start")
        path: Optional[str] = f"/tasks{_query(**select)}"
        while path is not None:
            page = self.get(path)
            yield from page["tasks"]
            path = page["next"]

    def task(self, sample_id: str, *, evidence: bool = False) -> Task:
        return self.get(f"/tasks/{_path(sample_id)}{_query(evidence=evidence or None)}")

    def tools(self, sample_id: str, format: str = "openai", **options: Any) -> ToolList:
        """The tools of a task outside of any run."""
        return self.get(f"/tasks/{_path(sample_id)}/tools{_query(format=format, **options)}")

    def gold(self, sample_id: str) -> Json:
        """The gold of a task; requires a server started with `--score`, and the harness key."""
        return self.get(f"/tasks/{_path(sample_id)}/gold")

    def judge(self, sample_id: str, answer: Any) -> Verdict:
        """The verdict on an answer without a run; requires the same as `gold`."""
        return self.post(f"/tasks/{_path(sample_id)}/judgement", {"answer": answer})

    def run(self, sample_id: str, **options: Any) -> Run:
        """Starts a run on one task. Options are those of `POST /runs`: `agent`, `budget`, `via`, `obfuscate`, `faults` …"""
        return Run(self, self.post("/runs", {"sample_id": sample_id, **options}))

    def batch(self, select: Optional[Mapping[str, Any]] = None, **options: Any) -> Batch:
        """Creates runs for all selected tasks; the clock of each starts when it is first used."""
        return Batch(self, self.post("/runs", {"select": dict(select or {}), **options}))

    def get(self, path: str) -> Any:
        return self._json(self.send("GET", path))

    def post(self, path: str, body: Any) -> Any:
        return self._json(self.send("POST", path, body))

    def send(self, method: str, path: str, body: Any = None) -> CallResult:
        """
        Sends a request and returns the response, including error responses. If an overloaded farm responds with 503 and
        Retry-After, the request is sent again a few times; an injected fault is returned.
        """
        data = None if body is None else json.dumps(body).encode()
        left = REPEATS
        while True:
            request = Request(self._address + path, data, self._headers, method=method)
            try:
                with self._opener.open(request, timeout=self._timeout) as response:
                    result = _result(response.status, response.read(), response.headers)
            except HTTPError as error:
                with error:
                    result = _result(error.code, error.read(), error.headers)
            wait = _seconds(result.retry_after)
            if result.status != 503 or wait is None or result.fault is not None or left == 0:
                return result
            left -= 1
            # With jitter, so that requests that failed together are spread out.
            time.sleep(min(wait, LONGEST_WAIT_S) * (1 + random.random() / 4))

    @staticmethod
    def _json(result: CallResult) -> Any:
        if not result.ok:
            raise RookeryError(result.status, result.text)
        return json.loads(result.text)

    def address(self, path: str) -> str:
        return self._address + path


class AgentRun:
    """A run from its agent's view: the question, tools, calls and answer, given only the run's address."""

    def __init__(self, farm: Rookery, base: str):
        self._farm = farm
        # The root path of the run.
        self.base = base

    @classmethod
    def at(cls, address: str, *, api_key: Optional[str] = None) -> AgentRun:
        """`http://127.0.0.1:8080/runs/<id>`"""
        farm, found, run_id = address.rstrip("/").rpartition("/runs/")
        if not found:
            raise ValueError(f"{address} is not the address of a run: http://…/runs/<id>")
        return AgentRun(Rookery(farm, api_key=api_key), found + run_id)

    @property
    def address(self) -> str:
        """For an agent in another process."""
        return self._farm.address(self.base)

    @property
    def mcp(self) -> str:
        """The address for MCP clients."""
        return self._farm.address(f"{self.base}/mcp")

    def read(self) -> Json:
        """The question, the calls so far, and what is left of the budget; with the harness key the whole record."""
        return self._farm.get(self.base)

    def tools(self, format: str = "openai") -> ToolList:
        return self._farm.get(f"{self.base}/tools{_query(format=format)}")

    def call(self, name: str, arguments: Optional[Mapping[str, Any]] = None, **view: int) -> CallResult:
        """
        Calls a tool by its name in the run's list. A failing call is a result; only the end of the run raises.
        `preview`, `offset`, `limit`: the part of a SLOT or SEL result to show.
        """
        path = f"{self.base}/call/{quote(name, safe='')}{_query(**view)}"
        return self._call("POST", path, dict(arguments or {}))

    def request(self, method: str, path: str, body: Any = None) -> CallResult:
        """The same at the service's own address, such as `/v1/<split>/<db>/records/<table>/<key>`, which is recorded too."""
        return self._call(method, self.base + path, body)

    def _call(self, method: str, path: str, body: Any) -> CallResult:
        result = self._farm.send(method, path, body)
        if result.status == 409 and isinstance(result.body, dict) and result.body.get("code") == "RUN_OVER":
            raise RookeryError(result.status, result.text)
        return result

    def answer(self, answer: Any = None, **more: Any) -> Json:
        """Submits the answer, which ends the run. `loops`, `raw_output`, `doubts`, `input_tokens`, `output_tokens`, `cost`."""
        return self._farm.post(f"{self.base}/answer", {"answer": answer, **more})


class Run(AgentRun):
    """An attempt at one task from the harness's view: its task, record and score."""

    def __init__(self, farm: Rookery, created: Json):
        super().__init__(farm, created["base"])
        self.id: str = created["run_id"]
        self.task: Task = created["task"]

    def record(self) -> Json:
        """The whole record so far: `trajectory`, and of a run that changes records its `diff`; requires the harness key."""
        return self._farm.get(self.base)

    def score(self) -> Json:
        """The score of a finished run; requires a server started with `--score`, and the harness key."""
        return self._farm.get(f"{self.base}/score")

    def verify(self) -> Reward:
        """The reward of a finished run; requires the same as `score`."""
        rewards: Sequence[Reward] = self._farm.post(f"{self.base}/verify", {})["rewards"]
        return rewards[0]


class Batch:
    def __init__(self, farm: Rookery, created: Json):
        self._farm = farm
        self.id: str = created["batch_id"]
        self.runs: List[Run] = [Run(farm, run) for run in created["runs"]]

    def score(self) -> Json:
        """The score over its finished runs; requires a server started with `--score`, and the harness key."""
        return self._farm.get(f"/runs/{self.id}/score")

    def verify(self) -> Rewards:
        """The rewards of its finished runs, and their mean; requires the same as `score`."""
        return self._farm.post(f"/runs/{self.id}/verify", {})

    def predictions(self) -> str:
        """What `rookery score` reads, a line a run; requires the harness key."""
        result = self._farm.send("GET", f"/runs/{self.id}/predictions")
        if not result.ok:
            raise RookeryError(result.status, result.text)
        return result.text


def _result(status: int, body: bytes, headers: Any) -> CallResult:
    text = body.decode("utf-8", "replace")
    return CallResult(
        ok=200 <= status < 300,
        status=status,
        text=text,
        body=_parse(text),
        retry_after=headers.get("retry-after"),
        fault=headers.get("x-rookery-fault"),
    )


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _seconds(text: Optional[str]) -> Optional[float]:
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return seconds if seconds >= 0 else None


def _path(sample_id: str) -> str:
    # The id of a question may contain slashes.
    split, db, rest = sample_id.split("/", 2)
    question, _, formulation = rest.rpartition("/")
    return "/".join(quote(part, safe="") for part in (split, db, question, formulation))


def _query(**values: Any) -> str:
    given = {name: _text(value) for name, value in values.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
