import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { DEFAULT_FORMULATION, type Formulation, formulation } from '../../contracts/sample.ts';
import type { TaskHalf, TaskHead } from '../../contracts/task.ts';
import { passedHeaders } from '../../services/agents/backend/backend.ts';
import { type Episodes, episodeRequest } from '../../services/agents/episodes.ts';
import { submitAnswerTool } from '../../services/agents/mcp/submit-answer.ts';
import { isRunId, newId } from '../../services/agents/runs/run-store.ts';
import { chunkedMap } from '../../services/base/concurrency.ts';
import { writeJson } from '../../services/base/http/json.ts';
import { HttpProblem, invalidField } from '../../services/base/http/problem.ts';
import { checked, type TypedApp } from '../../services/base/http/typed-routes.ts';

const SESSION_HEADER = 'x-session-id';
const environment = z.object({ env_name: z.string() });
const config = { kind: 'doors' };
/** Routes with a session's id, which is the agent's key. */
const ofSession = { kind: 'doors', plane: 'agent' } as const;

/**
 * The Open Reward Standard: one environment per formulation, whose splits are halves of its questions. A session is an
 * episode, and its id is the run's.
 */
export function routes(app: TypedApp, episodes: Episodes, process: number): void {
  const calls = new CallStreams<CallResult>();
  const hide = true;
  const ofSplit = <Body extends z.ZodType>(body: Body) => ({
    config,
    schema: { hide, params: environment, body },
  });

  app.get('/health', { config: { ...config, open: 'counted' }, schema: { hide } }, () => ({ status: 'ok' }));
  app.get('/list_environments', { config, schema: { hide } }, () => formulation.options);
  app.get('/:env_name/splits', { config, schema: { hide, params: environment } }, ({ params }) => {
    environmentOf(params.env_name);
    return SPLIT_NAMES.map((name) => ({ name, type: name }));
  });
  app.get('/:env_name/tools', { config, schema: { hide, params: environment } }, ({ params }) => {
    environmentOf(params.env_name);
    const { name, description, inputSchema } = submitAnswerTool;
    return { tools: [{ name, description, input_schema: inputSchema }] };
  });
  app.post('/:env_name/tasks', ofSplit(splitRequest), async ({ params: { env_name }, body }) => {
    const tasks = await splitTasks(episodes, environmentOf(env_name), body.split);
    return { tasks: await chunkedMap(tasks, (task) => specOf(episodes, task)), env_name };
  });
  app.post('/:env_name/num_tasks', ofSplit(splitRequest), async ({ params, body }) => {
    const tasks = await splitTasks(episodes, environmentOf(params.env_name), body.split);
    return { num_tasks: tasks.length };
  });
  app.post('/:env_name/task', ofSplit(taskRequest), async ({ params, body }) => {
    const tasks = await splitTasks(episodes, environmentOf(params.env_name), body.split);
    return { task: specOf(episodes, taskAt(tasks, body.index)) };
  });
  app.post('/:env_name/task_range', ofSplit(rangeRequest), async ({ params, body }) => {
    const tasks = await splitTasks(episodes, environmentOf(params.env_name), body.split);
    const range = tasks.slice(body.start ?? 0, body.stop ?? tasks.length);
    return { tasks: await chunkedMap(range, (task) => specOf(episodes, task)) };
  });

  app.post('/create_session', { config: { ...config, begins: true }, schema: { hide } }, (_request, reply) =>
    sendEvents(reply, [
      { event: 'task_id', data: newId('r', process) },
      { event: 'end', data: '' },
    ]),
  );
  app.post('/create', { config, schema: { hide, body: createRequest } }, async (request) => {
    const sid = sessionOf(request);
    if (!isRunId(sid))
      throw invalid(SESSION_HEADER, 'is no id of this server: POST /create_session gives one');
    if (await episodes.has(sid)) throw invalid(SESSION_HEADER, 'Session already exists');
    await episodes.begin(await wantedBy(episodes, request.body), request, sid);
    return { sid };
  });
  for (const path of ['/delete', '/delete_session']) {
    app.post(path, { config: ofSession, schema: { hide } }, (request) => ({
      sid: sessionOf(request),
    }));
  }
  app.post('/ping', { config: ofSession, schema: { hide } }, async (request) => {
    await episodes.run(sessionOf(request));
    return { status: 'ok' };
  });
  app.get(
    '/:env_name/task_tools',
    { config: ofSession, schema: { hide, params: environment } },
    async (request) => {
      const tools = await episodes.tools(sessionOf(request));
      return {
        tools: tools.map(({ name, description, parameters }) => ({
          name,
          description,
          input_schema: parameters,
        })),
      };
    },
  );
  app.get(
    '/:env_name/prompt',
    { config: ofSession, schema: { hide, params: environment } },
    async (request) => [block(await episodes.prompt(sessionOf(request)))],
  );
  app.post(
    '/:env_name/call',
    { config: ofSession, schema: { hide, params: environment, body: callRequest } },
    async (request, reply) => {
      const sid = sessionOf(request);
      const { name, input, task_id } = request.body;
      const headers = passedHeaders(request);
      const isHarness = request.isHarness;
      const call = async (): Promise<CallResult> => {
        const { answer, isOver } = await episodes.step(sid, { name, arguments: input, headers });
        if (answer.status >= 400 && !isOver) return { ok: false, error: answer.body };
        // Rewards are only for the harness.
        const reward = isOver && isHarness ? await episodes.reward(sid) : null;
        const metadata = reward && { ...reward.components, ...reward.penalties, outcome: reward.outcome };
        return {
          ok: true,
          output: {
            blocks: [block(answer.body)],
            metadata,
            reward: reward?.reward ?? null,
            finished: isOver,
          },
        };
      };
      // Checked before the stream starts, so that an unknown session is a plain error.
      await episodes.run(sid);
      return sendEvents(reply, streamOf(calls, sid, task_id ?? calls.begin(sid, call)));
    },
  );
}

