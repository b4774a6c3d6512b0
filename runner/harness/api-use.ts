import { z } from 'zod';
import type { ApiUse } from '../../contracts/api-use.ts';
import { EXECUTE_SQL, RUN_SQL } from '../../contracts/formulations/hybrid.ts';
import type { MadeCall } from '../attempt/tool-session.ts';
import type { RunTask } from '../categories/composition.ts';

const planned = z.object({
  plan: z.array(z.object({ pages: z.number() })),
  calls: z.number(),
  rows_moved: z.number(),
});
const answered = z.object({ row_count: z.number() });
const refused = z.object({ code: z.string(), detail: z.string().default('') });

/** Arguments that are no data. */
const PAGING: ReadonlySet<string> = new Set(['limit', 'offset', 'kind', 'unit']);

/** What the calls of an attempt at a `hybrid` task took of APIs; `nameOf` gives a tool's name at the farm. */
export function apiUseOf(
  { question, evidence }: Pick<RunTask, 'question' | 'evidence'>,
  made: readonly MadeCall[],
  nameOf: (name: string) => string,
): ApiUse {
  const use = { calls: 0, pages: 0, rows: 0, invented: 0, misrouted: 0, unbound: 0 };
  let told = `${question}\n${evidence ?? ''}`.toLowerCase();
  for (const call of made) {
    const name = nameOf(call.name);
    const isApi = name !== RUN_SQL && name !== EXECUTE_SQL;
    const body = parse(call.text);
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
      use.invented += valuesIn(parse(call.arguments)).filter((value) => !told.includes(value)).length;
    told += `\n${call.text.toLowerCase()}`;
  }
  return use;
}

/** Texts and numbers in arguments, as an answer would have them. */
function valuesIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [escaped(value.toLowerCase())];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (PAGING.has(key) ? [] : valuesIn(inner)));
}

/** As it stands inside a JSON text. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
