import { z } from 'zod';
import { cell } from '../catalog.ts';
import { printShare } from '../hybrid.ts';
import { domainPath } from '../paths.ts';
import { HYBRID_VARIANTS } from '../toolset-options.ts';
import { type CalledService, type FormulationContract, type Replayed, rowCount } from './contract.ts';

/** The tool that runs SQL over visible and hidden tables. */
export const RUN_SQL = 'run_sql';
/** The tool that runs SQL over visible tables only. */
export const EXECUTE_SQL = 'execute_sql';
/** Prefix of the tools that read a hidden table; the name of its API follows. */
export const GET_TABLE = 'get_';

/** The share at which no table is hidden. */
export const NOTHING_HIDDEN = { share: 0, seed: 0 };

/** The fields common to the answers of all its tools; a table API names its columns only in the rows. */
const hybridAnswer = z.object({
  columns: z.array(z.string()).optional(),
  data: z.array(z.record(z.string(), cell)),
  row_count: z.number().int(),
  truncated: z.boolean(),
});

/** A share of the tables is behind APIs: SQL over the rest, and SQL over both. */
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
  /** Each call stands alone; the last one that was not refused gives the rows. */
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
