import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type PolicyMode, writeFacts } from '../../../contracts/records.ts';
import { type Formulation, formulation } from '../../../contracts/sample.ts';
import { callerName } from '../../base/http/caller.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { type Journal, JournalStep } from '../../base/sqlite/private-copy.ts';
import type { CallAnswer } from '../domain-calls.ts';
import type { ToolContext } from '../tools/live-tools.ts';
import type { DomainCall } from '../tools/tool-spec.ts';

const PREFIX = '/internal/state';

/** A call in the state of a run, as one process of a farm sends it to the one that has the databases. */
const stateCall = z.object({
  formulation,
  name: z.string(),
  arguments: z.unknown(),
  view: z.string(),
  journal: z.array(z.string()),
  if_match: z.string().optional(),
  policies: writeFacts.shape.policies,
});

const stateAnswer = z.object({
  status: z.number().int(),
  contentType: z.string(),
  retryAfter: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string(),
  step: z.string().optional(),
});

interface StateCall extends DomainCall {
  readonly formulation: Formulation;
  readonly journal: Journal;
  readonly ifMatch: string | undefined;
  readonly policies: PolicyMode | undefined;
}

/** The request that carries a call with the journal of its run. */
export function stateRequest(
  { split, db }: Pick<DomainCall['service'], 'split' | 'db'>,
  { formulation, name, arguments: args, view, journal, ifMatch, policies }: StateCall,
) {
  const texts = journal.map(({ text }) => text);
  return {
    method: 'POST' as const,
    path: `${PREFIX}/${encodeURIComponent(split)}/${encodeURIComponent(db)}`,
    body: { formulation, name, arguments: args, view, journal: texts, if_match: ifMatch, policies },
  };
}

/** The answer of the call itself. */
export function answerOfState(answer: CallAnswer): CallAnswer {
  if (answer.status !== 200) return answer;
  const { step, ...inner } = stateAnswer.parse(JSON.parse(answer.body));
  return step === undefined ? inner : { ...inner, step: new JournalStep(step) };
}

/**
 * `POST /internal/state/:split/:db`: a call in the state of a run. The caller holds the run, so nothing is kept here,
 * and any replica can answer. Not served where callers come from outside.
 */
export function stateRoutes(app: FastifyInstance, { limits, domains }: ToolContext): void {
  // A journal may be much longer than a call.
  const bodyLimit = limits.maxBodyBytes * 16;
  app.post(`${PREFIX}/:split/:db`, { config: { kind: 'state' }, bodyLimit }, async (request, reply) => {
    const read = stateCall.safeParse(request.body);
    if (app.facesCallers || !app.domainCalls) throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing here');
    if (!read.success) throw new HttpProblem('BAD_REQUEST', 'This is no call in the state of a run.');
    const { formulation, name, arguments: args, view, journal, if_match: ifMatch, policies } = read.data;
    const { service } = domains.of(request);
    const asker = {
      caller: callerName(request),
      fresh: true,
      requestId: request.id,
      journal: journal.map((text) => new JournalStep(text)),
      ifMatch,
      policies,
    };
    const call = { service, name, arguments: args, view };
    const { step, ...answer } = await app.domainCalls.call(formulation, call, asker);
    return reply.type('application/json').send(JSON.stringify({ ...answer, step: step?.text }));
  });
}
