"""The tasks of a rookery farm for Inspect AI, of one formulation.

    rookery serve <farm> --port 8080
    inspect eval rookery_farm/rookery_farm --model <model> -T base_url=http://localhost:8080

after installing the folder with pyproject.toml with pip. The tools of a question call the live farm. Scorers: `same_rows`
compares the answers of the calls with the gold rows; with REST, `same_call` compares the last call with the gold call. Tasks
that change records are runs of the farm, which judges by `same_changes` what each has changed.
"""

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, GenerateConfig
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, chain, generate, solver, system_message
from inspect_ai.solver import use_tools as with_tools
from inspect_ai.tool import ToolDef, ToolError, ToolParams

from .farm import Refused, begin_run, call_endpoint, call_tool, judge, judge_run, tools_of
from .rows import Made, arguments_equal, chain_rows, endpoint_rows, rows_equal

DATA = Path(__file__).parent / "data"
# Inspect truncates tool output at 16 KiB, which truncates right answers too. The farm has its own limit.
MAX_TOOL_OUTPUT = 64 * 1024 * 1024
INSTRUCTIONS = {
    "single": (
        "Answer the question by calling the one tool that gives the rows asked for. "
        "Do not work with the rows yourself: what the tool returns is the answer."
    ),
    "chain": (
        "Answer the question by calling tools, one after the other. Every call answers a handle; give it to later "
        "calls as their data source, or as `$handle$` where they take a value. The answer is what the last calls "
        "show: one for each column that is asked for, in that order. Do not work with the values yourself."
    ),
    "run": "Carry out the task by calling tools.",
}
# For a farm served with --score. Judges what a run changed; with other tasks, also the model's final message.
HARNESS_KEY = "ROOKERY_HARNESS_KEY"
# Messages per sample; each call takes two.
MESSAGE_LIMITS = {"single": 20, "chain": 100, "run": 100}


@task
def rookery_farm(
    base_url: str = "http://localhost:8080", db: str | None = None, message_limit: int | None = None
) -> Task:
    farm = read("farm.json")
    calls = farm["calls"]
    said = "" if calls == "run" else " At the end say it too."
    instructions = f"{INSTRUCTIONS[calls]}{said} {farm['answer_format']}"
    dataset = json_dataset(str(DATA / "samples.jsonl"))
    if db is not None:
        dataset = dataset.filter(lambda sample: (sample.metadata or {}).get("db") == db)
    return Task(
        dataset=dataset,
        solver=chain(system_message(instructions), farm_tools(base_url), generate()),
        scorer=scorers(base_url, calls),
        message_limit=message_limit or MESSAGE_LIMITS[calls],
        config=GenerateConfig(max_tool_output=MAX_TOOL_OUTPUT),
    )


def scorers(base_url: str, calls: str) -> list[Scorer]:
    if calls == "run":
        if HARNESS_KEY not in os.environ:
            raise ValueError(f"the farm judges changes: serve it with --score, and set {HARNESS_KEY} to its harness key")
        return [same_changes(base_url)]
    return [
        same_rows(base_url),
        *([same_call()] if calls == "single" else []),
        *([same_answer(base_url)] if HARNESS_KEY in os.environ else []),
    ]


