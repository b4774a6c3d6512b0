import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseExactJson } from '../../contracts/exact-json.ts';
import { shareText } from '../../contracts/hybrid.ts';
import { DEFAULT_FORMULATION, formulation } from '../../contracts/sample.ts';
import { listOptions, several } from '../../contracts/toolset-options.ts';
import { callerName, callerOfRequest, onBehalfOf } from '../base/http/caller.ts';
import { HttpProblem } from '../base/http/problem.ts';
import { guardGold } from '../base/http/roles.ts';
import type { TypedApp } from '../base/http/typed-routes.ts';
import { type AgentContext, findList, findRun, listSession } from './agent-context.ts';
import { headOf, McpSessions, refusal, StatelessMcp } from './mcp/mcp-transports.ts';
import { sessionParams } from './session-routes.ts';
import type { AgentSession } from './toolsets/call-tool.ts';

const domainQuery = listOptions.extend({ start_table: several.default([]), share: shareText.optional() });
const codeQuery = domainQuery.omit({ via: true }).extend({ over: formulation.default(DEFAULT_FORMULATION) });
const domainParams = z.object({ db: z.string(), formulation });
const taskParams = z.object({ '*': z.string() });

interface Eras {
  readonly sessions: McpSessions;
  readonly stateless: StatelessMcp;
}

/**
 * MCP over streamable HTTP: `/mcp/<db>/<formulation>`, `/mcp/<db>/code`, `/mcp/tasks/<sample_id>` (all three with a tool
 * list's options as query), `/lists/<address>/mcp` and `/runs/<id>/mcp`. Any path below `mcp` of a list or run works too,
 * so an agent's usual address does.
 */
export function mcpRoutes(app: TypedApp, context: AgentContext): void {
  const eras: Eras = {
    sessions: new McpSessions(context.runs?.store.kept.isShared ?? false),
    stateless: new StatelessMcp(),
  };
  // Must run before Fastify waits for open requests: a stream never ends by itself.
  app.addHook('preClose', async () => {
    eras.sessions.endStreams();
    await eras.stateless.endStreams();
  });
  app.addHook('onClose', () => eras.sessions.close());
  const config = { kind: 'mcp' };
  const ofRun = { ...config, plane: 'agent' } as const;
  const methods = {
    method: ['GET', 'POST', 'DELETE'] as ('GET' | 'POST' | 'DELETE')[],
    // A stream never ends, so it has no HEAD.
    exposeHeadRoute: false,
  };

  app.route({
    ...methods,
    url: '/mcp/:db/:formulation',
    config,
    schema: {
      ...described('mcp_domain', 'the tools of a domain'),
      params: domainParams,
      querystring: domainQuery,
    },
    handler: (request, reply) =>
      handle(eras, request, reply, () => {
        const { start_table, share, ...options } = request.query;
        const at = share === undefined ? {} : { share };
        const subject = { ...request.params, start_tables: start_table, ...at };
        return listSession(context, { subject, options });
      }),
  });
  app.route({
    ...methods,
    url: '/mcp/:db/code',
    config,
    schema: {
      ...described('mcp_code', 'programs over a domain, of the functions of one formulation'),
      params: z.object({ db: z.string() }),
      querystring: codeQuery,
    },
    handler: (request, reply) =>
      handle(eras, request, reply, () => {
        const { over, start_table, share: _, ...options } = request.query;
        const subject = { ...request.params, formulation: over, start_tables: start_table };
        return listSession(context, { subject, options: { ...options, via: 'code' } });
      }),
  });
  app.route({
    ...methods,
    url: '/mcp/tasks/*',
    config,
    schema: { hide: true, params: taskParams, querystring: listOptions },
    handler: (request, reply) =>
      handle(eras, request, reply, () => {
        const address = { subject: { task: request.params['*'] }, options: request.query };
        guardGold(request, address);
        return listSession(context, address);
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
        ...methods,
        url: `/${kind}/:id/mcp${rest}`,
        config: kind === 'runs' ? ofRun : config,
        schema: { ...schema, params: sessionParams },
        handler: (request, reply) =>
          handle(eras, request, reply, () => find(context, request.params.id, request)),
      });
    }
  }
}

function described(operationId: string, what: string) {
  return { operationId, tags: ['mcp'], summary: `MCP over streamable HTTP: ${what}.` };
}

async function handle(
  eras: Eras,
  request: Pick<FastifyRequest, 'headers' | 'method' | 'body' | 'id' | 'ip' | 'server' | 'url' | 'raw'>,
  reply: FastifyReply,
  find: () => AgentSession | Promise<AgentSession>,
): Promise<FastifyReply> {
  requireOwnOrigin(request);
  const body = readBody(request);
  if (body === undefined) return reply.send(refusal(400, -32700, 'Parse error: the body is not JSON'));
  const { isLegacyRequest } = await import('@modelcontextprotocol/server');
  const { signal } = callerOfRequest(request, reply);
  const head = headOf(request, signal);
  const era = (await isLegacyRequest(head, body.value)) ? eras.sessions : eras.stateless;
  const address = request.url;
  const ask = () => era.handle({ head, body: body.value, address, owner: ownerOf(request), find });
  return reply.send(opened(await (signal ? onBehalfOf(signal, ask) : ask())));
}

/** Starts a stream with a comment: its head is sent with its first bytes, and the reader waits for the head. */
function opened(answer: Response): Response {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const comment = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(': open\n\n')),
  });
  return new Response(answer.body?.pipeThrough(comment) ?? null, answer);
}

/** Sessions and streams of a run count for the run, wherever its agent calls from. */
function ownerOf(request: Pick<FastifyRequest, 'headers' | 'ip' | 'server' | 'url' | 'raw'>): string {
  return /^\/runs\/\w+/.exec(request.url)?.[0] ?? callerName(request);
}

const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Rejects pages of other sites, as the protocol requires. On the visitor's own machine, DNS rebinding can point the
 * page's name here, so only loopback names are accepted there, unless the server is behind a gateway, whose name can
 * be anything.
 */
function requireOwnOrigin(request: Pick<FastifyRequest, 'headers' | 'ip' | 'server' | 'raw'>): void {
  const { origin, host } = request.headers;
  if (origin === undefined) return;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  if (from && (OWN_HOSTS.includes(from.hostname) || request.server.isAllowedOrigin?.(origin))) return;
  const mayBeRebound = request.server.facesCallers === true && /^(127\.|::1$|::ffff:127\.)/.test(request.ip);
  if (from?.host === host && !mayBeRebound) return;
  throw new HttpProblem('FOREIGN_ORIGIN', `Requests from pages of ${origin.slice(0, 80)} are not answered`);
}

/** undefined for text that is not JSON; a value of undefined for an empty body. */
function readBody({ body }: Pick<FastifyRequest, 'body'>): { readonly value: unknown } | undefined {
  if (typeof body !== 'string') return { value: undefined };
  try {
    return { value: parseExactJson(body) };
  } catch {
    return undefined;
  }
}
