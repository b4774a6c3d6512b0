from typing import Protocol

from .model import ChatMessageSystem, ChatMessageUser, ModelOutput
from .tool import ToolDef


class Generate(Protocol): ...


class Solver(Protocol): ...


class Store:
    def __init__(self):
        self._data = {}

    def get(self, key, default=None):
        return self._data.get(key, default)

    def set(self, key, value):
        self._data[key] = value


class TaskState:
    def __init__(self, sample):
        self.store = Store()
        self.sample_id, self.metadata = sample.id, sample.metadata
        self.messages = [ChatMessageUser(sample.input)]
        self.tools = []
        self.output = ModelOutput()


def solver(name):
    return name


def chain(*solvers):
    async def solve(state, generate):
        for each in solvers:
            state = await each(state, generate)
        return state

    return solve


def generate(tool_calls="loop", cache=False, **kwargs):
    async def solve(state, generate):
        return await generate(state)

    return solve


def system_message(template, **params):
    async def solve(state, generate):
        state.messages.insert(0, ChatMessageSystem(template))
        return state

    return solve


def use_tools(*tools, tool_choice="auto", append=False):
    async def solve(state, generate):
        state.tools = [each for given in tools for each in (given if isinstance(given, list) else [given])]
        assert all(isinstance(each, ToolDef) for each in state.tools)
        return state

    return solve
