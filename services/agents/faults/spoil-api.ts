import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Service } from '../../../contracts/service.ts';
import type { Backend } from '../backend/backend.ts';
import { passedHeaders, sendAnswer } from '../backend/send-answer.ts';
import { queryArguments } from '../calls/api-call.ts';
import type { LooseCall, LooseCalls } from './loose-calls.ts';

export interface SpoilOptions {
  readonly loose: LooseCalls;
  /** By domain. */
  readonly services: ReadonlyMap<string, Service>;
  /** Carries a call out behind the hook. */
  readonly backend: Backend;
  /** Whether a request is the backend's: whoever sent it has seen to faults already. */
  readonly isInternal: (request: FastifyRequest) => boolean;
}

/** Faults at the services' own addresses, and at no others: health, metrics, specs, pages and lists stay as they are. */
export function spoilApi(app: FastifyInstance, { loose, services, backend, isInternal }: SpoilOptions): void {
  app.addHook('preHandler', async (request, reply) => {
    const call = isInternal(request) ? null : readCall(request, services);
    const fault = call && loose.due(call);
    if (!fault) return;
    const { method, url: path } = request.raw as { method: 'GET' | 'POST'; url: string };
    const headers = passedHeaders(request);
    const body = method === 'POST' ? { body: JSON.stringify(request.body ?? {}) } : {};
    return sendAnswer(reply, await fault(() => backend.request({ method, path, headers, ...body })));
  });
}

interface ApiPath {
  readonly split: string;
  readonly db: string;
  readonly endpoint?: string;
  readonly tool?: string;
}

/** The call that a request is, or null when it is something else. */
function readCall(request: FastifyRequest, services: ReadonlyMap<string, Service>): LooseCall | null {
  const { kind } = request.routeOptions.config;
  const { split, db, endpoint: name, tool } = request.params as ApiPath;
  const query = new URL(request.url, 'http://farm').searchParams;
  if (kind === 'slot' || kind === 'sel') {
    const toolset = `${split}/${db}/${kind}`;
    return { toolset, tool: tool ?? null, arguments: request.body ?? {}, view: query.toString() };
  }
  if (kind !== 'rest') return null;
  const endpoint = services.get(db)?.endpoints.find((each) => each.name === name);
  return {
    toolset: `${split}/${db}/rest`,
    tool: endpoint?.operation_id ?? null,
    arguments: endpoint ? queryArguments(endpoint, query) : request.url,
    view: '',
  };
}
