"""Episodes of served rookery farms as an environment of verifiers.

    rookery serve my-farm --score --port 8080

    import verifiers as vf
    env = vf.load_environment("rookery-verifiers", addresses="http://localhost:8080", formulation="slot", sample=256)

Several addresses are worlds of a farm: the same questions over different data with different answers, so that memorized
answers of one world are wrong in the next. ROOKERY_HARNESS_KEY has the harness key.
"""

import asyncio
import json
from typing import Any
from urllib.parse import quote

import verifiers as vf
from datasets import Dataset
from rookery_farm import SUBMIT, ask, rows_of, send, submit_tool

# Assumed number of gold calls when the farm does not reveal it.
LONG_CHAIN = 30


def load_environment(
    addresses: str | list[str] = "http://localhost:8080",
    formulation: str = "rest",
    sample: int = 256,
    seed: int = 0,
    start: int = 0,
    half: str = "train",
    run: dict[str, Any] | None = None,
    max_turns: int | None = None,
    weights: dict[str, float] | None = None,
) -> "FarmEnv":
    """
    `sample` tasks from the stream of `seed`, starting at index `start`, from one half of the questions, in each of the
    worlds at `addresses`. `run`: run options, such as {"via": "search", "budget": {"calls": 20}}. `weights`: weights of
    reward components, added to the reward itself with weight 1: {"rows": 0.1}. `max_turns`: limit of a rollout; default:
    the gold calls of its task plus half as many, or plus ten if that is more, as in `rookery run`.
    """
    worlds = [addresses] if isinstance(addresses, str) else addresses
    query = {"formulation": formulation, "sample": sample, "seed": seed, "from": start, "half": half}
    rows = [row for farm in worlds for row in rows_of(farm.rstrip("/"), query)]
    weights = weights or {}
    rubric = vf.Rubric(
        funcs=[reward, *[component(name) for name in weights]],
        weights=[1.0, *weights.values()],
    )
    return FarmEnv(run=run or {}, max_turns=max_turns, dataset=Dataset.from_list(rows), rubric=rubric)


class FarmEnv(vf.MultiTurnEnv):
    """Each rollout is a run, whose tools come from the farm when it starts."""

    def __init__(self, run: dict[str, Any], max_turns: int | None, **kwargs: Any):
        super().__init__(max_turns=-1 if max_turns is None else max_turns, **kwargs)
        self.run = {"record": "memory", "agent": "verifiers", **run}

    async def setup_state(self, state: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        info = state["info"]
        made = await ask(info["address"], "/runs", {**self.run, "sample_id": info["sample_id"]})
        base = info["address"] + made["base"]
        listed = await ask(base, "/tools?format=openai")
        info["oai_tools"] = [*listed["tools"], submit_tool(listed["answer_format"])]
        state["farm"] = {"base": base, "is_over": False, "turns": await self.turns(info, state["task"])}
        return state

    async def turns(self, info: dict[str, Any], formulation: str) -> int | None:
        """Turns of a rollout; None if `max_turns` is set. Assumes long tasks if the farm hides the gold."""
        if self.max_turns > 0:
            return None
        gold = await ask(info["address"], f"/tasks/{quote(info['sample_id'])}/gold")
        unknown = LONG_CHAIN if formulation in ("slot", "sel") else 1
        calls = len(gold["output"]) if "output" in gold else unknown
        # A tool that must be found first takes another call.
        calls *= 2 if self.run.get("via") == "search" else 1
        return calls + max(10, -(-calls // 2))

    async def is_completed(self, messages: Any, state: dict[str, Any], **kwargs: Any) -> bool:
        last = messages[-1] if messages else {}
        said_all = last.get("role") == "assistant" and not last.get("tool_calls")
        if said_all and not state["farm"]["is_over"]:
            await self.answer(state, last.get("content"))
        turns = state["farm"]["turns"]
        spent = turns is not None and state["turn"] >= turns
        over = state["farm"]["is_over"] or spent or await super().is_completed(messages, state, **kwargs)
        if over and "reward" not in state["farm"]:
            await self.judge(state)
        return over

    async def env_response(
        self, messages: Any, state: dict[str, Any], **kwargs: Any
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        answers = []
        for call in messages[-1].get("tool_calls") or []:
            text = await self.call(state, call.function.name, call.function.arguments)
            answers.append({"role": "tool", "content": text, "tool_call_id": call.id or ""})
        return answers, state

    async def call(self, state: dict[str, Any], name: str, arguments: str) -> str:
        try:
            given = json.loads(arguments)
        except ValueError as error:
            return json.dumps({"error": f"The arguments are not JSON: {error}"})
        if name == SUBMIT:
            await self.answer(state, given.get("answer") if isinstance(given, dict) else given)
            return json.dumps({"status": "answered"})
        # Raw text, so that numbers keep their digits.
        return await asyncio.to_thread(send, f"{state['farm']['base']}/call/{quote(name, safe='')}", arguments)

    async def answer(self, state: dict[str, Any], answer: Any) -> None:
        await ask(state["farm"]["base"], "/answer", {"answer": answer})
        state["farm"]["is_over"] = True

    async def judge(self, state: dict[str, Any]) -> None:
        """A truncated episode scores 0: it has no answer to judge."""
        judged = await ask(state["farm"]["base"], "/verify", {})
        state["farm"]["reward"] = judged["rewards"][0] if judged.get("rewards") else None


def reward(state: dict[str, Any], **kwargs: Any) -> float:
    judged = state["farm"].get("reward")
    return float(judged["reward"]) if judged else 0.0


def component(name: str) -> Any:
    def part(state: dict[str, Any], **kwargs: Any) -> float:
        judged = state["farm"].get("reward")
        return float(judged["components"].get(name) or 0.0) if judged else 0.0

    part.__name__ = name
    return part
