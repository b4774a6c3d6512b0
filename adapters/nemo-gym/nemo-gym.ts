import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import { SAY } from '../../contracts/scripted-user.ts';
import { type Task, taskSelection } from '../../contracts/task.ts';
import { groupBy } from '../../eval/metrics/figures.ts';
import { passedHeaders, readProblem, sendAnswer } from '../../services/agents/backend/backend.ts';
import { type Episodes, episodeRequest } from '../../services/agents/episodes.ts';
import { SUBMIT_ANSWER } from '../../services/agents/mcp/submit-answer.ts';
import type { CallRecord } from '../../services/agents/runs/run-store.ts';
import type { ToolList } from '../../services/agents/toolsets/tool-list.ts';
import { callerOfRequest } from '../../services/base/http/caller.ts';
import { readArguments, writeJson } from '../../services/base/http/json.ts';
import { invalidField } from '../../services/base/http/problem.ts';
import { guardBand, requireHarness } from '../../services/base/http/roles.ts';
import { checked, type TypedApp } from '../../services/base/http/typed-routes.ts';

const COOKIE = 'rookery_episode';
const config = { kind: 'doors' };
/** Routes with a session cookie, which is the agent's key. */
const ofSession = { kind: 'doors', plane: 'agent' } as const;
const rowsQuery = taskSelection.extend({ tools: z.string().optional(), via: z.string().optional() });

/**
 * A NeMo Gym resources server: the rows of a data set are tasks, and a session is an episode. `/verify` depends only on
 * the rollout and the gold, so that stored rollouts can be verified again.
 */
export function routes(app: TypedApp, episodes: Episodes): void {
  const hide = true;

  app.get('/rows', { config, schema: { hide, querystring: rowsQuery } }, async (request, reply) => {
    guardBand(request, request.query);
    const { tools, via, ...select } = request.query;
    const episode = { ...(tools === undefined ? {} : { tools }), ...(via === undefined ? {} : { via }) };
    const tasks = await episodes.tasks(select);
    const [first] = tasks;
    // Reports invalid options before the response starts.
    if (first) rowOf(episodes, first, episode, request);
    const lines = function* () {
      for (const task of tasks) yield `${JSON.stringify(rowOf(episodes, task, episode, request))}\n`;
    };
    return reply.header('content-type', 'application/jsonl; charset=utf-8').send(Readable.from(lines()));
  });
  app.post(
    '/seed_session',
    { config: { ...config, begins: true }, schema: { hide, body: row } },
    async (request, reply) => {
      const run = await episodes.begin(wantedBy(request.body), request);
      reply.header('set-cookie', `${COOKIE}=${run.run_id}; Path=/; HttpOnly; SameSite=Lax`);
      return {};
    },
  );
  app.post('/verify', { config, schema: { hide, body: verifyRequest } }, async (request) => {
    requireHarness(request, 'A reward');
    const { body } = request;
    const wanted = wantedBy(body);
    const rollout = readRollout(body.response.output, episodes.list(wanted));
    const reward = await episodes.judge(wanted, rollout);
    const session = cookieOf(request);
    if (session) await episodes.end(session, rollout.answer);
    const components = Object.entries(reward.components).map(([name, share]) => [name, share ?? 0] as const);
    return {
      ...body,
      reward: reward.reward,
      reward_components: Object.fromEntries(components),
      ...Object.fromEntries(components),
      ...reward.penalties,
      outcome: reward.outcome,
    };
  });
  app.get('/reverify_mode', { config, schema: { hide } }, (_request, reply) =>
    // fastify would send a string as plain text.
    reply.header('content-type', 'application/json; charset=utf-8').send('"stateless"'),
  );
  app.post('/aggregate_metrics', { config, schema: { hide, body: metricsRequest } }, ({ body }) =>
    gymMetrics(body.verify_responses),
  );
  app.post(
    '/:tool',
    { config: ofSession, schema: { hide, params: z.object({ tool: z.string() }) } },
    async (request, reply) => {
      const { signal } = callerOfRequest(request, reply);
      const { answer } = await episodes.step(sessionOf(request), {
        name: request.params.tool,
        arguments: request.body ?? {},
        headers: passedHeaders(request),
        ...(signal ? { signal } : {}),
      });
      return sendAnswer(reply, answer);
    },
  );
}

/** A row of a data set, for the Responses API. */
function rowOf(
  episodes: Episodes,
  { sample_id }: Pick<Task, 'sample_id'>,
  episode: Readonly<Record<string, unknown>>,
  asker: { readonly isHarness: boolean },
): GymRow {
  const wanted = checked(episodeRequest, { ...episode, sample_id });
  const { prompt, tools } = episodes.offer(wanted, asker);
  return {
    responses_create_params: {
      input: [{ role: 'user', content: prompt }],
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        parameters,
        strict: false,
      })),
    },
    sample_id,
    canary: episodes.canary,
    ...(Object.keys(episode).length > 0 ? { episode } : {}),
  };
}

function wantedBy({ sample_id, episode }: GymRow) {
  return checked(episodeRequest, { ...episode, sample_id });
}

function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const all = (headers.cookie ?? '').split(';').map((each) => each.trim().split('='));
  return all.find(([name]) => name === COOKIE)?.[1];
}

/** Throws INVALID_PARAMETERS. */
function sessionOf(request: Pick<FastifyRequest, 'headers'>): string {
  const id = cookieOf(request);
  if (id) return id;
  const message = `The cookie ${COOKIE} is missing: POST /seed_session first, and send what it sets`;
  throw invalidField(COOKIE, 'missing', message);
}

