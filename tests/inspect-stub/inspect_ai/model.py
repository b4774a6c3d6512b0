from dataclasses import dataclass, field
from typing import Any


@dataclass
class ToolCall:
    id: str
    function: str
    arguments: dict[str, Any]


@dataclass
class ChatMessageSystem:
    text: str


@dataclass
class ChatMessageUser:
    text: str


@dataclass
class ChatMessageAssistant:
    text: str
    tool_calls: list[ToolCall] | None = None


@dataclass
class ChatMessageTool:
    text: str
    tool_call_id: str | None = None
    function: str | None = None
    error: Any = None


@dataclass
class GenerateConfig:
    max_tool_output: int | None = field(default=None)


@dataclass
class ModelOutput:
    completion: str = ""
