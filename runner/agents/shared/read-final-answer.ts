import { z } from 'zod';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import { toolAnswer } from '../../../contracts/tools.ts';
import type { Cell, Row } from '../../../contracts/value.ts';
import { tryJson } from '../../../eval/parse/json-text.ts';
import { lastJson } from '../../attempt/last-json.ts';
import { restRows } from '../../attempt/rest-rows.ts';
import type { ToolSession } from '../../attempt/tool-session.ts';

/**
 * The answer in a model's last words: the JSON value that they are, else the words themselves, which scoring reads.
 * Results that were too long to repeat may be named: `"$handle$"`, or `"$call_3$"` for what the third call answered, or
 * a list of such names for columns side by side. Of several requests at once the answer is a list of as many such values.
 */
export async function readFinalAnswer(
  text: string,
  session: ToolSession | null,
  { requests = 1, from = 0 }: ReadOptions = {},
): Promise<unknown> {
  const words = text.trim();
  const last = lastJson(words);
  const value = requests > 1 ? (last ?? words) : (tryJson(words) ?? words);
  if (session === null) return value;
  if (requests > 1 && Array.isArray(value)) {
    return Promise.all(value.map(async (each) => (await namedResults(each, session, from)) ?? each));
  }
  const [name, ...others] = new Set(text.match(NAME));
  const candidates = [value, last, ...(others.length === 0 ? [name] : [])];
  for (const each of candidates) {
    const rows = await namedResults(each, session, from);
    if (rows !== null) return rows;
  }
  return value;
}

const NAME = /\$[A-Za-z][\w-]*\$/g;

export interface ReadOptions {
  /** How many are answered at once. */
  readonly requests?: number;
  /** Calls of the session that were made before the first one that the text can count. */
  readonly from?: number;
}

const names = z.union([z.string(), z.array(z.string()).min(1)]);

async function namedResults(
  value: unknown,
  session: ToolSession,
  from: number,
): Promise<readonly Row[] | null> {
  const read = names.safeParse(value);
  if (!read.success) return null;
  const columns: (readonly Cell[])[] = [];
  for (const text of [read.data].flat()) {
    const name = /^\$([\w-]+)\$$/.exec(text.trim())?.[1];
    if (name === undefined) return null;
    const result = await namedResult(name, session, from);
    if (result === null) return null;
    // A REST answer has all its columns at once.
    if ('rows' in result) return Array.isArray(read.data) && read.data.length > 1 ? null : result.rows;
    columns.push(result.column);
  }
  const length = columns[0]?.length ?? 0;
  if (columns.some((column) => column.length !== length)) return null;
  return Array.from({ length }, (_, i) => columns.map((column) => column[i] ?? null));
}

async function namedResult(
  name: string,
  session: ToolSession,
  from: number,
): Promise<{ readonly column: readonly Cell[] } | { readonly rows: readonly Row[] } | null> {
  const number = /^call_(\d+)$/.exec(name)?.[1];
  const call =
    number === undefined
      ? session.calls.find(({ handle }) => handle === name)
      : session.calls[from + Number(number) - 1];
  if (call === undefined || !call.ok) return null;
  const rows = restRows(call.text);
  if (rows !== null) return { rows };
  const answer = toolAnswer.safeParse(parse(call.text));
  if (!answer.success || answer.data.kind === 'table') return null;
  if (answer.data.kind === 'value') return { column: [answer.data.value] };
  const whole = await session.wholeColumn(answer.data.handle);
  return whole === null ? null : { column: whole };
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return null;
  }
}
