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
    """Calls a tool of SLOT, SEL or a run; `view` is a query string, `offset=…&limit=…`."""
    address = f"{base_url}{root}/{quote(name, safe='')}" + (f"?{view}" if view else "")
    return post(address, arguments)


def tools_of(base_url: str, of: str) -> list[dict[str, Any]]:
    """The tools of a task or run: name, description, parameters."""
    return json.loads(send(Request(f"{base_url}{of}/tools")))["tools"]


def judge(base_url: str, key: str, sample_id: str, answer: Any) -> dict[str, bool]:
    """Judges an answer by the farm's contract: `strict` and `fair`. Needs the harness key."""
    return json.loads(post(f"{base_url}/tasks/{quote(sample_id)}/judgement", {"answer": answer}, key))


def begin_run(base_url: str, key: str, sample_id: str) -> str:
    """Begins a run, in which records can be changed. Returns the path of its address."""
    return json.loads(post(f"{base_url}/runs", {"sample_id": sample_id, "agent": "inspect"}, key))["base"]


def judge_run(base_url: str, key: str, run: str, answer: str) -> dict[str, Any]:
    """Ends a run with an answer. Returns its review: `outcome`, and what is wrong as `note`. Needs the harness key."""
    post(f"{base_url}{run}/answer", {"answer": answer})
    reviews = send(Request(f"{base_url}{run}/review", headers={"x-harness-key": key}))
    return json.loads(reviews)["reviews"][0]


def post(address: str, body: Any, key: str | None = None) -> str:
    headers = {"content-type": "application/json", **({} if key is None else {"x-harness-key": key})}
    return send(Request(address, data=json.dumps(body).encode("utf-8"), headers=headers, method="POST"))


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