def read(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


@solver
def farm_tools(base_url: str) -> Solver:
    """Offers the tools of the sample: the endpoints of its domain, the tools for its start tables, or those of a run."""
    endpoints = read("tools.json")
    in_runs = read("farm.json")["calls"] == "run"

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        root = state.metadata["root"]
        if in_runs:
            run = await anyio.to_thread.run_sync(begin_run, base_url, os.environ[HARNESS_KEY], str(state.sample_id))
            state.store.set("run", run)
            root = f"{run}/call"
            listed = await anyio.to_thread.run_sync(tools_of, base_url, run)
        elif root is None:
            listed = endpoints[state.metadata["db"]]
        else:
            listed = await anyio.to_thread.run_sync(tools_of, base_url, f"/tasks/{quote(str(state.sample_id))}")
        known = {tool["name"]: tool for tool in listed}
        names = state.metadata["tools"] or list(known)
        offered = [live_tool(base_url, root, known[name]) for name in names if name in known]
        return await with_tools(offered)(state, generate)

    return solve


def live_tool(base_url: str, root: str | None, tool: dict[str, Any]) -> ToolDef:
    # Inspect passes arguments through to a function with a catch-all named kwargs.
    async def execute(**kwargs: Any) -> str:
        try:
            if root is None:
                return await anyio.to_thread.run_sync(call_endpoint, base_url, tool["path"], kwargs)
            return await anyio.to_thread.run_sync(call_tool, base_url, root, tool["name"], kwargs)
        except Refused as refused:
            raise ToolError(str(refused)) from refused

    return ToolDef(
        execute,
        name=tool["name"],
        description=tool["description"],
        parameters=ToolParams(**tool["parameters"]),
    )


@scorer(metrics=[accuracy(), stderr()])
def same_rows(base_url: str = "http://localhost:8080") -> Scorer:
    """Whether the answers of the calls are the gold rows."""
    endpoints = read("tools.json")

    async def score(state: TaskState, target: Target) -> Score:
        calls = answered(state)
        if not calls:
            return Score(value=INCORRECT, explanation="no call was answered")
        root = state.metadata["root"]
        if root is None:
            columns = {tool["name"]: tool["columns"] for tool in endpoints[state.metadata["db"]]}
            rows = endpoint_rows(calls[-1], columns.get(calls[-1].name, []))
        else:

            def more(call: Made, offset: int) -> dict[str, Any]:
                return json.loads(
                    call_tool(base_url, root, call.name, call.arguments, f"offset={offset}&limit=100000")
                )

            try:
                rows = await anyio.to_thread.run_sync(chain_rows, calls, more)
            except Refused as refused:
                return Score(value=INCORRECT, explanation=str(refused))
        right = rows is not None and rows_equal(json.loads(target.text), rows, state.metadata["order_groups"])
        return Score(value=CORRECT if right else INCORRECT, answer=json.dumps(rows))

    return score


@scorer(metrics=[accuracy(), stderr()])
def same_changes(base_url: str = "http://localhost:8080") -> Scorer:
    """Whether the run has changed what the gold changes, and nothing else; and answered right, if the task asks."""

    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        key, run = os.environ[HARNESS_KEY], state.store.get("run")
        review = await anyio.to_thread.run_sync(judge_run, base_url, key, run, answer)
        right = review["outcome"] == "pass"
        return Score(value=CORRECT if right else INCORRECT, answer=answer, explanation=review["note"])

    return score


@scorer(metrics=[accuracy(), stderr()])
def same_answer(base_url: str = "http://localhost:8080") -> Scorer:
    """Whether the model's final message is the gold answer, by the farm's fair reading."""

    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        key = os.environ[HARNESS_KEY]
        verdict = await anyio.to_thread.run_sync(judge, base_url, key, str(state.sample_id), answer)
        explanation = "in exactly the form asked for" if verdict["strict"] else None
        return Score(value=CORRECT if verdict["fair"] else INCORRECT, answer=answer, explanation=explanation)

    return score


@scorer(metrics=[accuracy(), stderr()])
def same_call() -> Scorer:
    """Whether the last call is the gold call."""
    endpoints = read("tools.json")

    async def score(state: TaskState, target: Target) -> Score:
        gold = state.metadata["gold_calls"][0]
        known = {tool["name"]: tool["parameters"]["properties"] for tool in endpoints[state.metadata["db"]]}
        types = {name: type_of(schema) for name, schema in known[gold["name"]].items()}
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
            and all(
                arguments_equal(value, call.arguments[name], types[name])
                for name, value in gold["arguments"].items()
            )
        )
        return Score(value=CORRECT if right else INCORRECT, answer=json.dumps([call.function, call.arguments]))

    return score


def type_of(schema: dict[str, Any]) -> str:
    """For a list, the type of its elements, since a query string repeats the parameter."""
    return schema["items"]["type"] if schema["type"] == "array" else schema["type"]


def answered(state: TaskState) -> list[Made]:
    """The calls that were answered rather than refused, in order."""
    calls = {
        call.id: call
        for message in state.messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
    }
    return [
        Made(message.function, calls[message.tool_call_id].arguments, message.text)
        for message in state.messages
        if isinstance(message, ChatMessageTool)
        and message.error is None
        and message.function
        and message.tool_call_id in calls
    ]
