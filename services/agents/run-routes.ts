import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  agentRunSummary,
  agentRunView,
  batchView,
  type CreatedRun,
  createdBatch,
  createdRun,
  runAnswer,
  runRequest,
  runView,
} from '../../contracts/api.ts';
import { answerVerdict, judgedAnswer, rewards, sampleReview } from '../../contracts/judgement.ts';
import { calledHere } from '../../contracts/package-root.ts';
import { chunkedMap } from '../base/concurrency.ts';
import { readJson, writeJson } from '../base/http/json.ts';
import { HttpProblem } from '../base/http/problem.ts';
import { guardBand, guardGold, requireHarness } from '../base/http/roles.ts';
import { answers, type TypedApp, textAnswer } from '../base/http/typed-routes.ts';
import { type AgentContext, requireRuns, scoringDisabled } from './agent-context.ts';
import { ExamAliases } from './aliases.ts';
import { sendAnswer } from './backend/backend.ts';
import { describeForHarness } from './describe-task.ts';
import {
  predictionsOf,
  rewardsOf,
  summarizeForAgent,
  summarizeRun,
  viewForAgent,
  viewRun,
} from './runs/export-runs.ts';
import { createRuns } from './runs/live-runs.ts';
import type { RunRecord } from './runs/run-store.ts';
import { isDialogue, said, userMessage } from './runs/user-calls.ts';
import { sessionParams } from './session-routes.ts';
import { sampleIdOf, sampleParams } from './task-routes.ts';

const config = { kind: 'runs' };
const harnessConfig = { ...config, plane: 'harness' } as const;
const tags = ['runs'];

/**
 * `POST /runs` begins runs, `GET /runs/<id>` returns one; predictions and scores need runs that are over. There is no
 * list of runs: a run cannot be found without its id.
 */
export function runRoutes(app: TypedApp, context: AgentContext): void {
  app.post(
    '/runs',
    {
      config: { ...config, begins: true },
      schema: {
        operationId: 'begin_runs',
        tags,
        summary: 'Begins a run at a task, or one at each task of a selection.',
        body: runRequest,
        response: answers({ 201: z.union([createdRun, createdBatch]) }),
      },
    },
    async (request, reply) => {
      const live = requireRuns(context);
      guardGold(request, { subject: { task: true }, options: request.body });
      guardBand(request, request.body.select);
      if (request.body.faults !== undefined) requireHarness(request, 'A choice of faults');
      const runs = await createRuns(request.body, { ...context, now: Date.now() });
      await live.add(runs, request.body.record);
      const batch = runs[0]?.batch_id;
      const created = await chunkedMap(runs, (run) => describeRun(context, run));
      reply.code(201);
      if (batch) return { batch_id: batch, base: `/runs/${batch}`, runs: created };
      return created[0] as CreatedRun;
    },
  );

  app.get(
    '/runs/:id',
    {
      config: { ...config, plane: 'agent' },
      schema: {
        operationId: 'get_run',
        tags,
        summary:
          'A run and its trajectory; with the harness key the whole record, and the runs of a batch in brief.',
        params: sessionParams,
        response: answers({ 200: z.union([runView, batchView, agentRunView]) }),
      },
      // Numbers in arguments keep their digits.
      serializerCompiler: () => writeJson,
    },
    async (request, reply) => {
      const { store } = requireRuns(context);
      const { id } = request.params;
      const { run, batch } = await findRuns(context, id);
      reply.header('cache-control', 'no-store');
      if (run) {
        const calls = await store.calls(run.run_id);
        const task = () => context.tasks.get(run.sample_id);
        return request.isHarness
          ? viewRun(run, isDialogue(calls) ? task() : undefined, calls, Date.now())
          : viewForAgent(run, task(), calls, Date.now());
      }
      requireHarness(request, 'A batch');
      const runs = await Promise.all(
        batch.map(async (each) => summarizeRun(each, (await store.usage(each.run_id)).calls)),
      );
      return { batch_id: id, runs };
    },
  );

  const store = () => requireRuns(context).store;
  overRoute(app, context, 'GET', 'predictions', {
    operationId: 'get_predictions',
    summary: 'What `rookery score` reads, one line a run that is over.',
    success: textAnswer('Predictions, one JSON object a line.', 'application/jsonl'),
    answer: async (over, reply) => {
      const text = await predictionsOf(store(), await over());
      reply.header('content-type', 'application/jsonl; charset=utf-8');
      return text;
    },
  });
  overRoute(app, context, 'GET', 'score', {
    operationId: 'get_score',
    summary: 'The scores of a run that is over, or of those of a batch.',
    success: z.looseObject({}),
    answer: async (over) => {
      const { scorer } = context;
      if (!scorer) throw noGold('score <farm> <file>`; `rookery serve --score` scores by itself.');
      return { ...(await scorer(await predictionsOf(store(), await over()))) };
    },
  });
  overRoute(app, context, 'GET', 'review', {
    operationId: 'get_review',
    summary:
      'A run that is over, or those of a batch, beside the gold: where they part, and why they failed.',
    success: z.object({ reviews: z.array(sampleReview) }),
    answer: async (over) => {
      if (!context.reviewer) throw scoringDisabled();
      return { reviews: [...(await context.reviewer(await predictionsOf(store(), await over())))] };
    },
  });
  overRoute(app, context, 'POST', 'verify', {
    operationId: 'verify_run',
    summary: 'The reward of a run that is over, or of those of a batch, with its components.',
    success: rewards,
    answer: async (over) => {
      const { verifier } = context;
      if (!verifier) throw noGold('score --rewards`; `rookery serve --score` verifies by itself.');
      // A batch has each task once.
      const judged = await rewardsOf(verifier, store(), await over());
      const total = judged.reduce((sum, { reward }) => sum + reward, 0);
      return { rewards: judged, mean: judged.length === 0 ? 0 : total / judged.length };
    },
  });
}

