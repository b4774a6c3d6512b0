import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import { listOptions } from '../../../contracts/list-options.ts';
import { several } from '../../../contracts/query-fields.ts';
import { formulation } from '../../../contracts/sample.ts';
import { callerOf } from '../../base/access/asker.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { TypedApp } from '../../base/http/typed-routes.ts';
import { McpSessions, refuse } from '../mcp/mcp-sessions.ts';
import { guardGold } from '../planes/guard-gold.ts';
import type { Surface } from '../surface/surface.ts';
import type { AgentContext } from './agent-context.ts';
import { findList, findRun } from './find-surface.ts';
import { listSurface } from './list-surface.ts';
import { surfaceParams } from './surface-routes.ts';

const domainQuery = listOptions.extend({ start_table: several.default([]) });
const domainParams = z.object({ db: z.string(), formulation });
const taskParams = z.object({ '*': z.string() });

/**
 * MCP over streamable HTTP: `/mcp/<db>/<formulation>`, `/mcp/tasks/<sample_id>` (both with the options of a list of
 * tools as query), `/lists/<address>/mcp` and `/runs/<id>/mcp`. What follows `mcp` below a list or run makes no
 * difference, so that an agent's usual address works there too.
 */
export function mcpRoutes(app: TypedApp, context: AgentContext): void {
  const sessions = new McpSessions();
  // Before calls under way are waited for: a stream would never end by itself.
  app.addHook('preClose', async () => sessions.endStreams());
  app.addHook('onClose', () => sessions.close());
  const config = { kind: 'mcp' };
  const ofRun = { ...config, plane: 'agent' } as const;
  const method: ('GET' | 'POST' | 'DELETE')[] = ['GET', 'POST', 'DELETE'];

  app.route({
    method,
    url: '/mcp/:db/:formulation',
    config,
    schema: {
      ...described('mcp_domain', 'the tools of a domain'),
      params: domainParams,
      querystring: domainQuery,
    },
    handler: (request, reply) =>
      handle(sessions, request, reply, () => {
        const { start_table, ...options } = request.query;
        return listSurface(context, { subject: { ...request.params, start_tables: start_table }, options });
      }),
  });
  app.route({
    method,
    url: '/mcp/tasks/*',
    config,
    schema: { hide: true, params: taskParams, querystring: listOptions },
    handler: (request, reply) =>
      handle(sessions, request, reply, () => {
        const address = { subject: { task: request.params['*'] }, options: request.query };
        guardGold(request, address);
        return listSurface(context, address);
      }),
  });
  for (const [kind, find] of [
    ['lists', findList],
    ['runs', findRun],
  ] as const) {
    for (const rest of ['', '/*']) {
      const schema =
        rest === '' ? described(`mcp_${kind}`, `the tools of one of the ${kind}`) : { hide: true };
      app.route({
        method,
        url: `/${kind}/:id/mcp${rest}`,
        config: kind === 'runs' ? ofRun : config,
        schema: { ...schema, params: surfaceParams },
        handler: (request, reply) =>
          handle(sessions, request, reply, () => find(context, request.params.id, request)),
      });
    }
  }
}

function described(operationId: string, what: string) {
  return { operationId, tags: ['mcp'], summary: `MCP over streamable HTTP: ${what}.` };
}

async function handle(
  sessions: McpSessions,
  request: Pick<FastifyRequest, 'headers' | 'body' | 'id' | 'ip' | 'server' | 'url' | 'raw'>,
  reply: Pick<FastifyReply, 'hijack' | 'raw'>,
  find: () => Surface,
): Promise<void> {
  requireOwnOrigin(request);
  const body = readBody(request);
  // Before the answer is taken out of fastify's hands: what is wrong with the address is a problem as anywhere.
  const surface = request.headers['mcp-session-id'] === undefined ? find() : undefined;
  reply.hijack();
  reply.raw.setHeader('x-request-id', request.id);
  if (body === undefined) refuse(reply.raw, 400, -32700, 'Parse error: the body is not JSON');
  else
    await sessions.handle(
      request.url,
      ownerOf(request),
      () => surface ?? find(),
      request.raw,
      reply.raw,
      body.value,
    );
}

/** A run has its sessions to itself, wherever its agent calls from. */
function ownerOf(request: Pick<FastifyRequest, 'headers' | 'ip' | 'server' | 'url' | 'raw'>): string {
  return /^\/runs\/\w+/.exec(request.url)?.[0] ?? callerOf(request);
}

const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** A page of another site may not use a server that its visitor can reach: what the protocol asks of servers. */
function requireOwnOrigin({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const { origin, host } = headers;
  if (origin === undefined) return;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  if (from && (from.host === host || OWN_HOSTS.includes(from.hostname))) return;
  throw new HttpProblem('FOREIGN_ORIGIN', `Requests from pages of ${origin.slice(0, 80)} are not answered`);
}

/** undefined for a text that is not JSON; a value of undefined for no body at all. */
function readBody({ body }: Pick<FastifyRequest, 'body'>): { readonly value: unknown } | undefined {
  if (typeof body !== 'string') return { value: undefined };
  try {
    return { value: parseExactJson(body) };
  } catch {
    return undefined;
  }
}
