import copy

from pydantic import Field


class Model:
    def __init__(self, **given):
        fields = {name for base in type(self).__mro__ for name in getattr(base, "__annotations__", {})}
        if unknown := set(given) - fields:
            raise TypeError(f"unknown fields: {unknown}")
        for name in fields:
            default = getattr(type(self), name, None)
            usual = default.make() if isinstance(default, Field) else copy.deepcopy(default)
            setattr(self, name, given.get(name, usual))

    def __class_getitem__(cls, _):
        return cls


class State(Model):
    artifacts: dict = Field(default_factory=dict)


class TaskData(Model):
    idx: int | None = None
    name: str | None = None
    prompt: str | None = None


class TaskConfig(Model):
    pass


class TasksetConfig(Model):
    id: str = ""


class SharedToolsetConfig(Model):
    url: str | None = None


class Runtime:
    pass


class Trace:
    """Of a rollout whose last message has this text."""

    def __init__(self, state):
        self.state = state
        self.last_reply = ""
        self.metrics = {}

    def record_metric(self, name, value):
        self.metrics[name] = value


class Task:
    def __init__(self, data, config=None):
        self.data = data
        self.config = config

    def __class_getitem__(cls, _):
        return cls


class Taskset:
    def __init__(self, config):
        self.config = config

    def __class_getitem__(cls, _):
        return cls


class Toolset:
    def __init__(self, config):
        self.config = config
        self.state = None

    def __class_getitem__(cls, _):
        return cls

    def _with_state(self, call):
        return call


def reward(weight=1.0):
    def mark(method):
        method.weight = weight
        return method

    return mark
