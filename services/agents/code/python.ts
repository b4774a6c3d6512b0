import { programName } from '../../../contracts/sdk.ts';
import type { JsonSchema } from '../../domain/tools/tool-spec.ts';
import {
  ownParameters,
  plainFunctions,
  printIndex,
  type SdkFunction,
  type SdkModule,
  takesResult,
  union,
} from './sdk.ts';

/** A module for Python 3.9 and later, with type hints; it needs the standard library alone. */
export function printPython(module: SdkModule): string {
  const { functions, title, version, root } = module;
  const plain = plainFunctions(module);
  const methods = functions.filter(({ source }) => source !== null);
  const records = functions.filter(({ isRecord }) => isRecord);
  const rowTypes = new Map<string, string>();
  const about = `${title.replace(/\s+/g, ' ')}. Made by rookery ${version}.\n\n${printIndex(module)}`;
  const body = [
    ...(functions.some(({ makesResult }) => makesResult) ? [resultText(module, methods, rowTypes)] : []),
    ...plain.map((each) => functionText(each, rowTypes, '')),
    ...(records.length > 0
      ? [
          [
            'class records:',
            '    """The records of each table. A run may change them; elsewhere they are read only."""',
            '',
            records.map((each) => `    @staticmethod\n${functionText(each, rowTypes, '    ')}`).join('\n\n'),
          ].join('\n'),
        ]
      : []),
  ];
  const head = `${docstring(about, '')}\n${IMPORTS}`;
  // Printing the functions has filled in the types of their rows.
  return `${[head, runtime(root), ...rowTypes.values(), ...body].join('\n\n\n')}\n`;
}

const IMPORTS = `
from __future__ import annotations

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, Generic, List, Literal, Optional, TypedDict, TypeVar, Union, cast`;

const runtime = (root: string) => `Cell = Union[str, float, int, None]
Row = TypeVar("Row")


class Answer(Generic[Row]):
    """What an endpoint answers; truncated when there are more rows than it holds."""

    def __init__(self, body: Dict[str, Any]) -> None:
        self.data: List[Row] = body["data"]
        self.row_count: int = body["row_count"]
        self.truncated: bool = body["truncated"]
        self.body: Dict[str, Any] = body


class RookeryError(Exception):
    """A call that was refused."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text[:500]}")
        self.status: int = status
        self.text: str = text


class _Omitted:
    """An argument that is not given."""


_OMITTED = _Omitted()
_base: str = "http://127.0.0.1:8080"
_headers: Dict[str, str] = {}


def connect(address: str, api_key: Optional[str] = None) -> None:
    """Sets where calls go: the address of a farm, or of a run, http://.../runs/<id>."""
    global _base, _headers
    _base = address.rstrip("/")
    _headers = {} if api_key is None else {"authorization": f"Bearer {api_key}"}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _send(method: str, template: str, given: Dict[str, Any], view: str = "") -> Any:
    left: Dict[str, Any] = {name: value for name, value in given.items() if value is not _OMITTED}
    names = re.findall(r"\\{(\\w+)\\}", template)
    path = template
    # Empty segments get lost, dots are resolved, and long ones are refused: the plain address takes every value.
    if all(0 < len(_text(left.get(name, ""))) < 300 and left.get(name) not in (".", "..") for name in names):
        for name in names:
            path = path.replace("{" + name + "}", urllib.parse.quote(_text(left.pop(name)), safe=""))
    else:
        path = ${quoted(root)} + "/" + template.split("/")[-1]
    body = None
    headers = dict(_headers)
    if method in ("POST", "PATCH"):
        body = json.dumps(left).encode()
        headers["content-type"] = "application/json"
    else:
        pairs = [
            (name, _text(item))
            for name, value in left.items()
            for item in (cast(List[Any], value) if isinstance(value, list) else [value])
            if item is not None
        ]
        view = urllib.parse.urlencode(pairs)
    address = _base + path + ("?" + view if view else "")
    request = urllib.request.Request(address, data=body, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            text = response.read().decode()
    except urllib.error.HTTPError as error:
        raise RookeryError(error.code, error.read().decode()) from None
    return json.loads(text) if text else {"deleted": True}`;

const RESULT = `def _handles(value: Any) -> Any:
    if isinstance(value, Result):
        return f"\${value.handle}$"
    if isinstance(value, list):
        return [_handles(each) for each in cast(List[Any], value)]
    if isinstance(value, dict):
        return {name: _handles(each) for name, each in cast(Dict[str, Any], value).items()}
    return value


def _result(path: str, given: Dict[str, Any]) -> Result:
    arguments: Dict[str, Any] = _handles({name: value for name, value in given.items() if value is not _OMITTED})
    return Result(_send("POST", path, arguments), path, arguments)


def rows(*results: Result) -> List[List[Cell]]:
    """Columns of equal length, or values, side by side: a list of rows."""
    columns = [each.values() for each in results]
    if any(len(column) != len(columns[0]) for column in columns):
        raise ValueError("the columns differ in length")
    return [list(row) for row in zip(*columns)]


class Result:
    """A table, a column or a value that a call has made."""

    def __init__(self, answer: Dict[str, Any], path: str = "", arguments: Optional[Dict[str, Any]] = None) -> None:
        self.answer: Dict[str, Any] = answer
        self.handle: str = answer["handle"]
        self._path = path
        self._arguments: Dict[str, Any] = arguments or {}

    def values(self) -> List[Cell]:
        """All values of a column in row order; of a value, that one."""
        answer = self.answer
        if answer["kind"] == "value":
            return [answer["value"]]
        values: List[Cell] = list(answer.get("values", []))
        while answer.get("next_offset") is not None:
            view = f"offset={answer['next_offset']}&limit=100000"
            answer = cast(Dict[str, Any], _send("POST", self._path, self._arguments, view))
            values += answer["values"]
        return values`;

