import { z } from 'zod';
import { toolAnswer } from '../../../contracts/tools.ts';
import type { Cell, Row } from '../../../contracts/value.ts';
import { lastJson } from '../../attempt/last-json.ts';
import { restRows } from '../../attempt/rest-rows.ts';
import type { ToolSession } from '../../attempt/tool-session.ts';

/**
 * The answer in a model's last words: the last JSON value in them, else the words themselves. Results that were too
 * long to repeat may be named: `"$handle$"`, or `"$call_3$"` for what the third call answered, or a list of such names
 * for columns side by side.
 */
export async function readFinalAnswer(text: string, session: ToolSession | null): Promise<unknown> {
  const value = lastJson(text) ?? text.trim();
  if (session === null) return value;
  return (await namedResults(value, session)) ?? value;
}

const names = z.union([z.string(), z.array(z.string()).min(1)]);

async function namedResults(value: unknown, session: ToolSession): Promise<readonly Row[] | null> {
  const read = names.safeParse(value);
  if (!read.success) return null;
  const columns: (readonly Cell[])[] = [];
  for (const text of [read.data].flat()) {
    const name = /^\$([\w-]+)\$$/.exec(text.trim())?.[1];
    if (name === undefined) return null;
    const result = await namedResult(name, session);
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
): Promise<{ readonly column: readonly Cell[] } | { readonly rows: readonly Row[] } | null> {
  const number = /^call_(\d+)$/.exec(name)?.[1];
  const call =
    number === undefined
      ? session.calls.find(({ handle }) => handle === name)
      : session.calls[Number(number) - 1];
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
    return JSON.parse(text);
  } catch {
    return null;
  }
}
