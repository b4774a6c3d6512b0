import type { FastifyRequest } from 'fastify';
import type { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { runRequest } from '../../contracts/api.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import { taskSelection } from '../../contracts/task.ts';
import {
  type BackendAnswer,
  passedHeaders,
  problemCode,
  readProblem,
} from '../../services/agents/backend/backend.ts';
import { type Episodes, episodeRequest } from '../../services/agents/episodes.ts';
import { readJson, writeJson } from '../../services/base/http/json.ts';
import { takeConnection } from '../../services/base/http/listen.ts';
import { HttpProblem, invalidField } from '../../services/base/http/problem.ts';
import { guardBand } from '../../services/base/http/roles.ts';
import { checked, type TypedApp } from '../../services/base/http/typed-routes.ts';
import { DEFAULT_LIMITS } from '../../services/base/limits.ts';

const config = { kind: 'doors' };
/** Routes with an episode's id, which is the agent's key. */
const ofEpisode = { kind: 'doors', plane: 'agent' } as const;
const hide = true;

/**
 * OpenEnv: an environment whose actions call tools. Over `/ws` each connection has its episode; over HTTP the
 * `episode_id` in the observation of `reset` identifies it.
 */
export function routes(app: TypedApp, episodes: Episodes): void {
  // Keeps the digits of numbers.
  const serializerCompiler = () => writeJson;

  app.get('/health', { config: { ...config, open: 'counted' }, schema: { hide } }, () => ({
    status: 'healthy',
  }));
  app.get('/metadata', { config, schema: { hide } }, () => ({
    name: 'rookery',
    description: 'Questions over live APIs: tools are called until submit_answer ends the episode.',
    readme_content: null,
    version: packageVersion,
    author: null,
    documentation_url: null,
  }));
  app.get('/schema', { config, schema: { hide } }, () => ({
    action: z.toJSONSchema(action, { io: 'input' }),
    observation: z.toJSONSchema(z.union([callObservation, toolsObservation])),
    state: z.toJSONSchema(state),
  }));
  app.get('/openapi.json', { config, schema: { hide } }, () => openapi());
  app.post(
    '/reset',
    {
      config: { ...config, begins: true },
      serializerCompiler,
      schema: { hide, body: resetRequest, response: { 200: observed } },
    },
    async (request) => (await reset(episodes, request.body, playerOf(request))).observed,
  );
  app.post(
    '/step',
    {
      config: { ...ofEpisode, runIn: episodeIn },
      serializerCompiler,
      schema: { hide, body: stepRequest, response: { 200: observed } },
    },
    (request) => step(episodes, request.body.episode_id, request.body.action, playerOf(request)),
  );
  app.get(
    '/state',
    { config: ofEpisode, schema: { hide, querystring: z.strictObject({ episode_id: z.string() }) } },
    (request) => stateOf(episodes, request.query.episode_id),
  );
  app.post(
    '/mcp',
    { config: { ...config, runIn: sessionIn }, serializerCompiler, schema: { hide } },
    (request) => answerRpc(episodes, request.body, playerOf(request)),
  );

  let sockets: WebSocketServer | undefined;
  app.get('/ws', { config, schema: { hide } }, async (request, reply) => {
    const player = playerOf(request);
    // Loaded at the first connection: most servers never get one.
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

/** A minimal document for clients that look up the paths. */
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

/** The messages of OpenEnv's server, as its published types are. */

const anything = z.record(z.string(), z.unknown());

/**
 * The start of an episode. `sample_id` selects its task; otherwise it is task number `seed` of the stream of a
 * selection, so that consecutive seeds cover all tasks before any repeats.
 */
export const resetRequest = z.looseObject({
  seed: z.number().int().nonnegative().nullish(),
  /** The client's own id. The episode's id is the run's. */
  episode_id: z.string().max(255).nullish(),
  sample_id: z.string().optional(),
  select: taskSelection.optional(),
  episode: runRequest.omit({ select: true, sample_id: true, answer_tool: true }).partial().optional(),
});
export const stepRequest = z.looseObject({
  action: anything,
  episode_id: z.string(),
  timeout_s: z.number().positive().nullish(),
  request_id: z.string().max(255).nullish(),
});
export const action = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('list_tools'), metadata: anything.optional() }),
  z.strictObject({
    type: z.literal('call_tool'),
    tool_name: z.string(),
    arguments: anything.default({}),
    metadata: anything.optional(),
  }),
]);
/** Response of `reset` and `step`. */
export const observed = z.strictObject({
  observation: anything,
  reward: z.number().nullable(),
  done: z.boolean(),
});
export type Observed = z.infer<typeof observed>;

