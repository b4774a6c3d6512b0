import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Task } from '../../../../contracts/task.ts';
import { taskSelection } from '../../../../contracts/task-selection.ts';
import { callerOfRequest } from '../../../base/access/asker.ts';
import { checked } from '../../../base/http/checked.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import type { TypedApp } from '../../../base/http/typed-routes.ts';
import { passedHeaders, sendAnswer } from '../../backend/send-answer.ts';
import { guardBand } from '../../planes/guard-band.ts';
import { requireHarness } from '../../planes/guard-planes.ts';
import { type Episodes, episodeRequest } from '../episodes.ts';
import { gymMetrics } from './gym-metrics.ts';
import {
  type GymRow,
  metricsRequest,
  metricsResponse,
  type ReverifyMode,
  row,
  seedResponse,
  verifyRequest,
  verifyResponse,
} from './nemo-messages.ts';
import { readRollout } from './read-rollout.ts';

const REVERIFY_MODE: ReverifyMode = 'stateless';
const COOKIE = 'rookery_episode';
const config = { kind: 'doors' };
/** By the cookie of a session, which is its agent's key. */
const ofSession = { kind: 'doors', plane: 'agent' } as const;
const rowsQuery = taskSelection.extend({ tools: z.string().optional(), via: z.string().optional() });

/**
 * A resources server of NeMo Gym: rows of a data set are tasks, a session is an episode, and `/verify` judges a rollout by
 * nothing but itself and the gold, so that a stored one can be judged again.
 */
export function nemoGymAdapter(app: TypedApp, episodes: Episodes): void {
  const at = (path: string) => `/doors/nemo-gym${path}`;
  const hide = true;

  app.get(at('/rows'), { config, schema: { hide, querystring: rowsQuery } }, async (request, reply) => {
    guardBand(request, request.query);
    const { tools, via, ...select } = request.query;
    const episode = { ...(tools === undefined ? {} : { tools }), ...(via === undefined ? {} : { via }) };
    const tasks = await episodes.tasks(select);
    const [first] = tasks;
    // What is wrong with the options is told before the answer begins.
    if (first) rowOf(episodes, first, episode, request);
    const lines = function* () {
      for (const task of tasks) yield `${JSON.stringify(rowOf(episodes, task, episode, request))}\n`;
    };
    return reply.header('content-type', 'application/jsonl; charset=utf-8').send(Readable.from(lines()));
  });
  app.post(
    at('/seed_session'),
    { config: { ...config, begins: true }, schema: { hide, body: row, response: { 200: seedResponse } } },
    async (request, reply) => {
      const run = await episodes.begin(wantedBy(request.body), request);
      reply.header('set-cookie', `${COOKIE}=${run.run_id}; Path=/; HttpOnly; SameSite=Lax`);
      return {};
    },
  );
  app.post(
    at('/verify'),
    { config, schema: { hide, body: verifyRequest, response: { 200: verifyResponse } } },
    async (request) => {
      requireHarness(request, 'A reward');
      const { body } = request;
      const wanted = wantedBy(body);
      const rollout = readRollout(body.response.output, episodes.list(wanted));
      const reward = await episodes.judge(wanted, rollout);
      const session = cookieOf(request);
      if (session) await episodes.end(session, rollout.answer);
      const components = Object.entries(reward.components).map(
        ([name, share]) => [name, share ?? 0] as const,
      );
      return {
        ...body,
        reward: reward.reward,
        reward_components: Object.fromEntries(components),
        ...Object.fromEntries(components),
        ...reward.penalties,
        outcome: reward.outcome,
      };
    },
  );
  app.get(at('/reverify_mode'), { config, schema: { hide } }, (_request, reply) =>
    // A string would be sent as plain text.
    reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(REVERIFY_MODE)),
  );
  app.post(
    at('/aggregate_metrics'),
    { config, schema: { hide, body: metricsRequest, response: { 200: metricsResponse } } },
    ({ body }) => gymMetrics(body.verify_responses),
  );
  app.post(
    at('/:tool'),
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
  throw new HttpProblem('INVALID_PARAMETERS', message, {
    errors: [{ field: COOKIE, code: 'missing', message }],
  });
}
