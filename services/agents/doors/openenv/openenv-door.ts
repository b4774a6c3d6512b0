import type { FastifyRequest } from 'fastify';
import type { WebSocketServer } from 'ws';
import { z } from 'zod';
import { packageVersion } from '../../../../contracts/package-root.ts';
import { writeJson } from '../../../base/http/json-text.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import type { TypedApp } from '../../../base/http/typed-routes.ts';
import { takeConnection } from '../../../base/http/upgrades.ts';
import { DEFAULT_LIMITS } from '../../../base/limits.ts';
import { passedHeaders } from '../../backend/send-answer.ts';
import type { Episodes } from '../episodes.ts';
import { type Player, reset, stateOf, step } from './environment.ts';
import { answerRpc } from './json-rpc.ts';
import {
  action,
  callObservation,
  health,
  metadata,
  observed,
  resetRequest,
  schemas,
  state,
  stepRequest,
  toolsObservation,
} from './openenv-messages.ts';
import { playSocket } from './socket.ts';

const config = { kind: 'doors' };
/** By the id of an episode, which is its agent's key. */
const ofEpisode = { kind: 'doors', plane: 'agent' } as const;
const hide = true;

/**
 * OpenEnv: an environment whose actions call tools. Over `/ws` a connection has its episode; over HTTP an episode is named
 * by the `episode_id` that `reset` observes.
 */
export function openenvAdapter(app: TypedApp, episodes: Episodes): void {
  const at = (path: string) => `/doors/openenv${path}`;
  // Numbers keep the digits that they came with.
  const serializerCompiler = () => writeJson;

  app.get(
    at('/health'),
    { config: { ...config, open: 'counted' }, schema: { hide, response: { 200: health } } },
    () => ({ status: 'healthy' as const }),
  );
  app.get(at('/metadata'), { config, schema: { hide, response: { 200: metadata } } }, () => ({
    name: 'rookery',
    description: 'Questions over live APIs: tools are called until submit_answer ends the episode.',
    readme_content: null,
    version: packageVersion,
    author: null,
    documentation_url: null,
  }));
  app.get(at('/schema'), { config, schema: { hide, response: { 200: schemas } } }, () => ({
    action: z.toJSONSchema(action, { io: 'input' }),
    observation: z.toJSONSchema(z.union([callObservation, toolsObservation])),
    state: z.toJSONSchema(state),
  }));
  app.get(at('/openapi.json'), { config, schema: { hide } }, () => openapi());
  app.post(
    at('/reset'),
    {
      config: { ...config, begins: true },
      serializerCompiler,
      schema: { hide, body: resetRequest, response: { 200: observed } },
    },
    async (request) => (await reset(episodes, request.body, playerOf(request))).observed,
  );
  app.post(
    at('/step'),
    {
      config: { ...ofEpisode, runIn: episodeIn },
      serializerCompiler,
      schema: { hide, body: stepRequest, response: { 200: observed } },
    },
    (request) => step(episodes, request.body.episode_id, request.body.action, playerOf(request)),
  );
  app.get(
    at('/state'),
    {
      config: ofEpisode,
      schema: { hide, querystring: z.strictObject({ episode_id: z.string() }), response: { 200: state } },
    },
    (request) => stateOf(episodes, request.query.episode_id),
  );
  app.post(
    at('/mcp'),
    { config: { ...config, runIn: sessionIn }, serializerCompiler, schema: { hide } },
    (request) => answerRpc(episodes, request.body, playerOf(request)),
  );

  let sockets: WebSocketServer | undefined;
  app.get(at('/ws'), { config, schema: { hide } }, async (request, reply) => {
    const player = playerOf(request);
    // Loaded for the first that connects: most servers never see one.
    const ws = await import('ws');
    const connection = takeConnection(reply);
    if (!connection) throw new HttpProblem('BAD_REQUEST', 'Only WebSockets connect here');
    sockets ??= new ws.WebSocketServer({ noServer: true, maxPayload: DEFAULT_LIMITS.maxBodyBytes });
    sockets.handleUpgrade(connection.request, connection.socket, connection.head, (socket) =>
      playSocket(socket, episodes, player),
    );
    return reply;
  });
  app.addHook('preClose', async () => {
    for (const socket of sockets?.clients ?? []) socket.terminate();
  });
}

const withEpisode = z.object({ episode_id: z.string() });
const withSession = z.object({ params: z.object({ session_id: z.string() }) });

function episodeIn(body: unknown): string | undefined {
  return withEpisode.safeParse(body).data?.episode_id;
}

function sessionIn(body: unknown): string | undefined {
  return withSession.safeParse(body).data?.params.session_id;
}

function playerOf(request: FastifyRequest): Player {
  return { isHarness: request.isHarness, headers: passedHeaders(request) };
}

/** Enough for clients that look which addresses there are. */
function openapi() {
  const answer = { responses: { 200: { description: 'As OpenEnv says.' } } };
  return {
    openapi: '3.1.0',
    info: { title: 'rookery', version: packageVersion },
    paths: {
      '/health': { get: answer },
      '/metadata': { get: answer },
      '/schema': { get: answer },
      '/reset': { post: answer },
      '/step': { post: answer },
      '/state': { get: answer },
      '/mcp': { post: answer },
    },
  };
}
