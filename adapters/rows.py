"""Rows from answers of calls, and equality of answers: the strict reading of docs/scoring.md, in Python."""

import json
import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any


@dataclass(frozen=True)
class Made:
    """A call and its answer."""

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
    """Whether a call only continues a column that an earlier call showed in part."""
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


def answer_rows(answer: Any, width: int) -> list[list[Any]] | None:
    """The rows of an answer in strict form: lists; values of one column; a single value. None for any other."""
    items = answer if isinstance(answer, list) else [answer]
    rows = [item if isinstance(item, list) else [item] if width == 1 else None for item in items]
    cells = [cell for row in rows for cell in (row if row is not None else [True])]
    return rows if all(cell is None or isinstance(cell, str) or is_number(cell) for cell in cells) else None


def read_answer(text: str) -> Any:
    """Parses an answer's JSON with whole numbers as exact integers, however spelled. Raises ValueError."""
    return json.loads(text, parse_float=exactly, parse_int=exactly, parse_constant=refuse)


def exactly(text: str) -> int | float:
    number = Decimal(text)
    if len(text) > LONGEST_NUMBER or not number.is_finite() or abs(number.adjusted()) > LONGEST_NUMBER:
        return float(text)
    whole, rest = number.as_integer_ratio()
    return whole if rest == 1 and math.isfinite(as_float(whole)) else float(text)


def refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


LONGEST_NUMBER = 400


def is_right(gold: list[list[Any]], answer: Any, groups: list[int] | None) -> bool:
    """The strict reading of the answer contract. A text may be JSON itself."""
    width = len(gold[0]) if gold else 1
    readings = [answer]
    if isinstance(answer, str):
        try:
            readings.append(read_answer(answer))
        except ValueError:
            pass
    tables = [answer_rows(reading, width) for reading in readings]
    return any(rows is not None and rows_equal(gold, rows, groups) for rows in tables)


def rows_equal(gold: list[list[Any]], rows: list[list[Any]], groups: list[int] | None) -> bool:
    """Compares as multisets, or in order if the gold is ordered; rows of one group may swap."""
    if len(gold) != len(rows):
        return False
    if groups is None:
        return bags_equal(gold, rows)
    ends = [at for at in range(1, len(gold) + 1) if at == len(gold) or groups[at] != groups[at - 1]]
    return all(bags_equal(gold[start:end], rows[start:end]) for start, end in zip([0, *ends], ends))


def bags_equal(gold: list[list[Any]], rows: list[list[Any]]) -> bool:
    """Whether some pairing makes all pairs equal. Near-equality is not transitive, so pairings are searched."""
    if all(map(cells_equal, gold, rows)):
        return True
    return all(can_be_paired(*sides) for sides in by_shape(gold, rows))


def by_shape(gold: list[list[Any]], rows: list[list[Any]]) -> list[tuple[list[Any], list[Any]]]:
    """The numbers of gold and of given rows that agree in everything else."""
    shapes: dict[str, tuple[list[Any], list[Any]]] = {}
    for side, table in enumerate((gold, rows)):
        for row in table:
            shape = json.dumps([[] if is_number(cell) else [cell] for cell in row])
            shapes.setdefault(shape, ([], []))[side].append([cell for cell in row if is_number(cell)])
    return list(shapes.values())


def can_be_paired(left: list[Any], right: list[Any]) -> bool:
    if len(left) != len(right):
        return False
    left, right = sorted(left), sorted(right)
    if all(map(cells_equal, left, right)):
        return True
    first = [as_float(row[0]) for row in right]
    near = []
    for row in left:
        value = as_float(row[0])
        reach = 2 * TOLERANCE * abs(value) if math.isfinite(value) else 0
        window = range(bisect_left(first, value - reach), bisect_right(first, value + reach))
        near.append([at for at in window if cells_equal(row, right[at])])
    return all(near) and are_paired(near)


def are_paired(near: list[list[int]]) -> bool:
    """Whether every row on the left has its own partner: a matching by augmenting paths."""
    left_of: dict[int, int] = {}
    right_of: dict[int, int] = {}
    for start in range(len(near)):
        via: dict[int, int] = {}
        queue, free = [start], None
        for one in queue:
            for at in near[one]:
                if free is None and at not in via:
                    via[at] = one
                    if at in left_of:
                        queue.append(left_of[at])
                    else:
                        free = at
        if free is None:
            return False
        while free is not None:
            one = via[free]
            left_of[free], right_of[one], free = one, free, right_of.get(one)
    return True


def cells_equal(gold: Any, given: Any) -> bool:
    """Compares integers exactly, a real with any number within 1e-9, and everything else exactly."""
    if isinstance(gold, list) and isinstance(given, list):
        return len(gold) == len(given) and all(map(cells_equal, gold, given))
    if is_number(gold) and is_number(given):
        if gold == given or (is_whole(gold) and is_whole(given)):
            return gold == given
        a, b = as_float(gold), as_float(given)
        return math.isfinite(a) and math.isfinite(b) and abs(a - b) <= TOLERANCE * max(abs(a), abs(b))
    return type(gold) is type(given) and gold == given


TOLERANCE = 1e-9


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value: int | float) -> bool:
    """A whole float counts as an integer where floats are exact."""
    return isinstance(value, int) or (value.is_integer() and abs(value) < 2**53)


def as_float(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def arguments_equal(gold: Any, given: Any, type: str) -> bool:
    """Whether two arguments are equal to the service, which parses query strings by the parameter's type."""
    if isinstance(gold, list):
        items = given if isinstance(given, list) else [given]
        return len(gold) == len(items) and all(arguments_equal(x, y, type) for x, y in zip(gold, items))
    if gold is None or given is None or isinstance(given, (list, dict)):
        return gold is given
    a, b = (read_as(type, as_text(value)) for value in (gold, given))
    return a is not None and b is not None and cells_equal(a, b)


def read_as(type: str, text: str) -> Any:
    if type == "integer":
        whole = INTEGER.fullmatch(text)
        return int(whole[1]) if whole else None
    if type == "number":
        return float(text) if NUMBER.fullmatch(text) else None
    return text


INTEGER = re.compile(r"(-?[0-9]{1,40})(\.0{1,40})?")
NUMBER = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    whole = isinstance(value, float) and value.is_integer()
    return json.dumps(int(value) if whole else value)
