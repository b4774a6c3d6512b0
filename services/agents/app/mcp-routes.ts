import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import { listOptions } from '../../../contracts/list-options.ts';
import { several } from '../../../contracts/query-fields.ts';
import { checked } from '../../base/http/checked.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { McpSessions, refuse } from '../mcp/mcp-sessions.ts';
import type { Surface } from '../surface/surface.ts';
import type { AgentContext } from './agent-context.ts';
import { domainSubject, findList, findRun } from './find-surface.ts';
import { listSurface } from './list-surface.ts';

const domainQuery = listOptions.extend({ start_table: several.default([]) });

/**
 * MCP over streamable HTTP: `/mcp/<db>/<formulation>`, `/mcp/tasks/<sample_id>` (both with the options of a list of
 * tools as query), `/lists/<address>/mcp` and `/runs/<id>/mcp`. What follows `mcp` below a list or run makes no
 * difference, so that an agent's usual address works there too.
 */
export function mcpRoutes(app: FastifyInstance, context: AgentContext): void {
  const sessions = new McpSessions();
  // Before calls under way are waited for: a stream would never end by itself.
  app.addHook('preClose', async () => sessions.endStreams());
  app.addHook('onClose', () => sessions.close());

  const serve = (url: string, find: (request: FastifyRequest) => Surface) =>
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url,
      config: { kind: 'mcp' },
      handler: (request, reply) => handle(sessions, find, request, reply),
    });

  serve('/mcp/:db/:formulation', (request) => {
    const { start_table, ...options } = checked(domainQuery, request.query);
    return listSurface(context, { subject: domainSubject(request, start_table), options });
  });
  serve('/mcp/tasks/*', (request) => {
    const { '*': task } = request.params as { '*': string };
    return listSurface(context, { subject: { task }, options: checked(listOptions, request.query) });
  });
  for (const rest of ['', '/*']) {
    serve(`/lists/:list/mcp${rest}`, (request) => findList(context, request));
    serve(`/runs/:run/mcp${rest}`, (request) => findRun(context, request));
  }
}

async function handle(
  sessions: McpSessions,
  find: (request: FastifyRequest) => Surface,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  requireOwnOrigin(request);
  const body = readBody(request);
  // Before the answer is taken out of fastify's hands: what is wrong with the address is a problem as anywhere.
  const surface = request.headers['mcp-session-id'] === undefined ? find(request) : undefined;
  reply.hijack();
  reply.raw.setHeader('x-request-id', request.id);
  if (body === undefined) refuse(reply.raw, 400, -32700, 'Parse error: the body is not JSON');
  else await sessions.handle(request.url, () => surface ?? find(request), request.raw, reply.raw, body.value);
  return reply;
}

const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** A page of another site may not use a server that its visitor can reach: what the protocol asks of servers. */
function requireOwnOrigin({ headers }: FastifyRequest): void {
  const { origin, host } = headers;
  if (origin === undefined) return;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  if (from && (from.host === host || OWN_HOSTS.includes(from.hostname))) return;
  throw new HttpProblem('FOREIGN_ORIGIN', `Requests from pages of ${origin.slice(0, 80)} are not answered`);
}

/** undefined for a text that is not JSON; a value of undefined for no body at all. */
function readBody({ body }: FastifyRequest): { readonly value: unknown } | undefined {
  if (typeof body !== 'string') return { value: undefined };
  try {
    return { value: parseExactJson(body) };
  } catch {
    return undefined;
  }
}
