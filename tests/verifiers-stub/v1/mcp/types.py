from dataclasses import dataclass


@dataclass
class Tool:
    name: str
    description: str | None
    inputSchema: dict


@dataclass
class TextContent:
    type: str
    text: str