async function* streamOf(
  calls: CallStreams<CallResult>,
  session: string,
  id: string,
): AsyncIterableIterator<StreamEvent> {
  const result = calls.resultOf(session, id);
  if (!result) return yield { event: 'error', data: 'unknown task_id' };
  yield { event: 'task_id', data: id };
  try {
    yield* inPieces(writeJson(await result));
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    yield { event: 'error', data: JSON.stringify(error.toProblem()) };
  }
}

/** Throws INVALID_PARAMETERS. */
function sessionOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const sid = headers[SESSION_HEADER];
  if (typeof sid === 'string' && sid.trim() !== '') return sid.trim();
  throw invalid(SESSION_HEADER, 'The header field X-Session-ID is missing');
}

/** A client's own task may have run options besides its `sample_id`. */
async function wantedBy(episodes: Episodes, body: z.output<typeof createRequest>) {
  const { env_name, task_spec, split: half, index } = body;
  const isCounted = typeof half === 'string' && typeof index === 'number';
  if ((task_spec != null) === isCounted) {
    throw invalid('task_spec', 'Provide either task_spec or both split and index');
  }
  if (task_spec == null) {
    const tasks = await splitTasks(episodes, environmentOf(env_name ?? DEFAULT_FORMULATION), half ?? '');
    return checked(episodeRequest, { sample_id: taskAt(tasks, index ?? 0).sample_id });
  }
  const { question: _told, difficulty: _known, canary: _marks, ...wanted } = task_spec;
  return checked(episodeRequest, wanted);
}

function block(text: string) {
  return { text, detail: null, type: 'text' };
}

/** The messages of the Open Reward Standard's HTTP protocol, as its published types are. */

const name = z.string();

export const splitRequest = z.strictObject({ split: name });
export const taskRequest = z.strictObject({ split: name, index: z.number().int() });
export const rangeRequest = z.strictObject({
  split: name,
  start: z.number().int().nullish(),
  stop: z.number().int().nullish(),
});
/** Either `task_spec`, or `split` and `index`. */
export const createRequest = z.strictObject({
  env_name: name.nullish(),
  task_spec: z.record(name, z.unknown()).nullish(),
  split: name.nullish(),
  index: z.number().int().nullish(),
  secrets: z.record(name, z.string()).nullish(),
});
export const callRequest = z.strictObject({
  name,
  input: z.record(name, z.unknown()),
  task_id: z.string().nullish(),
});