/** Observation of `list_tools` and `call_tool`. */
export const toolsObservation = z.strictObject({
  tools: z.array(z.strictObject({ name: z.string(), description: z.string(), input_schema: anything })),
});
export const callObservation = z.strictObject({
  tool_name: z.string(),
  result: z.unknown(),
  error: z
    .strictObject({
      error_type: z.enum(['execution_error', 'invalid_args', 'transport_error', 'tool_not_found', 'timeout']),
      message: z.string(),
    })
    .nullable(),
});
export const state = z.looseObject({ episode_id: z.string().nullable(), step_count: z.number().int() });

/** A message from the client over a WebSocket. */
export const incoming = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('reset'), data: anything.default({}) }),
  z.strictObject({ type: z.literal('step'), data: anything }),
  z.strictObject({ type: z.literal('state') }),
  z.strictObject({ type: z.literal('close') }),
  z.strictObject({ type: z.literal('mcp'), data: anything }),
]);
/** A message to the client. */
export type Outgoing =
  | { readonly type: 'observation'; readonly data: Observed }
  | { readonly type: 'state'; readonly data: z.infer<typeof state> }
  | { readonly type: 'mcp'; readonly data: object }
  | { readonly type: 'error'; readonly data: { readonly message: string; readonly code: ErrorCode } };

type ErrorCode = 'INVALID_JSON' | 'UNKNOWN_TYPE' | 'VALIDATION_ERROR' | 'EXECUTION_ERROR' | 'SESSION_ERROR';

