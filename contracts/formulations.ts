import { z } from 'zod';
import {
  type AnswerFacts,
  type CalledService,
  type FormulationContract,
  type ReplayContext,
  type Replayed,
  rowCount,
} from './formulation.ts';
import { printShare } from './hybrid.ts';
import { domainPath, fillPath, pathParameters } from './paths.ts';
import { QUERY_VARIANTS } from './query-tool.ts';
import { actions, changesRecords, records } from './records.ts';
import { type Call, type Formulation, formulation } from './sample.ts';
import { type Endpoint, restAnswer } from './service.ts';
import type { Question } from './split.ts';
import { sel, slot } from './tool-chain.ts';
import { HYBRID_VARIANTS } from './toolset-options.ts';

/** One GET endpoint for each distinct query template of a domain. */
export const rest: FormulationContract = {
  name: 'rest',
  title: 'REST',
  summary: 'One endpoint for each kind of question',
  calls: 'single',
  everyQuestion: true,
  routeOf(service, tool) {
    return { method: 'GET', path: findEndpoint(service, tool)?.path ?? plainPath(service, tool) };
  },
  requestOf(service, call) {
    const template = call.path ?? rest.routeOf(service, call.name).path;
    const args = Object.fromEntries(Object.entries(call.arguments ?? {}));
    const filled = fillPath(template, args);
    const inPath = new Set(filled === null ? [] : pathParameters(template));
    const query = Object.entries(args)
      .filter(([name]) => !inPath.has(name))
      .flatMap(([name, value]) =>
        [value]
          .flat()
          .flatMap((item) => (item === null || item === undefined ? [] : [[name, item] as const])),
      );
    // A value that does not fit into the path goes to the plain path; the service accepts all parameters in
    // the query string and validates them.
    return { method: 'GET', path: filled ?? plainPath(service, template.split('/').at(-1) ?? ''), query };
  },
  async replay(service, calls, { send }) {
    const endpointOf = ({ name }: Call) => findEndpoint(service, name);
    return replaySingle(
      calls,
      async (call) =>
        endpointOf(call)
          ? await send(rest.requestOf(service, call), call)
          : { failure: `There is no tool ${call.name}.` },
      (body, call) => readRows(body, call, endpointOf(call) as Endpoint),
    );
  },
  factsOf: singleFacts,
};

/** The path that accepts all parameters in the query string; the service reports unknown names itself. */
function plainPath({ split, db }: CalledService, name: string): string {
  return `${domainPath(split, db)}/${encodeURIComponent(name)}`;
}

function findEndpoint({ endpoints }: CalledService, operationId: string): Endpoint | undefined {
  return endpoints.find((endpoint) => endpoint.operation_id === operationId);
}

function readRows(answer: unknown, { name }: Call, { columns }: Endpoint): Replayed {
  const body = restAnswer.parse(answer);
  if (body.truncated) {
    return { ...noRows(`${name} answered the first ${body.row_count} rows only.`), body, truncated: true };
  }
  // By name: objects reorder integer-like keys first.
  const rows = body.data.map((row) => columns.map((column) => row[column.name] ?? null));
  return { rows, body, failure: null, truncated: false, handles: [], refusals: [] };
}

/** The rows of an answer that comes with the names of its columns; a table API names them only in the rows. */
function readNamedRows(answer: unknown): Replayed {
  const body = hybridAnswer.parse(answer);
  if (body.truncated) {
    const failure = `The tool answered the first ${body.row_count} rows only.`;
    return { ...noRows(failure), body: answer, truncated: true };
  }
  const columns = body.columns ?? Object.keys(body.data[0] ?? {});
  const rows = body.data.map((row) => columns.map((name) => row[name] ?? null));
  return { ...noRows(''), rows, body: answer, failure: null };
}

/** Each call stands alone; the last one that was not refused gives the rows. */
async function replaySingle(
  calls: readonly Call[],
  send: (call: Call) => ReturnType<ReplayContext['send']>,
  read: (body: unknown, call: Call) => Replayed,
): Promise<Replayed> {
  let made: Replayed | null = null;
  const refusals: (string | null)[] = [];
  for (const call of calls) {
    const answer = await send(call);
    refusals.push('failure' in answer ? answer.failure : null);
    if (!('failure' in answer)) made = read(answer.body, call);
  }
  const refused = refusals.find((refusal) => refusal !== null) ?? 'No call was made.';
  const replayed = made ?? noRows(refused);
  const last = refusals.lastIndexOf(null);
  const rowsIf = (at: readonly number[], body: unknown) =>
    at.includes(last) ? read(body, calls[last] as Call).rows : replayed.rows;
  return { ...replayed, rowsIf, refusals };
}

