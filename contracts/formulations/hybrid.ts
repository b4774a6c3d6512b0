import { z } from 'zod';
import { cell } from '../catalog.ts';
import { printShare } from '../hybrid.ts';
import { domainPath } from '../paths.ts';
import { HYBRID_VARIANTS } from '../toolset-options.ts';
import { type CalledService, type FormulationContract, type Replayed, rowCount } from './contract.ts';

/** The tool that reads hidden tables as if they were visible. */
export const RUN_SQL = 'run_sql';
/** The tool that sees visible tables only. */
export const EXECUTE_SQL = 'execute_sql';
/** The tool of a hidden table is called so and its API's name. */
export const GET_TABLE = 'get_';

/** The share of a domain that hides none of its tables. */
export const NOTHING_HIDDEN = { share: 0, seed: 0 };

/** What the answers of all its tools have; one of a table names its columns by its rows alone. */
const hybridAnswer = z.object({
  columns: z.array(z.string()).optional(),
  data: z.array(z.record(z.string(), cell)),
  row_count: z.number().int(),
  truncated: z.boolean(),
});

/** Tables of which a share is behind APIs: SQL over the rest, and SQL over both. */
export const hybrid: FormulationContract = {
  name: 'hybrid',
  title: 'Hybrid',
  summary: 'SQL over some tables of a domain, APIs for the others, and SQL over both',
  calls: 'single',
  everyQuestion: false,
  variants: HYBRID_VARIANTS,
  routeOf: ({ split, db, hidden: [share = NOTHING_HIDDEN] = [] }, tool) => ({
    method: 'POST',
    path: `${domainPath(split, db)}/hybrid/${printShare(share)}/${encodeURIComponent(tool)}`,
  }),
  requestOf: (service, call) => ({
    ...hybrid.routeOf(service, call.name),
    query: [],
    body: call.arguments ?? {},
  }),
  /** Calls one by one; the last that was not refused gives the rows. */
  async replay(service: CalledService, calls, { send }) {
    let made: Replayed | null = null;
    const refusals: (string | null)[] = [];
    for (const call of calls) {
      const answer = await send(hybrid.requestOf(service, call), call);
      refusals.push('failure' in answer ? answer.failure : null);
      if (!('failure' in answer)) made = readRows(answer.body);
    }
    const refused = refusals.find((refusal) => refusal !== null) ?? 'No call was made.';
    return { ...(made ?? noRows(refused)), refusals };
  },
  factsOf: (body) => ({ rows: rowCount(body, 'last'), handle: null }),
};

function readRows(answer: unknown): Replayed {
  const body = hybridAnswer.parse(answer);
  if (body.truncated) {
    const failure = `The tool answered the first ${body.row_count} rows only.`;
    return { ...noRows(failure), body: answer, truncated: true };
  }
  const columns = body.columns ?? Object.keys(body.data[0] ?? {});
  const rows = body.data.map((row) => columns.map((name) => row[name] ?? null));
  return { ...noRows(''), rows, body: answer, failure: null };
}

function noRows(failure: string): Replayed {
  return { rows: null, body: null, failure, truncated: false, handles: [], refusals: [] };
}
