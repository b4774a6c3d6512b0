import type { FastifyInstance, FastifyRequest } from 'fastify';
import { runAnswer, runRequest } from '../../../contracts/run.ts';
import { checked } from '../../base/http/checked.ts';
import { readJson, writeJson } from '../../base/http/json-text.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { createRuns } from '../runs/create-runs.ts';
import { exportPredictions } from '../runs/export-predictions.ts';
import type { LiveRuns } from '../runs/live-runs.ts';
import type { RunRecord } from '../runs/run-records.ts';
import { summarizeRun, viewRun } from '../runs/view-run.ts';
import { describeTask } from '../tasks/describe-task.ts';
import type { AgentContext } from './agent-context.ts';
import { findRun } from './find-surface.ts';
import { surfaceRoutes } from './surface-routes.ts';

/**
 * `POST /runs` begins runs; below `/runs/<id>` is everything an agent needs, recorded; `POST /runs/<id>/answer` ends
 * one. There is no list of runs: whoever does not know a run's id finds nothing of it.
 */
export function runRoutes(app: FastifyInstance, context: AgentContext): void {
  const config = { kind: 'runs' };

  app.post('/runs', { config }, (request, reply) => {
    const { store } = requireRuns(context);
    const { lists, tasks, faults, farmHash } = context;
    const asked = checked(runRequest, readBody(request));
    const runs = createRuns(asked, { tasks, lists, faults, farmHash, now: Date.now() });
    store.addRuns(runs);
    const created = runs.map((run) => describeRun(context, run));
    reply.code(201);
    const batch = runs[0]?.batch_id;
    return reply.send(batch ? { batch_id: batch, base: `/runs/${batch}`, runs: created } : created[0]);
  });

  app.get('/runs/:run', { config }, (request, reply) => {
    const { store } = requireRuns(context);
    const { run, batch } = findRuns(context, request);
    const body = run
      ? viewRun(run, store.calls(run.run_id), Date.now())
      : {
          batch_id: idOf(request),
          runs: batch.map((each) => summarizeRun(each, store.usage(each.run_id).calls)),
        };
    return reply.header('cache-control', 'no-store').type(JSON_TYPE).send(writeJson(body));
  });

  app.post('/runs/:run/answer', { config }, (request, reply) => {
    const runs = requireRuns(context);
    const answer = checked(runAnswer, readAnswerBody(request));
    const run = runs.answer(idOf(request), { ...answer, answer: answer.answer ?? null });
    return reply.send(summarizeRun(run, runs.store.usage(run.run_id).calls));
  });

  app.get('/runs/:run/predictions', { config }, (request, reply) => {
    const all = requireOver(findRuns(context, request));
    if (all.some((run) => run.list_options.obfuscate)) {
      const where =
        'The calls of obfuscated runs have their real names in predictions; use `rookery runs export`.';
      throw new HttpProblem('SCORING_OFF', where);
    }
    const text = [...exportPredictions(all, (id) => requireRuns(context).store.calls(id))].join('');
    return reply.header('cache-control', 'no-store').type('application/jsonl; charset=utf-8').send(text);
  });

  app.get('/runs/:run/score', { config }, async (request, reply) => {
    const { scorer } = context;
    if (!scorer) {
      const how =
        'This server holds no gold. Save what GET …/predictions answers and give it to `rookery score <farm> <file>`; `rookery serve --score` scores by itself.';
      throw new HttpProblem('SCORING_OFF', how);
    }
    const all = requireOver(findRuns(context, request));
    const text = [...exportPredictions(all, (id) => requireRuns(context).store.calls(id))].join('');
    return reply.header('cache-control', 'no-store').send(await scorer(text));
  });

  surfaceRoutes(app, '/runs/:run', (request) => findRun(context, request));
}

const JSON_TYPE = 'application/json; charset=utf-8';

function requireRuns({ runs }: AgentContext): LiveRuns {
  if (runs) return runs;
  throw new HttpProblem('RUNS_OFF', 'This server was started without a place to keep runs.');
}

/** A run, or all those of a batch. Throws UNKNOWN_RUN. */
function findRuns(
  context: AgentContext,
  request: FastifyRequest,
): { run: RunRecord | null; batch: readonly RunRecord[] } {
  const runs = requireRuns(context);
  const id = idOf(request);
  const batch = id.startsWith('b') ? [...runs.store.runs({ batch: id })] : [];
  if (batch.length > 0) return { run: null, batch };
  return { run: runs.run(id), batch: [] };
}

/** Of a batch the runs that are over: the others have not been run yet. Throws RUN_NOT_OVER. */
function requireOver({ run, batch }: ReturnType<typeof findRuns>): readonly RunRecord[] {
  const over = (run ? [run] : batch).filter(({ status }) => status !== 'open');
  if (over.length > 0) return over;
  throw new HttpProblem('RUN_NOT_OVER', 'Nothing to see yet: give an answer with POST …/answer first.');
}

function describeRun({ tasks }: AgentContext, run: RunRecord) {
  const { calls: _none, ...summary } = summarizeRun(run, 0);
  const { base } = summary;
  return {
    ...summary,
    task: describeTask(tasks.get(run.sample_id), base, { evidence: run.evidence }),
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

function idOf(request: FastifyRequest): string {
  return (request.params as { run: string }).run;
}

/** The answer itself keeps the text of its numbers: digits beyond 2^53 are right or wrong too. */
function readAnswerBody(request: FastifyRequest): unknown {
  const body = readBody(request);
  if (typeof body !== 'object' || body === null || !('answer' in body)) return body;
  return { ...body, answer: (readJson(request.body as string) as { answer: unknown }).answer };
}

function readBody(request: FastifyRequest): unknown {
  const text = typeof request.body === 'string' ? request.body : '';
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch (error) {
    throw new HttpProblem('BAD_REQUEST', `The body is not JSON: ${(error as Error).message}`);
  }
}
