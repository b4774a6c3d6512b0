import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DEFAULT_FORMULATION, formulation } from '../../../../contracts/sample.ts';
import { checked } from '../../../base/http/checked.ts';
import { writeJson } from '../../../base/http/json-text.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import type { TypedApp } from '../../../base/http/typed-routes.ts';
import { chunkedMap } from '../../../base/map-in-pieces.ts';
import { passedHeaders } from '../../backend/send-answer.ts';
import { submitAnswerTool } from '../../mcp/submit-answer.ts';
import { isRunId, newId } from '../../runs/run-ids.ts';
import { type Episodes, episodeRequest } from '../episodes.ts';
import { CallStreams } from './call-streams.ts';
import { inPieces, type StreamEvent, sendEvents } from './event-stream.ts';
import {
  type CallResult,
  callRequest,
  createRequest,
  listedTools,
  rangeRequest,
  session,
  split,
  splitRequest,
  status,
  taskRequest,
  taskSpec,
  textBlock,
} from './ors-messages.ts';
import { environmentOf, invalid, SPLIT_NAMES, specOf, splitTasks, taskAt } from './ors-tasks.ts';

const SESSION_HEADER = 'x-session-id';
const environment = z.object({ env_name: z.string() });
const config = { kind: 'doors' };
/** Below the id of a session, which is its agent's key. */
const ofSession = { kind: 'doors', plane: 'agent' } as const;

/**
 * The Open Reward Standard: an environment a formulation, whose splits are the halves of its questions. A session is an
 * episode, and its id the run's.
 */
export function orsAdapter(app: TypedApp, episodes: Episodes, process: number): void {
  const at = (path: string) => `/doors/ors${path}`;
  const calls = new CallStreams<CallResult>();
  const hide = true;

  app.get(
    at('/health'),
    { config: { ...config, open: 'counted' }, schema: { hide, response: { 200: status } } },
    () => ({ status: 'ok' as const }),
  );
  app.get(
    at('/list_environments'),
    { config, schema: { hide, response: { 200: z.array(z.string()) } } },
    () => [...formulation.options],
  );
  app.get(
    at('/:env_name/splits'),
    { config, schema: { hide, params: environment, response: { 200: z.array(split) } } },
    ({ params }) => {
      environmentOf(params.env_name);
      return SPLIT_NAMES.map((name) => ({ name, type: name }));
    },
  );
  app.get(
    at('/:env_name/tools'),
    { config, schema: { hide, params: environment, response: { 200: listedTools } } },
    ({ params }) => {
      environmentOf(params.env_name);
      const { name, description, inputSchema } = submitAnswerTool;
      return { tools: [{ name, description, input_schema: inputSchema }] };
    },
  );
  app.post(
    at('/:env_name/tasks'),
    {
      config,
      schema: {
        hide,
        params: environment,
        body: splitRequest,
        response: { 200: z.strictObject({ tasks: z.array(taskSpec), env_name: z.string() }) },
      },
    },
    async ({ params: { env_name }, body }) => {
      const tasks = await splitTasks(episodes, environmentOf(env_name), body.split);
      return { tasks: await chunkedMap(tasks, (task) => specOf(episodes, task)), env_name };
    },
  );
  app.post(
    at('/:env_name/num_tasks'),
    {
      config,
      schema: {
        hide,
        params: environment,
        body: splitRequest,
        response: { 200: z.strictObject({ num_tasks: z.number().int() }) },
      },
    },
    async ({ params, body }) => {
      const tasks = await splitTasks(episodes, environmentOf(params.env_name), body.split);
      return { num_tasks: tasks.length };
    },
  );
  app.post(
    at('/:env_name/task'),
    {
      config,
      schema: {
        hide,
        params: environment,
        body: taskRequest,
        response: { 200: z.strictObject({ task: taskSpec }) },
      },
    },
    async ({ params, body }) => {
      const tasks = await splitTasks(episodes, environmentOf(params.env_name), body.split);
      return { task: specOf(episodes, taskAt(tasks, body.index)) };
    },
  );
  app.post(
    at('/:env_name/task_range'),
    {
      config,
      schema: {
        hide,
        params: environment,
        body: rangeRequest,
        response: { 200: z.strictObject({ tasks: z.array(taskSpec) }) },
      },
    },
    async ({ params, body }) => {
      const tasks = await splitTasks(episodes, environmentOf(params.env_name), body.split);
      const range = tasks.slice(body.start ?? 0, body.stop ?? tasks.length);
      return { tasks: await chunkedMap(range, (task) => specOf(episodes, task)) };
    },
  );

  app.post(
    at('/create_session'),
    { config: { ...config, begins: true }, schema: { hide } },
    (_request, reply) =>
      sendEvents(reply, [
        { event: 'task_id', data: newId('r', process) },
        { event: 'end', data: '' },
      ]),
  );
  app.post(
    at('/create'),
    { config, schema: { hide, body: createRequest, response: { 200: session } } },
    async (request) => {
      const sid = sessionOf(request);
      if (!isRunId(sid))
        throw invalid(SESSION_HEADER, 'is no id of this server: POST /create_session gives one');
      if (await episodes.has(sid)) throw invalid(SESSION_HEADER, 'Session already exists');
      await episodes.begin(await wantedBy(episodes, request.body), request, sid);
      return { sid };
    },
  );
  for (const path of ['/delete', '/delete_session']) {
    app.post(at(path), { config: ofSession, schema: { hide, response: { 200: session } } }, (request) => ({
      sid: sessionOf(request),
    }));
  }
  app.post(
    at('/ping'),
    { config: ofSession, schema: { hide, response: { 200: status } } },
    async (request) => {
      await episodes.run(sessionOf(request));
      return { status: 'ok' as const };
    },
  );
  app.get(
    at('/:env_name/task_tools'),
    { config: ofSession, schema: { hide, params: environment, response: { 200: listedTools } } },
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
    at('/:env_name/prompt'),
    { config: ofSession, schema: { hide, params: environment, response: { 200: z.array(textBlock) } } },
    async (request) => [block(await episodes.prompt(sessionOf(request)))],
  );
  app.post(
    at('/:env_name/call'),
    { config: ofSession, schema: { hide, params: environment, body: callRequest } },
    async (request, reply) => {
      const sid = sessionOf(request);
      const { name, input, task_id } = request.body;
      const headers = passedHeaders(request);
      const isHarness = request.isHarness;
      const call = async (): Promise<CallResult> => {
        const { answer, isOver } = await episodes.step(sid, { name, arguments: input, headers });
        if (answer.status >= 400 && !isOver) return { ok: false, error: answer.body };
        // What an answer is worth is for whoever leads the training.
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
      // Before the stream begins: a session that does not exist is no event.
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

/** A task of a client's own making may have the options of a run beside its `sample_id`. */
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
  return { text, detail: null, type: 'text' as const };
}