interface OverRoute {
  readonly operationId: string;
  readonly summary: string;
  readonly success: unknown;
  readonly answer: (over: () => Promise<readonly RunRecord[]>, reply: FastifyReply) => Promise<unknown>;
}

/** `/runs/<id>/<what>`: what the harness gets of a run that is over, or of those of a batch. */
function overRoute(
  app: FastifyInstance,
  context: AgentContext,
  method: 'GET' | 'POST',
  what: string,
  { operationId, summary, success, answer }: OverRoute,
): void {
  app.route<{ Params: { id: string } }>({
    method,
    url: `/runs/:id/${what}`,
    config: harnessConfig,
    schema: { operationId, tags, summary, params: sessionParams, response: answers({ 200: success }) },
    ...(what === 'review' ? { serializerCompiler: () => writeJson } : {}),
    handler: async (request, reply) => {
      const answered = await answer(
        async () => requireOver(await findRuns(context, request.params.id)),
        reply,
      );
      reply.header('cache-control', 'no-store');
      return answered;
    },
  });
}

function noGold(command: string): HttpProblem {
  const how = `This server holds no gold. Save what GET …/predictions answers and give it to \`rookery ${command}`;
  return new HttpProblem('SCORING_OFF', calledHere(how));
}

interface FoundRuns {
  readonly run: RunRecord | null;
  readonly batch: readonly RunRecord[];
}

/** Rejects with UNKNOWN_RUN. */
async function findRuns(context: AgentContext, id: string): Promise<FoundRuns> {
  const runs = requireRuns(context);
  const batch: RunRecord[] = [];
  if (id.startsWith('b')) for await (const run of runs.store.runs({ batch: id })) batch.push(run);
  if (batch.length > 0) return { run: null, batch };
  return { run: await runs.run(id), batch: [] };
}

