from dataclasses import dataclass
from typing import Any, Protocol

CORRECT, INCORRECT = "C", "I"


class Scorer(Protocol): ...


class Target:
    def __init__(self, target):
        self.target = target

    @property
    def text(self):
        return self.target


@dataclass
class Score:
    value: Any
    answer: str | None = None
    explanation: str | None = None
    metadata: dict[str, Any] | None = None


def accuracy(to_float=None):
    return "accuracy"


def stderr(to_float=None, cluster=None):
    return "stderr"


def scorer(metrics, name=None, **metadata):
    assert metrics == ["accuracy", "stderr"]
    return lambda made: made
