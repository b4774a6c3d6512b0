"""python oracle.py <package folder> <address of the farm>: what the scorers say of gold calls, and of worse ones."""

import asyncio
import json
import sys

sys.path.insert(0, sys.argv[1])

import rookery_farm  # noqa: E402
from gold_handles import with_handles  # noqa: E402
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ToolCall  # noqa: E402
from inspect_ai.scorer import Target  # noqa: E402
from inspect_ai.solver import TaskState  # noqa: E402
from inspect_ai.tool import ToolError  # noqa: E402


def player(spoil, said):
    """A model that makes the gold calls, which `spoil` may change, and ends with these words."""

    async def generate(state, **kwargs):
        tools = {tool.name: tool for tool in state.tools}
        handles = {start["label"]: start["handle"] for start in state.metadata["start_tables"]}
        for handle in handles.values():
            assert f"`{handle}`" in state.messages[1].text
        calls = spoil(state.metadata["gold_calls"])
        for at, call in enumerate(calls):
            arguments = with_handles(call["arguments"], handles)
            made = ToolCall(str(at), call["name"], arguments)
            state.messages.append(ChatMessageAssistant("", [made]))
            try:
                answer, error = await tools[call["name"]].tool(**arguments), None
                if call.get("label") and "handle" in json.loads(answer):
                    handles[call["label"]] = json.loads(answer)["handle"]
            except ToolError as refused:
                answer, error = "", refused
            state.messages.append(ChatMessageTool(answer, made.id, made.function, error))
        state.output.completion = said
        return state

    return generate


async def scores(task, sample, spoil, said="It cannot be told."):
    state = await task.solver(TaskState(sample), player(spoil, said))
    return [(await score(state, Target(sample.target))).value for score in task.scorer]


async def main():
    task = rookery_farm.rookery_farm(base_url=sys.argv[2])
    assert task.config.max_tool_output > 16 * 1024 * 1024
    wrong, caught, refused = [], 0, 0
    # What must not be done is spoilt by doing something else.
    other = next(gold for gold in (sample.metadata["gold_calls"] for sample in task.dataset.samples) if gold)
    for sample in task.dataset.samples:
        values = await scores(task, sample, lambda calls: calls, f"The rows are:\n```json\n{sample.target}\n```")
        if set(values) != {"C"}:
            wrong.append([sample.id, values])
        less = await scores(task, sample, lambda calls: calls[:-1] if calls else other)
        caught += "C" not in less
        nonsense = [{**call, "arguments": {**call["arguments"], "nonsense": 1}} for call in sample.metadata["gold_calls"]]
        worse = nonsense or other
        refused += "C" not in await scores(task, sample, lambda calls: worse)
    print(json.dumps({"samples": len(task.dataset.samples), "wrong": wrong, "caught": caught, "refused": refused}))


asyncio.run(main())
