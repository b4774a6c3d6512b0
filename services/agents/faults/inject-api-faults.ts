import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formulation } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import { SERVED_FORMULATIONS } from '../../domain/formulations/registry.ts';
import type { Backend } from '../backend/backend.ts';
import { passedHeaders, sendAnswer } from '../backend/send-answer.ts';
import type { UnrecordedCall, UnrecordedCalls } from './unrecorded-calls.ts';

export interface ApiFaultOptions {
  readonly unrecorded: UnrecordedCalls;
  /** By domain. */
  readonly services: ReadonlyMap<string, Service>;
  /** Carries a call out behind the hook. */
  readonly backend: Backend;
  /** Whether a request comes from the run's own backend, which has injected faults already. */
  readonly isInternal: (request: FastifyRequest) => boolean;
}

/** Faults at the services' own addresses, and at no others: health, metrics, specs, pages and lists stay as they are. */
export function injectApiFaults(
  app: FastifyInstance,
  { unrecorded, services, backend, isInternal }: ApiFaultOptions,
): void {
  app.addHook('preHandler', async (request, reply) => {
    const call = isInternal(request) ? null : readCall(request, services);
    const fault = call && unrecorded.due(call);
    if (!fault) return;
    const { method, url: path } = request.raw as { method: 'GET' | 'POST'; url: string };
    const headers = passedHeaders(request);
    const body = method === 'POST' ? { body: JSON.stringify(request.body ?? {}) } : {};
    return sendAnswer(reply, await fault(() => backend.request({ method, path, headers, ...body }), headers));
  });
}

/** The call that a request is, or null when it is something else. */
function readCall(request: FastifyRequest, services: ReadonlyMap<string, Service>): UnrecordedCall | null {
  const { kind: configured } = request.routeOptions.config;
  if (configured !== undefined && WITHOUT_FORMULATION.has(configured))
    return readPlainCall(request, configured);
  const kind = formulation.safeParse(configured);
  if (!kind.success) return null;
  const { pathname, searchParams: query } = new URL(request.url, 'http://farm');
  const { split, db } = request.params as { readonly split: string; readonly db: string };
  const path = pathname.split('/').slice(4).map(decodeURIComponent);
  const readBody = () => request.body ?? {};
  const service = services.get(db);
  // Tools of any share are served here.
  const served = service && withoutShares(service);
  const call = SERVED_FORMULATIONS[kind.data].readCall(served, { path, query, readBody });
  if (!call) return null;
  const toolset = `${split}/${db}/${kind.data}`;
  // Of an endpoint that there is not, the address tells one call from another.
  const args = call.name === null ? request.url : call.arguments();
  return { toolset, tool: call.name, arguments: args, view: call.view };
}

function withoutShares({ hidden: _, ...service }: Service): Service {
  return service;
}

/** Kinds of routes that carry out calls of no formulation: tables as APIs, scalar APIs, SQL. */
const WITHOUT_FORMULATION: ReadonlySet<string> = new Set(['tables', 'scalars', 'statements']);

/** A call whose address is `/v1/<split>/<db>/<kind>/<tool>`, or with a share in the place of the tool. */
function readPlainCall(request: FastifyRequest, kind: string): UnrecordedCall {
  const { split, db, ...rest } = request.params as Readonly<Record<string, string>>;
  const args = request.method === 'POST' ? (request.body ?? {}) : request.query;
  return {
    toolset: `${split}/${db}/${kind}`,
    tool: Object.values(rest)[0] ?? null,
    arguments: args,
    view: '',
  };
}
