"""What calls answered as rows, and when two answers are equal: the strict rules of docs/scoring.md, in Python."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Made:
    """A call that was answered."""

    name: str
    arguments: dict[str, Any]
    answer: str


def endpoint_rows(made: Made, columns: list[str]) -> list[list[Any]] | None:
    """The rows of an endpoint's answer."""
    try:
        data = json.loads(made.answer)["data"]
        return [[row.get(column) for column in columns] for row in data]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def chain_rows(calls: list[Made], more: Callable[[Made, int], dict[str, Any]]) -> list[list[Any]] | None:
    """The results that no other call refers to, side by side in call order; `more` gives the rest of a long column."""
    answers = [json.loads(call.answer) for call in calls]
    mentioned = {text for call in calls for text in texts_in(call.arguments)}
    columns: list[list[Any]] = []
    for at, (call, answer) in enumerate(zip(calls, answers)):
        handle = answer["handle"]
        if answer["kind"] == "table" or handle in mentioned or f"${handle}$" in mentioned:
            continue
        if reads_on(calls, answers, at):
            continue
        if answer["kind"] == "value":
            columns.append([answer["value"]])
            continue
        values, following = list(answer["values"]), answer["next_offset"]
        while following is not None:
            page = more(call, following)
            values, following = values + page["values"], page["next_offset"]
        columns.append(values)
    if not columns or any(len(column) != len(columns[0]) for column in columns):
        return None
    return [list(row) for row in zip(*columns)]


def reads_on(calls: list[Made], answers: list[dict[str, Any]], at: int) -> bool:
    """Whether a call only shows more of a column that an earlier one did not show whole."""
    call = calls[at]
    offset = call.arguments.get("offset")
    if isinstance(offset, bool) or not isinstance(offset, (int, float)):
        return False
    return any(
        earlier.name == call.name
        and answer.get("next_offset") is not None
        and (earlier.arguments.get("offset") or 0) < offset
        and without_page(earlier.arguments) == without_page(call.arguments)
        for earlier, answer in zip(calls[:at], answers)
    )


def without_page(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name not in ("offset", "limit")}


def texts_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for item in inner for text in texts_in(item)]


def rows_equal(gold: list[list[Any]], rows: list[list[Any]], groups: list[int] | None) -> bool:
    """As a bag, or in order where the gold is ordered; rows of one group may swap."""
    if len(gold) != len(rows):
        return False
    groups = groups or [0] * len(gold)
    free = list(enumerate(rows))
    for index, row in enumerate(gold):
        found = next(
            (
                at
                for at, (place, other) in enumerate(free)
                if groups[place] == groups[index] and cells_equal(row, other)
            ),
            None,
        )
        if found is None:
            return False
        free.pop(found)
    return True


def cells_equal(gold: Any, given: Any) -> bool:
    """Integers exactly, however large and however spelled; other numbers within 1e-9; all else exactly."""
    if isinstance(gold, list) and isinstance(given, list):
        return len(gold) == len(given) and all(cells_equal(x, y) for x, y in zip(gold, given))
    if is_number(gold) and is_number(given):
        if is_whole(gold) and (isinstance(given, int) or given.is_integer()):
            return gold == given
        return math.isclose(gold, given, rel_tol=1e-9, abs_tol=0.0)
    return type(gold) is type(given) and gold == given


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value: int | float) -> bool:
    """A float counts as an integer as far as floats tell integers apart."""
    return isinstance(value, int) or (value.is_integer() and abs(value) < 2**53)


def arguments_equal(gold: Any, given: Any) -> bool:
    """Whether two arguments mean the same in a query string: numbers by value, however they are spelled."""
    if isinstance(gold, list):
        items = given if isinstance(given, list) else [given]
        return len(gold) == len(items) and all(arguments_equal(x, y) for x, y in zip(gold, items))
    if gold is None or given is None or isinstance(given, (list, dict)):
        return gold is given
    if not is_number(gold):
        return as_text(gold) == as_text(given)
    text = as_text(given)
    if isinstance(gold, int) or gold.is_integer():
        whole = re.fullmatch(r"(-?[0-9]{1,40})(\.0{1,40})?", text)
        return whole is not None and int(whole[1]) == gold
    return NUMBER.fullmatch(text) is not None and cells_equal(gold, float(text))


NUMBER = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    whole = isinstance(value, float) and value.is_integer()
    return json.dumps(int(value) if whole else value)
