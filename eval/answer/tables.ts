import { parse } from 'csv-parse/sync';
import { isNumber, isObject, type Json, type JsonObject } from '../json/lossless.ts';
import { withoutThoughts } from '../parse/lenient.ts';
import { LiteralReader, NotReadable } from '../parse/literals.ts';
import { tryJson } from '../parse/read-json.ts';
import { type AnswerTable, sameName } from './columns.ts';
import { readDecimal, readQuantity } from './quantities.ts';
import { FINAL_MARKER, HEDGE, ORDINALS, RETRACTION } from './words.ts';

/** The expectations that guide how an answer is read. */
export interface Expected {
  readonly names: readonly (readonly string[])[];
  readonly question: string;
  /** The gold's runs of equal sort keys, which share a rank. */
  readonly orderGroups?: readonly number[] | null;
}

export interface Readings {
  readonly tables: readonly AnswerTable[];
  /** Texts to be read as prose, if that is allowed. */
  readonly prose: readonly string[];
}

/**
 * Reads an answer as tables: JSON or Python rows, objects, columns by name, lists and single values,
 * optionally wrapped in an object such as `{"rows": …}`; in a text also JSON lines, Markdown and other drawn
 * tables, CSV, and any of these in a fenced block or amid prose. Several that differ are treated as guesses,
 * unless the last is announced as the final answer.
 */
export function readAnswer(answer: Json, expected: Expected): Readings {
  return typeof answer === 'string'
    ? readText(answer, expected)
    : { tables: fromJson(answer, expected), prose: [] };
}

function readText(answer: string, expected: Expected): Readings {
  if (answer.length > LONGEST_TEXT) {
    const value = tryJson(answer);
    return { tables: value === undefined ? [] : fromJson(value, expected), prose: [] };
  }
  const text = inUsualMarks(withoutThoughts(answer).visible.trim());
  const tail = finalPart(text);
  const whole = readWhole(text, expected);
  const tables = [
    { names: null, rows: [[text]] },
    ...whole,
    ...(whole.length > 0 ? [] : readParts(text, expected)),
  ];
  // Words beside a table are not the answer.
  const isProse = drawnTables(text).length === 0 && !FENCE.test(text);
  if (tail === null) return { tables, prose: isProse ? [text] : [] };
  const rest = readWhole(tail, expected);
  return {
    tables: [
      ...tables,
      { names: null, rows: [[tail]] },
      ...rest,
      ...(rest.length > 0 ? [] : readParts(tail, expected)),
    ],
    prose: isProse ? [text, tail] : [],
  };
}

/** Thousands in LaTeX (`20{,}311`, `20\\,311`) with commas; medals, keycaps, `1st:` and `#1` before lines as `1.` */
function inUsualMarks(text: string): string {
  const marks = [...text.matchAll(HASHED)].map(([, , digits]) => Number(digits));
  const isCounted = marks.length > 1 && marks.every((mark, i) => mark === i + 1);
  return text
    .replace(/(?<=\d)(?:\{,\}|\\,)(?=\d{3})/g, ',')
    .replace(/^(\s*\d{1,3})(?:st|nd|rd|th)(?:[:.)]|\s[-–—])\s/gm, '$1. ')
    .replace(
      /^(\s*)([🥇🥈🥉])\s*/gmu,
      (_, blank: string, medal: string) => `${blank}${MEDALS.indexOf(medal) + 1}. `,
    )
    .replace(/^(\s*)(\d)\ufe0f?\u20e3\s*/gm, '$1$2. ')
    .replace(HASHED, isCounted ? '$1$2. ' : '$&');
}

const HASHED = /^(\s*)#(\d{1,3})[:.)]?\s+/gm;
const MEDALS = ['🥇', '🥈', '🥉'];