/** The client of an environment. Only one that leads the training gets rewards. */
export interface Player {
  readonly isHarness: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts an episode. Throws UNKNOWN_TASK, INVALID_PARAMETERS, HARNESS_ONLY. */
export async function reset(
  episodes: Episodes,
  given: unknown,
  player: Player,
): Promise<{ id: string; observed: Observed }> {
  const { sample_id, seed, select, episode } = checked(resetRequest, given);
  guardBand(player, select);
  const selection = select ?? taskSelection.parse({});
  const chosen = sample_id ?? (await taskOf(episodes, selection, seed ?? 0));
  const wanted = checked(episodeRequest, { ...episode, sample_id: chosen });
  const { run_id } = await episodes.begin(wanted, player);
  const observation = {
    episode_id: run_id,
    sample_id: chosen,
    prompt: await episodes.prompt(run_id),
    tools: await listed(episodes, run_id),
  };
  return { id: run_id, observed: { observation, reward: null, done: false } };
}

/** Takes an action in an episode. Throws UNKNOWN_RUN, INVALID_PARAMETERS. */
export async function step(
  episodes: Episodes,
  id: string,
  given: unknown,
  { isHarness, headers }: Player,
): Promise<Observed> {
  const parsed = action.safeParse(given);
  if (!parsed.success) {
    const message = `action: ${parsed.error.issues[0]?.message ?? 'cannot be read'}`;
    throw invalidField('action', 'wrong_type', message);
  }
  if (parsed.data.type === 'list_tools') {
    return { observation: { tools: await listed(episodes, id) }, reward: null, done: false };
  }
  const { tool_name: name, arguments: args } = parsed.data;
  const { answer, isOver } = await episodes.step(id, { name, arguments: args, headers });
  const reward = isOver && isHarness ? await episodes.reward(id) : null;
  return { observation: callOf(name, answer), reward: reward?.reward ?? null, done: isOver };
}

/** The state of an episode. Throws UNKNOWN_RUN. */
export async function stateOf(episodes: Episodes, id: string) {
  const { sample_id, status } = await episodes.run(id);
  return { episode_id: id, step_count: await episodes.steps(id), sample_id, status };
}

export async function listed(episodes: Episodes, id: string) {
  const tools = await episodes.tools(id);
  return tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
}

/** A task of a selection's stream, by position. Throws INVALID_PARAMETERS if the selection is empty. */
async function taskOf(
  episodes: Episodes,
  selection: z.output<typeof taskSelection>,
  place: number,
): Promise<string> {
  const { sample: _one, from: _place, ...rest } = selection;
  const all = await episodes.tasks(rest);
  const [task] =
    all.length === 0 ? [] : await episodes.tasks({ ...rest, sample: 1, from: place % all.length });
  if (task) return task.sample_id;
  throw invalidField('select', 'empty', 'no task is selected');
}

function callOf(tool_name: string, answer: BackendAnswer): z.infer<typeof callObservation> {
  if (answer.status < 400) return { tool_name, result: readAnswer(answer.body), error: null };
  const message = readProblem(answer.body) ? answer.body : `the tool answered ${answer.status}`;
  return { tool_name, result: null, error: { error_type: errorType(answer), message } };
}

/** An answer made unreadable by a fault stays text. */
function readAnswer(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

function errorType(answer: BackendAnswer) {
  const code = problemCode(answer);
  if (code === 'UNKNOWN_TOOL') return 'tool_not_found';
  if (answer.status === 504) return 'timeout';
  if (answer.status >= 500) return 'transport_error';
  return answer.status === 400 ? 'invalid_args' : 'execution_error';
}

const TYPES: readonly unknown[] = incoming.options.map(({ shape }) => shape.type.value);

/** Plays the episodes of a connection, one at a time, answering its messages in order. */
export function playSocket(socket: WebSocket, episodes: Episodes, player: Player): void {
  let episode: string | undefined;
  let last: Promise<void> = Promise.resolve();

  socket.on('message', (data) => {
    last = last.then(async () => {
      const message = await answer(String(data)).catch(failed);
      if (message === null) socket.close();
      else if (socket.readyState === socket.OPEN) socket.send(writeJson(message));
    });
  });
  // The connection is gone, and its episode ends with it.
  socket.on('error', () => socket.terminate());

  async function answer(text: string): Promise<Outgoing | null> {
    const given = readMessage(text);
    if (given === undefined) return problem('INVALID_JSON', 'The message is not JSON');
    const parsed = incoming.safeParse(given);
    if (!parsed.success) {
      const type = typeof given === 'object' && given !== null && 'type' in given ? given.type : undefined;
      if (!TYPES.includes(type))
        return problem(
          'UNKNOWN_TYPE',
          `Unknown message type: ${typeof type === 'string' ? type : 'no text'}`,
        );
      return problem('VALIDATION_ERROR', 'Invalid message', { errors: parsed.error.issues });
    }
    const message = parsed.data;
    switch (message.type) {
      case 'reset': {
        const { id, observed } = await reset(episodes, message.data, player);
        episode = id;
        return { type: 'observation', data: observed };
      }
      case 'step':
        if (episode === undefined) return problem('SESSION_ERROR', 'Send reset first');
        return { type: 'observation', data: await step(episodes, episode, message.data, player) };
      case 'state':
        if (episode === undefined) return { type: 'state', data: { episode_id: null, step_count: 0 } };
        return { type: 'state', data: await stateOf(episodes, episode) };
      case 'mcp':
        return { type: 'mcp', data: await answerRpc(episodes, message.data, player, episode) };
      case 'close':
        return null;
    }
  }
}

function readMessage(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function failed(error: unknown): Outgoing {
  if (!(error instanceof HttpProblem)) return problem('EXECUTION_ERROR', 'The server failed');
  const code = error.code === 'INVALID_PARAMETERS' ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR';
  return problem(code, error.message, { errors: error.errors });
}

function problem(code: ErrorCode, message: string, more: object = {}): Outgoing {
  return { type: 'error', data: { message, code, ...more } };
}

const request = z.strictObject({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
  id: z.union([z.string(), z.number()]).nullish(),
});
const callParams = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

/** Error codes of JSON-RPC 2.0. */
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const SERVER_ERROR = -32_000;

/**
 * Answers a JSON-RPC request for the tools of an episode: the connection's own, or the one in `session_id`.
 * `openenv/session/create` starts such a session with the parameters of a reset. Never rejects for an invalid request.
 */
export async function answerRpc(episodes: Episodes, given: unknown, player: Player, session?: string) {
  const parsed = request.safeParse(given);
  if (!parsed.success) return failure(null, INVALID_REQUEST, 'This is no request of JSON-RPC 2.0');
  const { method, params, id = null } = parsed.data;
  const own = session ?? (typeof params.session_id === 'string' ? params.session_id : undefined);
  try {
    if (method === 'openenv/session/create') {
      const session_id = own ?? (await reset(episodes, params, player)).id;
      return success(id, { session_id });
    }
    if (own === undefined) return failure(id, INVALID_PARAMS, 'session_id is missing');
    if (method === 'openenv/session/close') {
      await episodes.end(own, null);
      return success(id, { session_id: own, closed: true });
    }
    if (method === 'tools/list') return success(id, { tools: await listed(episodes, own) });
    if (method === 'tools/call') {
      const call = callParams.safeParse(params);
      if (!call.success) return failure(id, INVALID_PARAMS, 'name is missing');
      const { answer } = await episodes.step(own, { ...call.data, headers: player.headers });
      const content = [{ type: 'text', text: answer.body }];
      return success(id, { content, isError: answer.status >= 400 });
    }
    return failure(id, METHOD_NOT_FOUND, `There is no method ${method.slice(0, 80)}`);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const code = error.status === 400 || error.status === 404 ? INVALID_PARAMS : SERVER_ERROR;
    return failure(id, code, error.message);
  }
}

type RpcId = string | number | null;

function success(id: RpcId, result: unknown) {
  return { jsonrpc: '2.0' as const, id, result };
}

function failure(id: RpcId, code: number, message: string) {
  return { jsonrpc: '2.0' as const, id, error: { code, message, data: null } };
}
