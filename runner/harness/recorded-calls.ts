import { z } from 'zod';
import { EXECUTE_SQL, RUN_SQL } from '../../contracts/formulations.ts';
import type { ApiUse } from '../../contracts/hybrid.ts';
import { SEARCH_DOCS } from '../../contracts/sdk.ts';
import { CALL_TOOL, SEARCH_DOCUMENTS, SEARCH_TOOLS, unwrapCall } from '../../contracts/toolset-options.ts';
import { parseLenient } from '../../eval/parse/lenient.ts';
import { tryParse } from '../attempt/read-json.ts';
import { type MadeCall, readArguments, writeJson } from '../attempt/tool-session.ts';
import type { RunTask } from '../categories/composition.ts';
import { type OfferedTools, renameArguments } from './offered-tools.ts';

/**
 * Calls of a run as recorded in a prediction: under real names, labelled by the returned handle so that they
 * can be replayed. Searches are omitted, as are calls whose response was lost to an injected fault:
 * repeating them was right. A call with invalid JSON arguments is kept as written and counts as malformed.
 */
export function predictionCalls(made: readonly MadeCall[], { real, viaSearch }: OfferedTools): unknown[] {
  return made
    .filter(({ fault, ok }) => fault === null || fault === 'latency' || ok)
    .filter(
      ({ name }) => name !== SEARCH_DOCUMENTS && !(viaSearch && [SEARCH_TOOLS, SEARCH_DOCS].includes(name)),
    )
    .map((call) => (viaSearch && call.name === CALL_TOOL ? { ...call, ...calledByName(call) } : call))
    .map(({ name, arguments: text, handle }) => {
      const shown = real.get(name);
      // If names are hidden, a real name was not offered either, and counts as invented.
      const called = shown?.name ?? (real.size === 0 ? name : `not_offered:${name}`);
      const args = readArguments(text);
      const label = handle === null ? {} : { label: handle, handle };
      if (args === undefined) return { name: called, arguments: text };
      const given = shown === undefined ? args : renameArguments(args, shown.args);
      return { name: called, arguments: given, ...label };
    });
}

/** The call inside a call of `call_tool`; the call itself if there is none. */
function calledByName({ name, arguments: text }: MadeCall): Pick<MadeCall, 'name' | 'arguments'> {
  const inner = unwrapCall(readArguments(text));
  return inner === null
    ? { name, arguments: text }
    : { name: inner.name, arguments: writeJson(inner.arguments) };
}

/** Calls written as text under hidden names, as recorded in a prediction; null if there are none. */
export function revealedCalls(rawOutput: string, { real }: OfferedTools): unknown[] | null {
  if (real.size === 0) return null;
  const parsed = parseLenient(rawOutput);
  if (parsed === null) return null;
  return parsed.calls.map((call) => {
    if ('malformed' in call) return call.malformed;
    const shown = real.get(call.name);
    const label = call.label === null ? {} : { label: call.label };
    if (shown === undefined) return { name: `not_offered:${call.name}`, arguments: call.arguments, ...label };
    return { name: shown.name, arguments: renameArguments(call.arguments, shown.args), ...label };
  });
}

const planned = z.object({
  plan: z.array(z.object({ pages: z.number() })),
  calls: z.number(),
  rows_moved: z.number(),
});
const answered = z.object({ row_count: z.number() });
const refused = z.object({ code: z.string(), detail: z.string().default('') });

/** Arguments that are not data. */
const PAGING: ReadonlySet<string> = new Set(['limit', 'offset', 'kind', 'unit']);

/** API use of an attempt at a `hybrid` task; `nameOf` maps to a tool's real name. */
export function apiUseOf(
  { question, evidence }: Pick<RunTask, 'question' | 'evidence'>,
  made: readonly MadeCall[],
  nameOf: (name: string) => string,
): ApiUse {
  const use = { calls: 0, pages: 0, rows: 0, invented: 0, misrouted: 0, unbound: 0 };
  let known = `${question}\n${evidence ?? ''}`.toLowerCase();
  for (const call of made) {
    const name = nameOf(call.name);
    const isApi = name !== RUN_SQL && name !== EXECUTE_SQL;
    const body = tryParse(call.text, JSON.parse);
    if (!call.ok) {
      const { code, detail } = refused.safeParse(body).data ?? { code: '', detail: '' };
      if (code === 'UNBOUND_API_INPUT') use.unbound++;
      if (code === 'UNKNOWN_TOOL' || (name === EXECUTE_SQL && detail.includes('no table is called')))
        use.misrouted++;
    } else if (name === RUN_SQL) {
      const read = planned.safeParse(body);
      use.calls += read.data?.calls ?? 0;
      use.rows += read.data?.rows_moved ?? 0;
      use.pages += read.data?.plan.reduce((sum, { pages }) => sum + pages, 0) ?? 0;
    } else if (isApi) {
      use.calls++;
      use.pages++;
      use.rows += answered.safeParse(body).data?.row_count ?? 0;
    }
    if (isApi)
      use.invented += valuesIn(tryParse(call.arguments, JSON.parse)).filter(
        (value) => !known.includes(value),
      ).length;
    known += `\n${call.text.toLowerCase()}`;
  }
  return use;
}

/** Texts and numbers in arguments, as an answer would spell them. */
function valuesIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [escaped(value.toLowerCase())];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (PAGING.has(key) ? [] : valuesIn(inner)));
}

/** As escaped in JSON text. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
