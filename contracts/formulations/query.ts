import { z } from 'zod';
import { cell } from '../catalog.ts';
import { domainPath } from '../paths.ts';
import { QUERY_VARIANTS } from '../query-tool.ts';
import { type CalledService, type FormulationContract, type Replayed, rowCount } from './contract.ts';

/** Response of the `query` tool. Its columns depend on the call, so they are named. */
export const queryAnswer = z.object({
  columns: z.array(z.string()),
  data: z.array(z.record(z.string(), cell)),
  row_count: z.number().int(),
  truncated: z.boolean(),
});

/** One tool for a whole domain: search, filters, aggregations and group-by as arguments. */
export const query: FormulationContract = {
  name: 'query',
  title: 'Query',
  summary: 'One tool that searches, filters, aggregates and groups any collection',
  calls: 'single',
  everyQuestion: false,
  variants: QUERY_VARIANTS,
  routeOf: ({ split, db }, tool) => ({
    method: 'POST',
    path: `${domainPath(split, db)}/query/${encodeURIComponent(tool)}`,
  }),
  requestOf: (service, call) => ({
    ...query.routeOf(service, call.name),
    query: [],
    body: call.arguments ?? {},
  }),
  /** Each call stands alone; the last one that was not refused gives the rows. */
  async replay(service: CalledService, calls, { send }) {
    let made: Replayed | null = null;
    const refusals: (string | null)[] = [];
    for (const call of calls) {
      const answer = await send(query.requestOf(service, call), call);
      refusals.push('failure' in answer ? answer.failure : null);
      if (!('failure' in answer)) made = readRows(answer.body);
    }
    const refused = refusals.find((refusal) => refusal !== null) ?? 'No call was made.';
    return { ...(made ?? noRows(refused)), refusals };
  },
  factsOf: (body) => ({ rows: rowCount(body, 'last'), handle: null }),
};

function readRows(answer: unknown): Replayed {
  const body = queryAnswer.parse(answer);
  if (body.truncated) {
    const failure = `The tool answered the first ${body.row_count} rows only.`;
    return { ...noRows(failure), body: answer, truncated: true };
  }
  const rows = body.data.map((row) => body.columns.map((name) => row[name] ?? null));
  return { ...noRows(''), rows, body: answer, failure: null };
}

function noRows(failure: string): Replayed {
  return { rows: null, body: null, failure, truncated: false, handles: [], refusals: [] };
}