/** The envelope's count comes after all rows, which may have a column called `row_count`. */
function singleFacts(body: string): AnswerFacts {
  return { rows: rowCount(body, 'last'), handle: null };
}

function noRows(failure: string): Replayed {
  return { rows: null, body: null, failure, truncated: false, handles: [], refusals: [] };
}

/** Response of the `query` tool. Its columns depend on the call, so they are named. */
export const queryAnswer = z.object({ columns: z.array(z.string()), ...restAnswer.shape });

/** Calls that are POSTs at the address of a tool, each answered with rows. */
function postedCalls(
  pathOf: (service: CalledService, tool: string) => string,
): Pick<FormulationContract, 'calls' | 'everyQuestion' | 'routeOf' | 'requestOf' | 'replay' | 'factsOf'> {
  const routeOf = (service: CalledService, tool: string) =>
    ({ method: 'POST', path: pathOf(service, tool) }) as const;
  const requestOf = (service: CalledService, call: Call) => ({
    ...routeOf(service, call.name),
    query: [],
    body: call.arguments ?? {},
  });
  return {
    calls: 'single',
    everyQuestion: false,
    routeOf,
    requestOf,
    replay: (service, calls, { send }) =>
      replaySingle(calls, (call) => send(requestOf(service, call), call), readNamedRows),
    factsOf: singleFacts,
  };
}

/** One tool for a whole domain: search, filters, aggregations and group-by as arguments. */
export const query: FormulationContract = {
  name: 'query',
  title: 'Query',
  summary: 'One tool that searches, filters, aggregates and groups any collection',
  variants: QUERY_VARIANTS,
  ...postedCalls(({ split, db }, tool) => `${domainPath(split, db)}/query/${encodeURIComponent(tool)}`),
};

/** The tool that runs SQL over visible and hidden tables. */
export const RUN_SQL = 'run_sql';
/** The tool that runs SQL over visible tables only. */
export const EXECUTE_SQL = 'execute_sql';
/** Prefix of the tools that read a hidden table; the name of its API follows. */
export const GET_TABLE = 'get_';

/** The share at which no table is hidden. */
export const NOTHING_HIDDEN = { share: 0, seed: 0 };

const hybridAnswer = queryAnswer.partial({ columns: true });

/** A share of the tables is behind APIs: SQL over the rest, and SQL over both. */
export const hybrid: FormulationContract = {
  name: 'hybrid',
  title: 'Hybrid',
  summary: 'SQL over some tables of a domain, APIs for the others, and SQL over both',
  variants: HYBRID_VARIANTS,
  ...postedCalls(
    ({ split, db, hidden: [share = NOTHING_HIDDEN] = [] }, tool) =>
      `${domainPath(split, db)}/hybrid/${printShare(share)}/${encodeURIComponent(tool)}`,
  ),
};

export const FORMULATIONS: Readonly<Record<Formulation, FormulationContract>> = {
  rest,
  slot,
  sel,
  query,
  hybrid,
  records,
  actions,
};

/** The formulations that apply to a question: just one if it comes with a gold call, or if its SQL changes rows. */
export function formulationsOf(
  question: Pick<Question, 'query_arguments' | 'sql' | 'holding'>,
): readonly Formulation[] {
  if (isOfRecords(question)) return ['records'];
  return question.query_arguments ? ['query'] : OF_EVERY_QUESTION;
}

/** Whether a question changes records, or is a turn of a dialogue that does. */
export function isOfRecords({ sql, holding }: Pick<Question, 'sql' | 'holding'>): boolean {
  return holding !== undefined || changesRecords(sql);
}

/** The formulations that apply to every question. */
export const OF_EVERY_QUESTION: readonly Formulation[] = formulation.options.filter(
  (kind) => FORMULATIONS[kind].everyQuestion,
);
