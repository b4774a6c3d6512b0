"""Tasks of served rookery farms as a taskset of verifiers v1.

    rookery serve my-farm --score --port 8080
    eval rookery-taskset --env.taskset.formulation slot --env.taskset.sample 256 -m <model>

Several addresses are worlds of a farm: the same questions over different data with different answers. The harness must
support MCP. ROOKERY_HARNESS_KEY has the harness key.
"""

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import verifiers.v1 as vf
from pydantic import Field
from rookery_farm import SUBMIT, ask, rows_of, send, submit_tool

__all__ = ["FarmTaskset"]


class FarmState(vf.State):
    """The run of a rollout, shared by its task and the tool server."""

    base: str = ""
    tools: list[dict[str, Any]] = Field(default_factory=list)
    is_over: bool = False


class FarmData(vf.TaskData):
    address: str
    sample_id: str


class FarmTaskConfig(vf.TaskConfig):
    run: dict[str, Any] = Field(default_factory=dict)
    """Options of runs, such as {"via": "search", "budget": {"calls": 20}}."""


class FarmTask(vf.Task[FarmData, FarmState, FarmTaskConfig]):
    @property
    def key(self) -> str:
        return f"{self.data.address} {self.data.sample_id}"

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        options = {"record": "memory", "agent": "verifiers", **self.config.run}
        made = await ask(self.data.address, "/runs", {**options, "sample_id": self.data.sample_id})
        if "base" not in made:
            raise RuntimeError(f"{self.data.address}: {made.get('detail', made)}")
        state = trace.state
        state.base = self.data.address + made["base"]
        listed = await ask(state.base, "/tools?format=openai")
        state.tools = [tool["function"] for tool in [*listed["tools"], submit_tool(listed["answer_format"])]]

    @vf.reward(weight=1.0)
    async def reward(self, trace: vf.Trace) -> float:
        """The run's reward; its components are metrics. Without `submit_answer` the last reply is the answer."""
        state = trace.state
        if not state.is_over and trace.last_reply:
            await ask(state.base, "/answer", {"answer": trace.last_reply})
        judged = await ask(state.base, "/verify", {})
        # A truncated episode scores 0: it has no answer to judge.
        if not judged.get("rewards"):
            return 0.0
        [first, *_] = judged["rewards"]
        for name, value in first["components"].items():
            trace.record_metric(name, float(value or 0.0))
        return float(first["reward"])


class FarmToolset(vf.Toolset[vf.SharedToolsetConfig, FarmState]):
    """One server for all rollouts of a worker: the state of a rollout says which run a call is of."""

    TOOL_PREFIX = None

    def register(self, mcp: Any) -> None:
        server = mcp._mcp_server
        server.list_tools()(self._with_state(self.list_tools))
        # The farm itself says what is wrong with arguments, and counts it.
        server.call_tool(validate_input=False)(self._with_state(self.call_tool))

    async def list_tools(self) -> list[Any]:
        from mcp.types import Tool

        return [
            Tool(name=tool["name"], description=tool.get("description"), inputSchema=tool["parameters"])
            for tool in self.state.tools
        ]

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> list[Any]:
        from mcp.types import TextContent

        return [TextContent(type="text", text=await self.carry_out(name, arguments))]

    async def carry_out(self, name: str, arguments: dict[str, Any]) -> str:
        if name == SUBMIT:
            await ask(self.state.base, "/answer", {"answer": arguments.get("answer")})
            self.state.is_over = True
            return json.dumps({"status": "answered"})
        path = f"{self.state.base}/call/{quote(name, safe='')}"
        return await asyncio.to_thread(send, path, json.dumps(arguments))


class FarmConfig(vf.TasksetConfig):
    addresses: list[str] = ["http://localhost:8080"]
    """Farms that are served: a farm, or worlds of one."""
    formulation: str = "rest"
    sample: int = 256
    """Tasks of the stream of `seed`, from index `start`, of one `half` of the questions (train, held_back)."""
    seed: int = 0
    start: int = 0
    half: str = "train"
    tools: vf.SharedToolsetConfig = vf.SharedToolsetConfig()
    task: FarmTaskConfig = FarmTaskConfig()


class FarmTaskset(vf.Taskset[FarmTask, FarmConfig]):
    @classmethod
    def toolsets(cls, config: FarmConfig) -> list[vf.Toolset]:
        return [FarmToolset(config.tools)]

    def load(self) -> Iterator[FarmTask]:
        config = self.config
        query = {
            "formulation": config.formulation,
            "sample": config.sample,
            "seed": config.seed,
            "from": config.start,
            "half": config.half,
        }
        rows = [row for farm in config.addresses for row in rows_of(farm.rstrip("/"), query)]
        for idx, row in enumerate(rows):
            data = FarmData(idx=idx, name=row["info"]["sample_id"], prompt=row["question"], **row["info"])
            yield FarmTask(data, config.task)


if __name__ == "__main__":
    FarmToolset.run()
