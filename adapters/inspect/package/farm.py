"""Calls of a live farm over HTTP."""

import json
import re
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

TIMEOUT_SECONDS = 60


class Refused(Exception):
    """The farm's error message for a call."""


def call_endpoint(base_url: str, path: str, arguments: dict[str, Any]) -> str:
    return send(Request(base_url + address_of(path, arguments)))


def call_tool(base_url: str, root: str, name: str, arguments: dict[str, Any], view: str = "") -> str:
    """Calls a SLOT or SEL tool; `view` is a query string, `offset=…&limit=…`."""
    address = f"{base_url}{root}/{quote(name, safe='')}" + (f"?{view}" if view else "")
    body = json.dumps(arguments).encode("utf-8")
    return send(Request(address, data=body, headers={"content-type": "application/json"}, method="POST"))


def tools_of(base_url: str, sample_id: str) -> list[dict[str, Any]]:
    """The tools of a task: name, description, parameters."""
    return json.loads(send(Request(f"{base_url}/tasks/{quote(sample_id)}/tools")))["tools"]


def judge(base_url: str, key: str, sample_id: str, answer: Any) -> dict[str, bool]:
    """Judges an answer by the farm's contract: `strict` and `fair`. Needs the harness key."""
    body = json.dumps({"answer": answer}).encode("utf-8")
    headers = {"content-type": "application/json", "x-harness-key": key}
    address = f"{base_url}/tasks/{quote(sample_id)}/judgement"
    return json.loads(send(Request(address, data=body, headers=headers, method="POST")))


def send(request: Request) -> str:
    try:
        with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return response.read().decode("utf-8")
    except HTTPError as error:
        raise Refused(error.read().decode("utf-8", "replace")) from error


def address_of(path: str, arguments: dict[str, Any]) -> str:
    """Path and query of a call. The path may have parameters, `/v1/…/clinics/{city}/…`."""
    in_path = {name: str(arguments.get(name, "")) for name in re.findall(r"\{(\w+)\}", path)}
    if any(value in ("", ".", "..") for value in in_path.values()):
        # No path can hold these; every endpoint also takes all its parameters in the query.
        parts = path.split("/")
        path, in_path = "/".join(parts[:4] + parts[-1:]), {}
    for name, value in in_path.items():
        path = path.replace("{" + name + "}", quote(value, safe=""))
    rest = {name: text(value) for name, value in arguments.items() if name not in in_path}
    return f"{path}?{urlencode(rest, doseq=True)}"


def text(value: Any) -> Any:
    if isinstance(value, list):
        return [text(item) for item in value]
    return json.dumps(value) if isinstance(value, (bool, dict)) else value
