"""The tasks and calls of served rookery farms, over plain HTTP. ROOKERY_HARNESS_KEY has the harness key."""

import asyncio
import json
import os
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

SUBMIT = "submit_answer"
TIMEOUT_SECONDS = 120


def submit_tool(answer_format: str) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": SUBMIT,
            "description": f"Hands in the answer to the question, once, at the end. {answer_format}",
            "parameters": {"type": "object", "properties": {"answer": {}}, "required": ["answer"]},
        },
    }


def rows_of(address: str, query: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    path: str | None = f"/tasks?{urlencode({**query, 'evidence': 'true', 'limit': 1000})}"
    while path is not None:
        page = json.loads(send(address + path))
        if "tasks" not in page:
            raise RuntimeError(f"{address}: {page.get('detail', page)}")
        for task in page["tasks"]:
            info = {"address": address, "sample_id": task["sample_id"]}
            rows.append({"question": text_of(task), "answer": "", "task": task["formulation"], "info": info})
        path = page["next"]
    return rows


def text_of(task: dict[str, Any]) -> str:
    changes = task["formulation"] in ("records", "actions")
    asks = "Do this with the tools" if changes else "Answer this question about the data behind the tools"
    lines = [f"{asks}: {task['question']}"]
    if task.get("evidence"):
        lines.append(f"What the words of the question mean: {task['evidence']}")
    if task.get("rules"):
        lines.append("\n".join(["Rules that hold for every task:", *[f"- {rule}" for rule in task["rules"]]]))
    handles = [f"`{table['handle']}`" for table in task["start_tables"]]
    if handles:
        lines.append(f"Begin from the table {' and '.join(handles)}. Give the handle of each answer to the next call.")
    lines.append(f"When you know the answer, call `{SUBMIT}` with it, once.")
    return "\n".join(lines)


async def ask(base: str, path: str, body: Any = None) -> dict[str, Any]:
    text = await asyncio.to_thread(send, base + path, None if body is None else json.dumps(body))
    return json.loads(text)


def send(url: str, body: str | None = None) -> str:
    headers = {"content-type": "application/json"}
    if key := os.environ.get("ROOKERY_HARNESS_KEY"):
        headers["x-harness-key"] = key
    data = None if body is None else body.encode("utf-8")
    try:
        with urlopen(Request(url, data=data, headers=headers), timeout=TIMEOUT_SECONDS) as response:
            return response.read().decode("utf-8")
    except HTTPError as error:  # the model reads the error message
        return error.read().decode("utf-8", "replace")
