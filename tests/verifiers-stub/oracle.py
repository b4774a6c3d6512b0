"""python oracle.py <address> <file of samples> <formulation>: what gold calls are worth, and worse ones, as rollouts."""

import asyncio
import json
import re
import sys
from types import SimpleNamespace

import rookery_verifiers
from gold_handles import with_handles


def said(name, arguments):
    function = SimpleNamespace(name=name, arguments=json.dumps(arguments))
    return {"role": "assistant", "content": "", "tool_calls": [SimpleNamespace(id="1", function=function)]}


def player(sample, ending):
    """A model that makes the gold calls and ends as it is told."""
    calls = iter(sample["output"])
    labels, handles, last = iter([]), {}, None

    async def model(messages, tools):
        nonlocal labels, last
        names = [tool["function"]["name"] for tool in tools]
        if len(messages) == 1:
            begin = sample["initialization_step"]
            more = begin["arguments"].get("additional_tables", []) if begin else []
            starts = ([begin.get("label", "starting_table_var")] if begin else []) + [each["label"] for each in more]
            handles.update(zip(starts, re.findall(r"`(\w+_[0-9a-f]{12})`", messages[0]["content"])))
        elif last and last.get("label"):
            handles[last["label"]] = json.loads(messages[-1]["content"])["handle"]
        last = next(calls, None)
        if last:
            assert last["name"] in names
            return said(last["name"], with_handles(last["arguments"], handles))
        return ending(sample)

    return model


ENDINGS = {
    "right": lambda sample: said("submit_answer", {"answer": sample["gold_answer"]}),
    "wrong": lambda sample: said("submit_answer", {"answer": [["no"]]}),
    "silent": lambda sample: {"role": "assistant", "content": "I do not know."},
    "broken": lambda sample: said("no_such_tool", {}),
}


async def main():
    address, file, formulation = sys.argv[1:]
    with open(file) as lines:
        samples = {sample["sample_id"]: sample for sample in map(json.loads, lines)}
    env = rookery_verifiers.load_environment(
        [address, address], formulation=formulation, sample=3, seed=1, weights={"rows": 0.5}
    )
    seen = {ending: [] for ending in ENDINGS}
    for row in env.dataset:
        sample = samples[row["info"]["sample_id"]]
        for name, ending in ENDINGS.items():
            total, values, messages = await env.rollout(player(sample, ending), {**row, "info": dict(row["info"])})
            said = sum(message["role"] == "assistant" for message in messages)
            seen[name].append({"total": total, **values, "turns": said, "gold": len(sample["output"])})
    print(json.dumps(seen))


asyncio.run(main())
