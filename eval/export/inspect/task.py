"""REST tasks of a rookery farm for Inspect AI.

    rookery serve <farm> --port 8080
    inspect eval rookery_farm/task.py --model <model> -T base_url=http://localhost:8080

Or, once the folder that holds pyproject.toml is installed with pip, `inspect eval rookery_farm/rookery_farm`. The tools
of a question are endpoints of its domain, which call the live farm. Two scorers: `same_rows` compares the rows of
the last successful call with the gold rows, `same_call` compares that call with the gold call.
"""

import json
import math
import re
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import urlopen

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, GenerateConfig
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, chain, generate, solver, system_message
from inspect_ai.solver import use_tools as with_tools
from inspect_ai.tool import ToolDef, ToolError, ToolParams

DATA = Path(__file__).parent / "data"
# Inspect cuts what a tool answers at 16 KiB, which cuts right answers too; a farm has a limit of its own.
MAX_TOOL_OUTPUT = 64 * 1024 * 1024
INSTRUCTION = (
    "Answer the question by calling the one tool that gives the rows asked for. "
    "Do not work with the rows yourself: what the tool returns is the answer."
)


@task
def rookery_farm(base_url: str = "http://localhost:8080", db: str | None = None, message_limit: int = 20) -> Task:
    dataset = json_dataset(str(DATA / "samples.jsonl"))
    if db is not None:
        dataset = dataset.filter(lambda sample: (sample.metadata or {}).get("db") == db)
    return Task(
        dataset=dataset,
        solver=chain(system_message(INSTRUCTION), farm_tools(base_url), generate()),
        scorer=[same_rows(), same_call()],
        message_limit=message_limit,
        config=GenerateConfig(max_tool_output=MAX_TOOL_OUTPUT),
    )


@solver
def farm_tools(base_url: str) -> Solver:
    """Offers the endpoints of the sample's domain as tools."""
    tools = json.loads((DATA / "tools.json").read_text(encoding="utf-8"))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        by_name = {tool["name"]: tool for tool in tools[state.metadata["db"]]}
        names = state.metadata["tools"] or list(by_name)
        offered = [endpoint_tool(base_url, by_name[name]) for name in names]
        return await with_tools(offered)(state, generate)

    return solve


def endpoint_tool(base_url: str, tool: dict[str, Any]) -> ToolDef:
    # Inspect passes arguments through to a function whose catch-all is called kwargs.
    async def execute(**kwargs: Any) -> str:
        return await anyio.to_thread.run_sync(get, base_url, tool["path"], kwargs)

    return ToolDef(
        execute,
        name=tool["name"],
        description=tool["description"],
        parameters=ToolParams(**tool["parameters"]),
    )


def address_of(path: str, arguments: dict[str, Any]) -> str:
    """Path and query of a call. The path may have parameters, `/v1/…/clinics/{city}/…`."""
    in_path = {name: str(arguments.get(name, "")) for name in re.findall(r"\{(\w+)\}", path)}
    if any(value in ("", ".", "..") for value in in_path.values()):
        # No path can hold these; every endpoint takes all its parameters in the query too.
        parts = path.split("/")
        path, in_path = "/".join(parts[:4] + parts[-1:]), {}
    for name, value in in_path.items():
        path = path.replace("{" + name + "}", quote(value, safe=""))
    rest = {name: text(value) for name, value in arguments.items() if name not in in_path}
    return f"{path}?{urlencode(rest, doseq=True)}"


def get(base_url: str, path: str, arguments: dict[str, Any]) -> str:
    address = base_url + address_of(path, arguments)
    try:
        with urlopen(address, timeout=60) as response:
            return response.read().decode("utf-8")
    except HTTPError as error:
        raise ToolError(error.read().decode("utf-8", "replace")) from error


def text(value: Any) -> Any:
    if isinstance(value, list):
        return [text(item) for item in value]
    return json.dumps(value) if isinstance(value, (bool, dict)) else value


@scorer(metrics=[accuracy(), stderr()])
def same_rows() -> Scorer:
    """Whether the rows of the last successful call are the gold rows."""

    async def score(state: TaskState, target: Target) -> Score:
        gold = json.loads(target.text)
        last = last_answer(state)
        if last is None:
            return Score(value=INCORRECT, explanation="no call was answered")
        name, answer = last
        rows = to_rows(name, answer, state.metadata["db"])
        right = rows is not None and rows_equal(gold, rows, state.metadata["order_groups"])
        return Score(value=CORRECT if right else INCORRECT, answer=answer)

    return score


@scorer(metrics=[accuracy(), stderr()])
def same_call() -> Scorer:
    """Whether the last call is the gold call."""

    async def score(state: TaskState, target: Target) -> Score:
        gold = state.metadata["gold_call"]
        calls = [
            call
            for message in state.messages
            if isinstance(message, ChatMessageAssistant)
            for call in message.tool_calls or []
        ]
        if not calls:
            return Score(value=INCORRECT, explanation="no call")
        call = calls[-1]
        right = (
            call.function == gold["name"]
            and call.arguments.keys() == gold["arguments"].keys()
            and all(cells_equal(value, call.arguments[name]) for name, value in gold["arguments"].items())
        )
        return Score(value=CORRECT if right else INCORRECT, answer=json.dumps([call.function, call.arguments]))

    return score


def last_answer(state: TaskState) -> tuple[str, str] | None:
    for message in reversed(state.messages):
        if isinstance(message, ChatMessageTool) and message.error is None and message.function:
            return message.function, message.text
    return None


def to_rows(name: str, answer: str, db: str) -> list[list[Any]] | None:
    tools = json.loads((DATA / "tools.json").read_text(encoding="utf-8"))
    columns = next((tool["columns"] for tool in tools[db] if tool["name"] == name), None)
    try:
        data = json.loads(answer)["data"]
    except (ValueError, KeyError, TypeError):
        return None
    return None if columns is None else [[row.get(column) for column in columns] for row in data]


def rows_equal(gold: list[list[Any]], rows: list[list[Any]], groups: list[int] | None) -> bool:
    """As a bag, or in order where the gold is ordered; rows of one group may swap."""
    if len(gold) != len(rows):
        return False
    groups = groups or [0] * len(gold)
    free = list(enumerate(rows))
    for index, row in enumerate(gold):
        found = next(
            (
                at
                for at, (place, other) in enumerate(free)
                if groups[place] == groups[index] and cells_equal(row, other)
            ),
            None,
        )
        if found is None:
            return False
        free.pop(found)
    return True


def cells_equal(a: Any, b: Any) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(cells_equal(x, y) for x, y in zip(a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=0.0)
    return type(a) is type(b) and a == b
