import type { LightMyRequestResponse } from 'fastify';
import { QueryError } from '../../../contracts/errors.ts';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import type { Call } from '../../../contracts/sample.ts';
import { type Endpoint, restAnswer } from '../../../contracts/service.ts';
import type { Played } from './play.ts';

/** An app that takes requests: without a network by fastify's `inject`, or whatever else answers like it. */
export interface InjectableApp {
  inject(request: { method: 'GET' | 'POST'; url: string; payload?: object }): Promise<InjectedAnswer>;
}

export type InjectedAnswer = Pick<LightMyRequestResponse, 'statusCode' | 'body'>;

/**
 * Sends a REST call as an agent would: GET, the arguments as the query string, lists as repeated parameters.
 * Throws QueryError CALL_FAILED for any answer but 200, SQL_TOO_LARGE for one cut by a cap.
 */
export async function playRest(app: InjectableApp, call: Call, endpoint: Endpoint): Promise<Played> {
  const url = `${call.path ?? endpoint.path}${queryString(call.arguments)}`;
  const response = await app.inject({ method: 'GET', url });
  if (response.statusCode !== 200) throw callFailed(call, response);
  const body = restAnswer.parse(parseExactJson(response.body));
  if (body.truncated) {
    throw new QueryError('SQL_TOO_LARGE', `one answer holds ${body.row_count} of the rows`);
  }
  return { body, rows: body.data.map((row) => endpoint.columns.map(({ name }) => row[name] ?? null)) };
}

/** What an unsuccessful answer says of itself. */
export function callFailed(call: Call, response: InjectedAnswer): QueryError {
  let said = '';
  try {
    const problem = JSON.parse(response.body) as { code?: unknown; detail?: unknown };
    said = ` ${problem.code}: ${problem.detail}`;
  } catch {
    // Not JSON: the status says it all.
  }
  return new QueryError('CALL_FAILED', `${call.name} was answered with ${response.statusCode}${said}`);
}

function queryString(args: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