/** Final message of a call's stream. */
type CallResult =
  | { readonly ok: true; readonly output: object }
  | { readonly ok: false; readonly error: string };

/** Each environment's splits, as halves of the questions. */
const SPLITS: Readonly<Record<string, TaskHalf>> = { train: 'train', test: 'held_back' };
export const SPLIT_NAMES = ['train', 'test'] as const;

/** The formulation of an environment's name. Throws UNKNOWN_ROUTE. */
export function environmentOf(name: string): Formulation {
  const found = formulation.safeParse(name.toLowerCase());
  if (found.success) return found.data;
  throw new HttpProblem('UNKNOWN_ROUTE', `There is no environment ${name.slice(0, 80)}; ${ENVIRONMENTS}`);
}

const ENVIRONMENTS = `there are ${formulation.options.join(', ')}`;

/** The tasks of a split, in farm order. Throws INVALID_PARAMETERS. */
export function splitTasks(
  episodes: Episodes,
  environment: Formulation,
  split: string,
): Promise<readonly TaskHead[]> {
  const half = SPLITS[split];
  if (half === undefined) throw invalid('split', `Invalid split: there are ${SPLIT_NAMES.join(' and ')}`);
  return episodes.tasks({ formulation: environment, half });
}

/** Throws INVALID_PARAMETERS. */
export function taskAt(tasks: readonly TaskHead[], index: number): TaskHead {
  const task = tasks.at(index);
  if (task) return task;
  throw invalid('index', `Invalid index: the split has ${tasks.length} tasks`);
}

/** The standard's form of a task: enough to start it anywhere. */
export function specOf(episodes: Episodes, { sample_id, difficulty }: TaskHead) {
  return { sample_id, question: episodes.task(sample_id).question, difficulty, canary: episodes.canary };
}

export function invalid(field: string, message: string): HttpProblem {
  return invalidField(field, 'not_one_of', message);
}

export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

const CHUNK = 4096;

/** Splits a result into the standard's stream events, ending with the final one. JSON has no line breaks. */
export function* inPieces(text: string): IterableIterator<StreamEvent> {
  for (let at = 0; at < text.length; at += CHUNK) {
    const isLast = at + CHUNK >= text.length;
    yield { event: isLast ? 'end' : 'chunk', data: text.slice(at, at + CHUNK) };
  }
}

/** Streams events as they become available. */
export function sendEvents(
  reply: FastifyReply,
  events: Iterable<StreamEvent> | AsyncIterable<StreamEvent>,
): FastifyReply {
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(Readable.from(written(events)));
}

async function* written(events: Iterable<StreamEvent> | AsyncIterable<StreamEvent>) {
  for await (const { event, data } of events) yield `event: ${event}\ndata: ${data}\n\n`;
}

/** How long a result waits for a client that lost its connection. */
const KEPT_MS = 60_000;
const MOST_CALLS = 10_000;

/** Calls in progress or just finished, by their stream's id, so that a client can resume a lost stream. */
export class CallStreams<Result> {
  readonly #calls = new LRUCache<string, { session: string; result: Promise<Result> }>({
    max: MOST_CALLS,
    ttl: KEPT_MS,
  });

  /** Starts a call and returns its id. */
  begin(session: string, call: () => Promise<Result>): string {
    const id = randomUUID();
    const result = call();
    // Waiting clients get the error; without any, it must not end the process.
    result.catch(() => {});
    this.#calls.set(id, { session, result });
    return id;
  }

  /** The result of a session's call; undefined if there is none. */
  resultOf(session: string, id: string): Promise<Result> | undefined {
    const call = this.#calls.get(id);
    return call?.session === session ? call.result : undefined;
  }
}
