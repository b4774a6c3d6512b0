import { agentRunSummary, runAnswer } from '../../../contracts/run.ts';
import { answerVerdict, judgedAnswer } from '../../../contracts/served-gold.ts';
import { readJson, writeJson } from '../../base/http/json-text.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { answers, type TypedApp } from '../../base/http/typed-routes.ts';
import { requireHarness } from '../planes/guard-planes.ts';
import { summarizeForAgent } from '../runs/view-run.ts';
import type { AgentContext } from './agent-context.ts';
import { scoringDisabled } from './gold-is-elsewhere.ts';
import { requireRuns } from './require-runs.ts';
import { sessionParams } from './surface-routes.ts';
import { sampleIdOf, sampleParams } from './task-routes.ts';

/** `POST /runs/<id>/answer`: the agent's answer, which ends its run. */
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
      // A run that broke is no wrong answer, so an agent could choose to have failed nowhere.
      if (request.body.error) requireHarness(request, 'The error of a run');
      const answer = { ...request.body, answer: request.body.answer ?? null };
      const run = await runs.answer(request.params.id, answer);
      return summarizeForAgent(run, (await runs.store.usage(run.run_id)).calls);
    },
  );
}

/** `POST /tasks/<sample_id>/judgement`: what an answer is worth that nobody has handed in. */
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

/** The body of an answer: the numbers in the answer itself keep their digits. Throws SyntaxError and BAD_REQUEST. */
export function readAnswerBody(text: string): unknown {
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null || !('answer' in body)) return body;
  // A text has no numbers, and reading them exactly takes twenty times as long.
  if (typeof body.answer === 'string') return body;
  const exact = readJson(text);
  return typeof exact === 'object' && exact !== null && 'answer' in exact
    ? { ...body, answer: exact.answer }
    : body;
}
