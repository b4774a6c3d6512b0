import { domainPath } from '../domain-path.ts';
import type { Call } from '../sample.ts';
import { type Endpoint, restAnswer } from '../service.ts';
import { rowCount } from './answer-facts.ts';
import type { CalledService, FormulationContract } from './formulation-contract.ts';
import type { Replayed } from './replay.ts';

/** One GET endpoint for each distinct query template of a domain. */
export const rest: FormulationContract = {
  name: 'rest',
  title: 'REST',
  summary: 'One endpoint for each kind of question',
  calls: 'single',
  requestOf(service, call) {
    const endpoint = findEndpoint(service, call.name);
    // The service reports unknown names.
    const unknown = `${domainPath(service.split, service.db)}/${encodeURIComponent(call.name)}`;
    const path = call.path ?? endpoint?.path ?? unknown;
    const query = Object.entries(call.arguments ?? {}).flatMap(([name, value]) =>
      [value].flat().flatMap((item) => (item === null || item === undefined ? [] : [[name, item] as const])),
    );
    return { method: 'GET', path, query };
  },
  /** Calls one by one; the last that was not refused gives the rows. */
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
  // The envelope's count comes after all rows, which may have a column of this name.
  factsOf: (body) => ({ rows: rowCount(body, 'last'), handle: null }),
};

function findEndpoint({ endpoints }: CalledService, operationId: string): Endpoint | undefined {
  return endpoints.find((endpoint) => endpoint.operation_id === operationId);
}

function readRows(answer: unknown, { name }: Call, { columns }: Endpoint): Replayed {
  const body = restAnswer.parse(answer);
  if (body.truncated) {
    return { ...noRows(`${name} answered the first ${body.row_count} rows only.`), body, truncated: true };
  }
  // By name: an object's own order puts keys that look like numbers first.
  const rows = body.data.map((row) => columns.map((column) => row[column.name] ?? null));
  return { rows, body, failure: null, truncated: false, handles: [], refusals: [] };
}

function noRows(failure: string): Replayed {
  return { rows: null, body: null, failure, truncated: false, handles: [], refusals: [] };
}