function resultText({ starts }: SdkModule, methods: readonly SdkFunction[], rowTypes: Map<string, string>) {
  const table = [
    'def table(handle: str) -> Result:',
    docstring(
      `A table that calls begin from, or an earlier result, by its handle.${starts.map((handle) => `\n${handle}`).join('')}`,
      '    ',
    ),
    '    return Result({"kind": "table", "handle": handle})',
  ].join('\n');
  return [RESULT, ...methods.map((each) => functionText(each, rowTypes, '    '))]
    .join('\n\n')
    .concat(`\n\n\n${table}`);
}

function functionText(each: SdkFunction, rowTypes: Map<string, string>, indent: string): string {
  const { name, tool, method, path, makesResult, source } = each;
  const parameters = ownParameters(each);
  const ordered = [...parameters].sort((a, b) => Number(b.required) - Number(a.required));
  const listed = ordered.map(({ name: parameter, schema, required }) => {
    const type = typeText(schema) + (makesResult && takesResult(schema) ? ' | Result' : '');
    return `${programName(parameter)}: ${required ? type : `${type} | _Omitted = _OMITTED`}`;
  });
  const answer = makesResult ? { type: 'Result', wrap: '' } : returned(each, rowTypes);
  const given = parameters.map(({ name: parameter }) => `${quoted(parameter)}: ${programName(parameter)}`);
  if (source !== null) given.unshift(`${quoted(source)}: self`);
  const call = makesResult
    ? `_result(${quoted(path)}, {${given.join(', ')}})`
    : `_send(${quoted(method)}, ${quoted(path)}, {${given.join(', ')}})`;
  const described = parameters.flatMap(({ name: parameter, schema }) =>
    schema.description ? [`${programName(parameter)}: ${schema.description.replace(/\s+/g, ' ')}`] : [],
  );
  const doc = [tool.description, ...(described.length > 0 ? ['', ...described] : [])].join('\n').trim();
  const arguments_ = [...(source === null ? [] : ['self']), ...(listed.length > 0 ? ['*', ...listed] : [])];
  return [
    `def ${name}(${arguments_.join(', ')}) -> ${answer.type}:`,
    ...(doc === '' ? [] : [docstring(doc, '    ')]),
    `    return ${answer.wrap === '' ? call : `${answer.wrap}(${call})`}`,
  ]
    .join('\n')
    .split('\n')
    .map((line) => (line === '' ? line : indent + line))
    .join('\n');
}

/** The type of an answer, with a type of its own for rows whose columns are known, and what wraps its JSON. */
function returned({ name, answer }: SdkFunction, rowTypes: Map<string, string>) {
  const { properties, required } = answer();
  const { data, row_count, truncated, ...others } = properties;
  const row = data?.items?.properties;
  if (data?.items === undefined || row_count === undefined || truncated === undefined) {
    if (required.length === 0) return { type: 'Dict[str, Any]', wrap: '' };
    return { type: typedDict(`${camelCase(name)}Answer`, properties, rowTypes), wrap: '' };
  }
  const type =
    row === undefined || Object.keys(others).length > 0
      ? 'Dict[str, Cell]'
      : typedDict(`${camelCase(name)}Row`, row, rowTypes);
  return { type: `Answer[${type}]`, wrap: 'Answer' };
}

function typedDict(
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  rowTypes: Map<string, string>,
): string {
  const fields = Object.entries(properties).map(
    ([key, schema]) => `${quoted(key)}: ${quoted(typeText(schema))}`,
  );
  rowTypes.set(name, `${name} = TypedDict(${quoted(name)}, {${fields.join(', ')}})`);
  return name;
}

function typeText(schema: JsonSchema): string {
  const { type, enum: values, anyOf, properties, items, additionalProperties } = schema;
  if (values !== undefined) return `Literal[${values.map((value) => literal(value)).join(', ')}]`;
  if (anyOf !== undefined) return union(anyOf.map(typeText));
  if (properties !== undefined || typeof additionalProperties === 'object') return 'Dict[str, Any]';
  if (items !== undefined) return `List[${typeText(items)}]`;
  if (type === undefined) return 'Cell';
  return union([type].flat().map((each) => BASIC[each] ?? 'Any'));
}

const BASIC: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
  object: 'Dict[str, Any]',
  array: 'List[Any]',
};

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function docstring(text: string, indent: string): string {
  const safe = text.trim().replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  const lines = safe.split('\n');
  if (lines.length === 1) return `${indent}"""${safe}"""`;
  return [
    `${indent}"""${lines[0]}`,
    ...lines.slice(1).map((line) => (line === '' ? '' : indent + line)),
    `${indent}"""`,
  ].join('\n');
}

function camelCase(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}