/** The text after the last announcement of an answer; null if there is none, or if it is hedged. */
function finalPart(text: string): string | null {
  const marker = [...text.matchAll(FINAL_MARKER)].at(-1);
  const [tagged, ...others] = text.split(/<(?:final_)?answer>/i).slice(1);
  if (tagged !== undefined && others.length === 0) {
    const [inner = '', after = ''] = tagged.split(/<\/(?:final_)?answer>/i);
    return hasHedge(after) || RETRACTION.test(after) ? null : inner.trim();
  }
  const boxed = /\\boxed\s*\{/.exec(text);
  if (boxed !== null && text.indexOf('\\boxed', boxed.index + 1) < 0) {
    const inner = /^\s*\{((?:[^{}]|\{[^{}]*\})*)\}/.exec(text.slice(boxed.index + '\\boxed'.length))?.[1];
    if (inner !== undefined && !hasHedge(text)) return inner.replace(/^\\text\{(.*)\}$/s, '$1').trim();
  }
  if (marker === undefined) return null;
  const before = text.slice(0, marker.index);
  const sentence = before.slice(Math.max(before.lastIndexOf('\n'), before.search(/[.!?]\s[^.!?]*$/)) + 1);
  if (hasHedge(sentence) || /\b(?:not|n't|never|if)\b/i.test(sentence)) return null;
  const tail = text.slice(marker.index + marker[0].length).trim();
  return tail === '' ? null : tail.replace(/^\*\*\s*|^:\s*/, '').trim();
}

/** Reads a text that is a single structure. */
function readWhole(text: string, expected: Expected): AnswerTable[] {
  const value = readValue(text);
  if (value !== undefined) {
    return typeof value === 'string'
      ? [{ names: null, rows: [[value]] }, ...readDelimited(value, expected)]
      : fromJson(value, expected);
  }
  const lines = readJsonLines(text);
  if (lines !== null) return fromJson(lines, expected);
  const drawn = drawnTables(text);
  const [only, ...others] = drawn;
  if (only !== undefined)
    return others.length === 0 && only.isWhole ? withoutIndex(only.table, expected) : [];
  return FENCE.test(text) ? [] : readDelimited(text, expected);
}

const FENCE = /^\s{0,8}(?:```|~~~)/m;

/** Reads the single structure amid other words; none if there are several different ones, or the words hedge. */
function readParts(text: string, expected: Expected): AnswerTable[] {
  const { blocks, outside } = splitFences(text);
  const drawn = blocks.length > 0 ? [] : drawnTables(text);
  const values = blocks.length + drawn.length > 0 ? [] : valuesIn(text);
  const found = [
    ...blocks.map((block) => readWhole(block.trim(), expected)),
    ...drawn.map(({ table }) => withoutIndex(table, expected)),
    ...values.map(({ value }) => fromJson(value, expected)),
  ].filter((tables) => tables.length > 0);
  const around =
    blocks.length > 0
      ? outside
      : drawn.length > 0
        ? text.replace(/^.*\|.*$/gm, '')
        : values.map(({ start }, i) => text.slice(values[i - 1]?.end ?? 0, start)).join(' ') +
          text.slice(values.at(-1)?.end ?? 0);
  const isClear = new Set(found.map((tables) => JSON.stringify(tables))).size === 1;
  return isClear && !hasHedge(around.replace(/\?/g, ' ').slice(0, LONGEST_PROSE)) ? (found[0] ?? []) : [];
}

function hasHedge(text: string): boolean {
  return text.search(HEDGE) >= 0;
}

/** The contents of fenced blocks, and the text around them. The last fence may be unclosed. */
function splitFences(text: string): { blocks: string[]; outside: string } {
  const blocks: string[][] = [];
  const outside: string[] = [];
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const fence = /^\s{0,8}(```|~~~)/.exec(line)?.[1];
    if (open === null && fence !== undefined) {
      open = fence;
      blocks.push([]);
    } else if (open !== null && fence === open) open = null;
    else (open === null ? outside : (blocks.at(-1) as string[])).push(line);
  }
  return { blocks: blocks.map((lines) => lines.join('\n')), outside: outside.join('\n') };
}

const LONGEST_PROSE = 5000;
/** Longer texts are read only if they are JSON. */
const LONGEST_TEXT = 1_000_000;

/** Parses JSON, or a Python literal without arithmetic; undefined for other text. */
function readValue(text: string): Json | undefined {
  const json = tryJson(text);
  if (json !== undefined) return json;
  const plain = withoutConstructors(text);
  if (!/^[[({'"]|^(?:None|True|False)$/.test(plain) || ARITHMETIC.test(withoutQuoted(plain)))
    return undefined;
  const reader = new LiteralReader(plain);
  try {
    const value = reader.value();
    reader.blank();
    return reader.position === plain.length ? value : undefined;
  } catch (error) {
    if (error instanceof NotReadable) return undefined;
    throw error;
  }
}

/** Removes the type names with which Python's libraries print values. */
function withoutConstructors(text: string): string {
  if (!/[a-z]\(/i.test(text)) return text;
  return text
    .replace(/\b(?:decimal\.)?Decimal\(\s*(['"])([^'"()]*)\1\s*\)/g, '$2')
    .replace(/\b(?:(?:pd|pandas)\.)?(?:Timestamp|UUID)\(\s*((['"])[^'"()]*\2)(?:,[^()]*)?\)/g, '$1')
    .replace(/\b(?:np|numpy)\.\w+\(([^()]*)\)/g, '$1')
    .replace(/\bdatetime\.date(?:time)?\(([\d,\s]*)\)/g, (_, parts: string) => {
      const [year = '', month = '', day = '', ...time] = parts
        .split(',')
        .map((part) => part.trim().padStart(2, '0'));
      const clock = time.length === 0 ? '' : ` ${[time[0], time[1] ?? '00', time[2] ?? '00'].join(':')}`;
      return `'${year}-${month}-${day}${clock}'`;
    });
}

const ARITHMETIC = /[*%]|[\d)]\s*[+\-/]/;

function withoutQuoted(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, '""').replace(/\d[eE][+-]\d/g, '1');
}

function readJsonLines(text: string): Json[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return null;
  const values: Json[] = [];
  for (const line of lines) {
    if (!/^\s*[[{]/.test(line)) return null;
    const value = readValue(line.trim().replace(/,$/, ''));
    if (value === undefined) return null;
    values.push(value);
  }
  return values;
}

/** The outermost lists and objects in a text. */
function valuesIn(text: string): { value: Json; start: number; end: number }[] {
  const reader = new LiteralReader(text);
  const found: ReturnType<typeof valuesIn> = [];
  const bracket = /[[{]/g;
  let failures = 0;
  for (
    let match = bracket.exec(text);
    match !== null && failures < MOST_FAILURES;
    match = bracket.exec(text)
  ) {
    reader.seek(match.index);
    try {
      const value = reader.value();
      found.push({ value, start: match.index, end: reader.position });
      bracket.lastIndex = reader.position;
    } catch (error) {
      if (!(error instanceof NotReadable)) throw error;
      failures++;
    }
  }
  return found;
}

/** Limit on unreadable brackets: a text with more is not an answer amid prose. */
const MOST_FAILURES = 50;

function fromJson(value: Json, expected: Expected, depth = 0): AnswerTable[] {
  if (Array.isArray(value)) return fromList(value, expected);
  if (isObject(value)) return fromObject(value, expected, depth);
  return [{ names: null, rows: [[value]] }];
}

function fromList(list: readonly Json[], expected: Expected): AnswerTable[] {
  const [first] = list;
  if (first === undefined) return [{ names: null, rows: [] }];
  if (list.every(isScalar)) {
    const column = { names: null, rows: list.map((cell) => [cell]) };
    return list.length === expected.names.length && list.length > 1
      ? [column, { names: null, rows: [list] }]
      : [column];
  }
  if (list.every((row) => Array.isArray(row) && row.every(isScalar))) {
    const rows = list as Json[][];
    const [head = [], ...rest] = rows;
    const isHead = rest.length > 0 && isHeader(head, rest, expected);
    // A column written as a row.
    if (rest.length === 0 && head.length > 1 && expected.names.length === 1)
      return [{ names: null, rows: head.map((cell) => [cell]) }];
    return [{ names: null, rows }, ...(isHead ? [{ names: head.map(String), rows: rest }] : [])];
  }
  if (!list.every((row) => isObject(row) && Object.values(row).every(isScalar)) || !isObject(first))
    return [];
  const names = Object.keys(first);
  const objects = list as JsonObject[];
  const isRegular = objects.every(
    (row) => Object.keys(row).length === names.length && names.every((name) => Object.hasOwn(row, name)),
  );
  if (!isRegular) return [];
  return withoutIndex(
    { names, rows: objects.map((row) => names.map((name) => row[name] ?? null)) },
    expected,
  );
}

function fromObject(object: JsonObject, expected: Expected, depth: number): AnswerTable[] {
  const entries = Object.entries(object);
  const order = hasLostOrder(object) ? { hasLostOrder: true } : {};
  const tables: AnswerTable[] = [];
  const wrapped = depth < DEEPEST_WRAPPER ? unwrap(entries) : undefined;
  if (wrapped !== undefined) {
    const names = columnNames(object);
    const inner = fromJson(wrapped, expected, depth + 1);
    tables.push(
      ...inner.map((table) =>
        table.names === null && names !== null && table.rows.every((row) => row.length === names.length)
          ? { ...table, names }
          : table,
      ),
    );
  }
  const values = Object.values(object);
  if (values.length === 0) return tables;
  const [only, ...others] = entries;
  if (wrapped === undefined && only !== undefined && others.length === 0 && depth < DEEPEST_WRAPPER) {
    const [name, inner] = only;
    if (!isScalar(inner) && !(Array.isArray(inner) && inner.every(isScalar)) && !DOUBTFUL_NAME.test(name))
      tables.push(...fromJson(inner, expected, depth + 1));
  }
  const keyed = [...rowsByKey(entries), ...rowsInGroups(entries, expected)];
  tables.push(...keyed.map((table) => ({ ...table, ...order })));
  if (values.every(isScalar)) {
    if (isCounted(Object.keys(object))) tables.push({ names: null, rows: values.map((cell) => [cell]) });
    tables.push({ names: Object.keys(object), rows: [values] });
    if (expected.names.length === 2)
      tables.push({ names: null, rows: entries.map(([key, cell]) => [key, cell]), ...order });
  } else if (values.every((list) => Array.isArray(list) && list.every(isScalar))) {
    const lists = values as Json[][];
    const length = lists[0]?.length ?? 0;
    if (lists.every((list) => list.length === length)) {
      const rows = Array.from({ length }, (_, i) => lists.map((list) => list[i] ?? null));
      tables.push({ names: Object.keys(object), rows });
    }
  } else if (values.every((column) => isObject(column) && isIndexed(column))) {
    const lists = Object.fromEntries(
      entries.map(([name, column]) => [name, Object.values(column as JsonObject)]),
    );
    return [...tables, ...fromObject(lists, expected, DEEPEST_WRAPPER)];
  }
  return tables;
}

/** Whether keys such as `2024`, which JavaScript puts first and in ascending order, are among those of its rows. */
function hasLostOrder(object: JsonObject): boolean {
  const keys = Object.values(object).filter(isObject).flatMap(Object.keys);
  return [...Object.keys(object), ...keys].some((key) => /^(?:0|[1-9]\d{0,9})$/.test(key));
}

/** `1`, `2`, … or `first`, `second`, … */
function isCounted(keys: readonly string[]): boolean {
  const start = keys[0] === '0' ? 0 : 1;
  return keys.every((key, i) => key === String(start + i)) || keys.every((key, i) => key === ORDINALS[i]);
}

/** One row per key: `{"Reds": {"wins": 5, "losses": 3}, …}`, `{"Reds": [5, 3], …}`. */
function rowsByKey(entries: readonly (readonly [string, Json])[]): AnswerTable[] {
  const [first] = entries;
  if (first === undefined || isScalar(first[1])) return [];
  const names = isObject(first[1]) ? Object.keys(first[1]) : null;
  const rows = entries.map(([key, inner]): Json[] | null => {
    if (names === null) return Array.isArray(inner) && inner.every(isScalar) ? [key, ...inner] : null;
    const isRow =
      isObject(inner) &&
      Object.keys(inner).length === names.length &&
      names.every((name) => isScalar(inner[name] ?? null) && Object.hasOwn(inner, name));
    return isRow ? [key, ...names.map((name) => inner[name] ?? null)] : null;
  });
  const known = rows.filter((row) => row !== null);
  return known.length < rows.length ? [] : [{ names: names === null ? null : ['', ...names], rows: known }];
}

/** Rows grouped by key: `{"fines": {"2023": 158, "2024": 131}}`, `{"fines": [["2023", 158], …]}`, `{"fines": [158, 131]}`. */
function rowsInGroups(entries: readonly (readonly [string, Json])[], { names }: Expected): AnswerTable[] {
  const items = entries.flatMap(([key, inner]) => {
    const list = Array.isArray(inner) ? inner : isObject(inner) ? Object.entries(inner) : [inner];
    return list.map((item) => ({ key, item }));
  });
  const [first] = items;
  const own = first !== undefined && isObject(first.item) ? Object.keys(first.item) : null;
  const rows = items.map(({ key, item }) => {
    const cells = Array.isArray(item)
      ? item
      : !isObject(item)
        ? [item]
        : own?.map((name) => item[name] ?? null);
    return [key, ...(cells ?? [])];
  });
  const isTable = rows.every((row) => row.length === names.length && row.every(isScalar));
  const table = { names: own && ['', ...own], rows };
  const fields = entries.flatMap(([key, inner]) =>
    isObject(inner) ? Object.entries(inner).map(([name, cell]) => [`${key} ${name}`, cell] as const) : [],
  );
  const row = { names: fields.map(([name]) => name), rows: [fields.map(([, cell]) => cell)] };
  return [
    ...(isTable && rows.length > entries.length ? [table] : []),
    ...(fields.length === names.length && entries.every(([, inner]) => isObject(inner)) ? [row] : []),
  ];
}

/** Field names that mark an object's content as not being the answer. */
const DOUBTFUL_NAME =
  /not|excl|wrong|guess|candidate|maybe|possib|option|example|sample|error|missing|other/i;

const DEEPEST_WRAPPER = 4;
const WRAPPERS = new Set(
  'rows row result results data answer answers output value values response final_answer finalanswer records items list'.split(
    ' ',
  ),
);
/** Metadata that services and models put beside the rows. */
const BESIDE = new Set(
  'columns column_names headers fields row_count rowcount count total length truncated status success ok sql query explanation reasoning thought note notes next_offset handle kind error question unit units index page limit offset has_more meta metadata'.split(
    ' ',
  ),
);

/** The only value of an object apart from metadata. */
function unwrap(entries: readonly (readonly [string, Json])[]): Json | undefined {
  const named = entries.filter(([name]) => WRAPPERS.has(name.toLowerCase()));
  if (named.length > 1) return undefined;
  const only = named[0] ?? onlyList(entries);
  if (only === undefined) return undefined;
  const others = entries.filter((entry) => entry !== only);
  const isClear = others.every(
    ([name, value]) => BESIDE.has(name.toLowerCase()) && !(name.toLowerCase() === 'error' && value !== null),
  );
  return isClear ? only[1] : undefined;
}

/** `{"clinics": [{…}, …], "count": 2}`: the only field apart from metadata, whatever its name, if it holds rows. */
function onlyList(entries: readonly (readonly [string, Json])[]): readonly [string, Json] | undefined {
  const [only, ...others] = entries.filter(([name]) => !BESIDE.has(name.toLowerCase()));
  if (only === undefined || others.length > 0 || entries.length === 1) return undefined;
  const [name, inner] = only;
  return Array.isArray(inner) && !inner.every(isScalar) && !DOUBTFUL_NAME.test(name) ? only : undefined;
}

function columnNames(object: JsonObject): string[] | null {
  const list = object.columns ?? object.column_names ?? object.headers ?? object.fields;
  return Array.isArray(list) && list.every((name) => typeof name === 'string') ? list : null;
}

/** A column as pandas serializes it: `{"0": …, "1": …}`. */
function isIndexed(column: JsonObject): boolean {
  return Object.entries(column).every(([key, value], i) => key === String(i) && isScalar(value));
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== 'object' || isNumber(value);
}

interface Drawn {
  readonly table: AnswerTable;
  /** Whether the text contains nothing else. */
  readonly isWhole: boolean;
}

/** Tables as drawn in Markdown and by database consoles: a header, a line of dashes, and rows. */
function drawnTables(text: string): Drawn[] {
  const lines = text.split('\n').filter((line) => !/^\s*\+[-=+]+\+\s*$/.test(line));
  const isBoxed = lines.length < text.split('\n').length;
  const found: Drawn[] = [];
  let used = 0;
  for (let i = 1; i < lines.length; i++) {
    const head = lines[i - 1] as string;
    const isRuled = isRule(lines[i] as string);
    if (!isRuled && !(isBoxed && i === 1 && head.includes('|'))) continue;
    const isClosed = /\|\s*$/.test(head);
    const names = cellsOf(head, isClosed);
    const rows: string[][] = [];
    let next = isRuled ? i + 1 : i;
    for (; next < lines.length; next++) {
      const line = lines[next] as string;
      if (line.trim() === '' || ROW_COUNT.test(line)) break;
      if (names.length > 1 && !line.includes('|')) break;
      const cells = cellsOf(line, isClosed);
      if (cells.length !== names.length) break;
      rows.push(cells);
    }
    found.push({ table: { names, rows, blankIsMissing: true }, isWhole: false });
    used += next - (i - 1);
    i = next;
  }
  const blank = lines.filter((line) => line.trim() === '' || ROW_COUNT.test(line)).length;
  return found.map(({ table }) => ({ table, isWhole: used + blank >= lines.length }));
}

/** Row counts that consoles print below a table. */
const ROW_COUNT = /^\s*(?:\(\d+ rows?\)|\d+ rows? in set\b[^|]*)\s*$/i;

function isRule(line: string): boolean {
  return /^[\s|:+-]*$/.test(line) && /--/.test(line);
}

/** In a table without a line at its right, a last `|` precedes an empty cell. */
function cellsOf(line: string, isClosed: boolean): string[] {
  const open = line.trim().replace(/^\|/, '');
  const inner = isClosed ? open.replace(/(?<!\\)\|$/, '') : open;
  return inner.split(/(?<!\\)\|/).map((cell) =>
    cell
      .trim()
      .replaceAll('\\|', '|')
      .replace(/<br\s*\/?>/g, '\n')
      .replace(/^(\*{1,3}|__|`)(.+)\1$/s, '$2'),
  );
}

/** The table; also as one row if it lists fields and values, and without a first column that numbers rows. */
function withoutIndex(table: AnswerTable, { names: gold, question, orderGroups }: Expected): AnswerTable[] {
  const { names, rows } = table;
  const [first = ''] = names ?? [];
  if (
    names?.length === 2 &&
    rows.length === gold.length &&
    rows.every(([name]) => typeof name === 'string')
  ) {
    const fields = {
      ...table,
      names: rows.map(([name]) => name as string),
      rows: [rows.map((row) => row[1] ?? null)],
    };
    return [table, fields];
  }
  if (names === null || names.length !== gold.length + 1 || !INDEX.test(first.trim())) return [table];
  const start = Number(rows[0]?.[0] ?? 1);
  // A question may ask for ranks 6 to 10.
  const isStart =
    start === 0 || start === 1 || new RegExp(`(?<![\\d.,])${start}(?![\\d.,]*\\d)`).test(question);
  const ranks = rows.map((row) => Number(row[0]) - start);
  const isTie = (i: number) =>
    i > 0 &&
    ranks[i] === ranks[i - 1] &&
    orderGroups?.[i] !== undefined &&
    orderGroups[i] === orderGroups[i - 1];
  const isRank = (rank: number, i: number) => rank === i || isTie(i);
  const isDense = (rank: number, i: number) =>
    rank === (i === 0 ? 0 : (ranks[i - 1] as number) + 1) || isTie(i);
  if (!isStart || !(ranks.every(isRank) || ranks.every(isDense))) return [table];
  return [{ ...table, names: names.slice(1), rows: rows.map((row) => row.slice(1)) }];
}

const INDEX = /^(?:#|no\.?|nr\.?|index|idx|row|rank|ranking|place|pos\.?|position|)$/i;

/** CSV and its variants, with or without a header; a single column also by lines, or separated by commas. */
function readDelimited(text: string, expected: Expected): AnswerTable[] {
  const width = expected.names.length;
  const lines = text
    .split('\n')
    .map((line) => line.trimEnd().replace(/^ +/, ''))
    .filter((line) => line !== '');
  if (lines.length === 0) return [];
  if (width === 1 && lines.length > 1)
    return [
      ...withHead(
        lines.map((line) => [line.replace(/,$/, '').replace(/^(["'])(.*)\1$/, '$2')]),
        expected,
      ),
      ...readAligned(lines, expected),
    ];
  const tables = readAligned(lines, expected);
  for (const delimiter of ['\t', ';', '|', ',']) {
    if (!text.includes(delimiter)) continue;
    // Blanks that are trimmed may be an empty last cell.
    const padded = lines.map((line) =>
      delimiter === '\t' && width > 1 && line.split('\t').length === width - 1 ? `${line}\t` : line,
    );
    const records = readRecords(padded.join('\n'), delimiter);
    if (records === null) continue;
    if (width === 1) tables.push({ names: null, rows: (records[0] ?? []).map((cell) => [cell]) });
    else if (records.every((record) => record.length === width)) tables.push(...withHead(records, expected));
  }
  return tables;
}

/** Columns aligned by blanks, as printed by pandas (with the index before each row) and by consoles. */
function readAligned(lines: readonly string[], expected: Expected): AnswerTable[] {
  const width = expected.names.length;
  const [names, ...rows] = lines.filter((line) => !isRule(line)).map((line) => line.split(/\s{2,}|\t/));
  if (names?.length !== width || rows.length === 0) return [];
  const isIndexed = rows.every((row, i) => row.length === width + 1 && row[0] === String(i));
  if (!isIndexed && (width === 1 || rows.some((row) => row.length !== width))) return [];
  return [{ names, rows: isIndexed ? rows.map((row) => row.slice(1)) : rows, blankIsMissing: true }];
}

/** null if records differ in width. */
function readRecords(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, { delimiter, trim: true, relax_quotes: true });
  } catch {
    return null;
  }
}

function withHead(rows: readonly string[][], expected: Expected): AnswerTable[] {
  const [head = [], ...rest] = rows;
  const whole = { names: null, rows, blankIsMissing: true };
  return isHeader(head, rest, expected) ? [{ ...whole, names: head, rows: rest }, whole] : [whole];
}

/** Whether a first row is a header: it has a gold column name, or words of the question above numbers. */
function isHeader(head: readonly Json[], rows: readonly (readonly Json[])[], expected: Expected): boolean {
  if (!head.every((cell) => typeof cell === 'string' && readQuantity(cell) === null)) return false;
  const names = head as readonly string[];
  if (names.some((name) => expected.names.some((known) => known.some((each) => sameName(each, name)))))
    return true;
  const words = new Set(expected.question.toLowerCase().match(/\p{L}+/gu));
  const areAsked = names.every((name) =>
    (name.toLowerCase().match(/\p{L}+/gu) ?? [' ']).every((word) => words.has(word)),
  );
  const isOverNumbers = names.some(
    (_, i) => rows.length > 0 && rows.every((row) => isNumeric(row[i] ?? null)),
  );
  return names.length > 1 && isOverNumbers && areAsked;
}

function isNumeric(cell: Json): boolean {
  return isNumber(cell) || (typeof cell === 'string' && readDecimal(cell) !== null);
}