/** The messages of a NeMo Gym resources server, as its published types are. Rows may have more fields. */

/** A row of a data set: the model's input and the task. `episode` has run options. */
export const row = z.looseObject({
  responses_create_params: z.looseObject({}).optional(),
  sample_id: z.string(),
  episode: z.record(z.string(), z.unknown()).optional(),
});
export type GymRow = z.output<typeof row>;

const functionCall = z.looseObject({
  type: z.literal('function_call'),
  name: z.string(),
  arguments: z.string(),
  call_id: z.string(),
});
const functionCallOutput = z.looseObject({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.union([z.string(), z.array(z.unknown())]),
});
const message = z.looseObject({
  type: z.literal('message'),
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]),
});
const other = z.looseObject({ type: z.string() });
/** An output item of OpenAI's Responses API. */
export const outputItem = z.union([functionCall, functionCallOutput, message, other]);
export type OutputItem = z.output<typeof outputItem>;
export const isCall = (item: OutputItem): item is z.output<typeof functionCall> =>
  functionCall.safeParse(item).success;
export const isCallOutput = (item: OutputItem): item is z.output<typeof functionCallOutput> =>
  functionCallOutput.safeParse(item).success;
export const isMessage = (item: OutputItem): item is z.output<typeof message> =>
  message.safeParse(item).success;

/** A rollout: a row, and the response with all calls. */
export const verifyRequest = row.extend({ response: z.looseObject({ output: z.array(outputItem) }) });
export const metricsRequest = z.strictObject({ verify_responses: z.array(z.looseObject({})) });

/**
 * Converts a model's output, with the answers to its calls, to a record. Calls whose arguments are not JSON were never
 * sent, and are skipped, as are calls after the answer. In a dialogue each turn has its answer.
 */
export function readRollout(output: readonly OutputItem[], list: ToolList) {
  const outputs = new Map(
    output.filter(isCallOutput).map(({ call_id, output: text }) => [call_id, textOf(text)]),
  );
  const calls: CallRecord[] = [];
  for (const item of output.filter(isCall)) {
    const args = argumentsOf(item.arguments);
    if (args === null) continue;
    const answered = outputs.get(item.call_id) ?? '';
    if (item.name === SUBMIT_ANSWER) {
      const { answer = null, doubts } = args;
      if (list.source.task?.user) {
        calls.push(recordOf(SAY, { answer }, answered, list, calls.length + 1));
        continue;
      }
      return { calls, answer: { answer, doubts: typeof doubts === 'string' ? doubts : null } };
    }
    calls.push(recordOf(item.name, args, answered, list, calls.length + 1));
  }
  if (calls.some(({ tool }) => tool === SAY)) return { calls, answer: { answer: null } };
  const words = output.filter(isMessage).at(-1);
  const text = words ? textOf(words.content) : '';
  return { calls, answer: text === '' ? null : { answer: text } };
}

function recordOf(
  name: string,
  args: Readonly<Record<string, unknown>>,
  answered: string,
  list: ToolList,
  n: number,
): CallRecord {
  const refused = readProblem(answered);
  const real = list.isSearch(name) ? null : list.tryRealCall(name, args);
  const facts = refused || real === null ? null : FORMULATIONS[list.source.formulation].factsOf(answered);
  return {
    run_id: '',
    n,
    at: 0,
    tool: name,
    arguments: writeJson(args),
    real_tool: real?.name ?? null,
    real_arguments: real ? writeJson(real.arguments) : null,
    status: refused?.status ?? 200,
    code: refused?.code ?? null,
    row_count: facts?.rows ?? null,
    bytes: Buffer.byteLength(answered),
    latency_ms: 0,
    fault: null,
    handle: facts?.handle ?? null,
    changes: null,
    idempotency: null,
  };
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return readArguments(text);
  } catch {
    return null;
  }
}

/** The text of content that may be in parts. */
function textOf(content: string | readonly unknown[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join('');
}

/** The task index in NeMo Gym's rows. */
const TASK = '_ng_task_index';

/** Mean, extremes and deviation of every number in verified rollouts, overall and by task. */
export function gymMetrics(rollouts: readonly Readonly<Record<string, unknown>>[]) {
  const byTask = groupBy(rollouts, (rollout) => rollout[TASK] ?? 0);
  const agent = statistics(rollouts);
  return {
    group_level_metrics: [...byTask].map(([task, group]) => ({ [TASK]: task, ...statistics(group) })),
    agent_metrics: agent,
    key_metrics: Object.fromEntries(Object.entries(agent).filter(([name]) => name.startsWith('mean/'))),
  };
}

function statistics(rollouts: readonly Readonly<Record<string, unknown>>[]): Record<string, number> {
  const numbers = rollouts
    .flatMap((rollout) => Object.entries(rollout))
    .filter((each): each is [string, number] => typeof each[1] === 'number' && !each[0].startsWith('_ng_'));
  return Object.fromEntries(
    [...groupBy(numbers, ([name]) => name)].flatMap(([name, all]) => {
      const values = all.map(([, value]) => value);
      const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
      const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
      return [
        [`mean/${name}`, mean],
        [`max/${name}`, values.reduce((most, each) => Math.max(most, each))],
        [`min/${name}`, values.reduce((least, each) => Math.min(least, each))],
        // The sample deviation, 0 for a single value.
        [`std/${name}`, values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0],
      ];
    }),
  );
}