/** The runs of a batch that are over; the others have not been run yet. Throws RUN_NOT_OVER. */
function requireOver({ run, batch }: FoundRuns): readonly RunRecord[] {
  const over = (run ? [run] : batch).filter(({ status }) => status !== 'open');
  if (over.length > 0) return over;
  throw new HttpProblem('RUN_NOT_OVER', 'Nothing to see yet: give an answer with POST …/answer first.');
}

function describeRun({ tasks }: AgentContext, run: RunRecord): CreatedRun {
  const { calls: _none, ...summary } = summarizeRun(run, 0);
  const { base } = summary;
  const names = run.exam_key === null ? null : new ExamAliases(run.exam_key);
  return {
    ...summary,
    task: describeForHarness(tasks.get(run.sample_id), base, { evidence: run.evidence, names }),
    links: {
      self: base,
      tools: `${base}/tools`,
      openapi: `${base}/openapi.json`,
      call: `${base}/call/{name}`,
      mcp: `${base}/mcp`,
      answer: `${base}/answer`,
      score: `${base}/score`,
    },
  };
}

export function answerRoute(app: TypedApp, context: AgentContext): void {
  app.post(
    '/runs/:id/answer',
    {
      config: { kind: 'runs', plane: 'agent' },
      schema: {
        operationId: 'answer_run',
        tags: ['run'],
        summary: 'Hands in the answer, which ends the run.',
        params: sessionParams,
        body: runAnswer,
        response: answers({ 200: agentRunSummary }),
      },
    },
    async (request) => {
      const runs = requireRuns(context);
      // A broken run does not count as a wrong answer, so an agent could erase its failures by declaring an error.
      if (request.body.error) requireHarness(request, 'The error of a run');
      const answer = { ...request.body, answer: request.body.answer ?? null };
      const run = await runs.answer(request.params.id, answer);
      return summarizeForAgent(run, (await runs.store.usage(run.run_id)).calls);
    },
  );
}

/** `POST /runs/<id>/say`: a question to the user of a dialogue, or a turn's answer, which the next turn follows. */
export function sayRoute(app: TypedApp, context: AgentContext): void {
  app.post(
    '/runs/:id/say',
    {
      config: { kind: 'runs', plane: 'agent' },
      schema: {
        operationId: 'say_in_run',
        tags: ['run'],
        summary: "Says something to the user of a dialogue: a question, or the turn's answer.",
        params: sessionParams,
        body: said,
        response: answers({ 200: userMessage }),
      },
    },
    async (request, reply) => {
      const runs = requireRuns(context);
      const answer = await runs.say(request.params.id, request.body);
      return sendAnswer(reply, answer) as never;
    },
  );
}

/** `POST /tasks/<sample_id>/judgement`: judges an answer that belongs to no run. */
export function judgementRoute(app: TypedApp, context: AgentContext): void {
  app.post(
    '/tasks/:split/:db/:question_id/:formulation/judgement',
    {
      config: { kind: 'tasks', plane: 'harness' },
      schema: {
        operationId: 'judge_answer',
        tags: ['tasks'],
        summary: 'Judges an answer to a task by the answer contract: strictly, and as a fair reader would.',
        params: sampleParams,
        body: judgedAnswer,
        response: answers({ 200: answerVerdict }),
      },
    },
    async (request) => {
      const { sample_id } = context.tasks.get(sampleIdOf(request.params));
      if (!context.judge) throw scoringDisabled();
      const verdict = await context.judge(sample_id, writeJson(request.body.answer ?? null));
      if (!verdict) throw new HttpProblem('UNKNOWN_TASK', `The gold has no task ${sample_id}.`);
      return verdict;
    },
  );
}

/** Parses an answer's body: numbers in the answer itself keep their digits. Throws SyntaxError and BAD_REQUEST. */
export function readAnswerBody(text: string): unknown {
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null || !('answer' in body)) return body;
  // A string holds no numbers, and parsing them exactly takes twenty times as long.
  if (typeof body.answer === 'string') return body;
  const exact = readJson(text);
  return typeof exact === 'object' && exact !== null && 'answer' in exact
    ? { ...body, answer: exact.answer }
    : body;
}
