"""python oracle.py <address> <file of samples> <formulation>: what gold calls are worth, and worse ones, as rollouts of v1."""

import asyncio
import json
import re
import sys

import rookery_taskset as rookery
import verifiers.v1 as vf
from gold_handles import with_handles


class Server:
    """Takes the two functions that a toolset registers."""

    def __init__(self):
        self._mcp_server = self

    def list_tools(self):
        return lambda function: setattr(self, "list", function)

    def call_tool(self, validate_input):
        assert not validate_input
        return lambda function: setattr(self, "call", function)


async def play(task, sample, server):
    """The gold calls."""
    tools = {tool.name: tool for tool in await server.list()}
    begin = sample["initialization_step"]
    more = begin["arguments"].get("additional_tables", []) if begin else []
    starts = ([begin.get("label", "starting_table_var")] if begin else []) + [each["label"] for each in more]
    handles = dict(zip(starts, re.findall(r"`(\w+_[0-9a-f]{12})`", task.data.prompt)))
    for call in sample["output"]:
        assert tools[call["name"]].inputSchema["type"] == "object"
        [answer] = await server.call(call["name"], with_handles(call["arguments"], handles))
        if call.get("label"):
            handles[call["label"]] = json.loads(answer.text)["handle"]


async def main():
    address, file, formulation = sys.argv[1:]
    with open(file) as lines:
        samples = {sample["sample_id"]: sample for sample in map(json.loads, lines)}
    config = rookery.FarmConfig(addresses=[f"{address}/", address], formulation=formulation, sample=3, seed=1)
    [toolset] = rookery.FarmTaskset.toolsets(config)
    server = Server()
    toolset.register(server)
    seen = {"right": [], "said": [], "wrong": [], "silent": []}
    for task in rookery.FarmTaskset(config).load():
        sample = samples[task.data.sample_id]
        for ending, found in seen.items():
            trace = vf.Trace(rookery.FarmState())
            await task.setup(trace, vf.Runtime())
            toolset.state = trace.state
            await play(task, sample, server)
            if ending == "right":
                await server.call("submit_answer", {"answer": sample["gold_answer"]})
            if ending == "wrong":
                await server.call("submit_answer", {"answer": [["no"]]})
            if ending == "said":
                trace.last_reply = json.dumps(sample["gold_answer"])
            found.append({"key": task.key, "reward": await task.reward(trace), **trace.metrics})
    print(json.dumps(seen))


asyncio.run(main())
