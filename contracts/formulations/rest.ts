import { domainPath, fillPath, pathParameters } from '../paths.ts';
import type { Call } from '../sample.ts';
import { type Endpoint, restAnswer } from '../service.ts';
import { type CalledService, type FormulationContract, type Replayed, rowCount } from './contract.ts';

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
  /** Each call stands alone; the last one that was not refused gives the rows. */
  async replay(service, calls, { send }) {
    let made: Replayed | null = null;
    const refusals: (string | null)[] = [];
    for (const call of calls) {
      const endpoint = findEndpoint(service, call.name);
      const answer = endpoint
        ? await send(rest.requestOf(service, call), call)
        : { failure: `There is no tool ${call.name}.` };
      refusals.push('failure' in answer ? answer.failure : null);
      if (!('failure' in answer) && endpoint) made = readRows(answer.body, call, endpoint);
    }
    const refused = refusals.find((refusal) => refusal !== null) ?? 'No call was made.';
    return { ...(made ?? noRows(refused)), refusals };
  },
  // The envelope's count comes after all rows, which may have a column called `row_count`.
  factsOf: (body) => ({ rows: rowCount(body, 'last'), handle: null }),
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

function noRows(failure: string): Replayed {
  return { rows: null, body: null, failure, truncated: false, handles: [], refusals: [] };
}
