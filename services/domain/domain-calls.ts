import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Problem } from '../../contracts/api.ts';
import { addressOf } from '../../contracts/formulation.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import { writeFacts } from '../../contracts/records.ts';
import { type Formulation, formulation } from '../../contracts/sample.ts';
import { type Caller, callerName, OWN_CALLER } from '../base/http/caller.ts';
import { requestIds, toProblem } from '../base/http/create-app.ts';
import { HttpProblem, PROBLEM_TYPE } from '../base/http/problem.ts';
import { type Journal, JournalStep } from '../base/sqlite/private-copy.ts';
import type { CallWatcher } from '../base/telemetry.ts';
import { SERVED_FORMULATIONS } from './formulations.ts';
import type { ToolContext } from './tools/live-tools.ts';
import type { CallResult, CallState, DomainCall } from './tools/tool-spec.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Absent in a process that serves no domains. */
    domainCalls?: DomainCalls;
  }
}

export interface CallAnswer extends CallResult {
  readonly contentType: string;
  readonly retryAfter?: string;
}

export interface InnerCaller extends Caller, CallState {
  /** Id of the enclosing request. Default: a new one. */
  readonly requestId?: string | undefined;
  /** The W3C traceparent header of that request. */
  readonly traceparent?: string | undefined;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * In-process calls of the tools of a service's domains: answered, counted and logged as over HTTP. The caller must have
 * passed the guards (keys, rates, roles, faults) already.
 */
export class DomainCalls {
  readonly #context: ToolContext;
  readonly #log: FastifyBaseLogger;
  readonly #watchers: readonly CallWatcher[];
  readonly #requestId = requestIds();

  constructor(context: ToolContext, log: FastifyBaseLogger, watchers: readonly CallWatcher[]) {
    this.#context = context;
    this.#log = log;
    this.#watchers = watchers;
  }

  /** Never rejects: a failed call gives a problem as its answer. */
  async call(kind: Formulation, call: DomainCall, asker: InnerCaller = OWN_CALLER): Promise<CallAnswer> {
    const began = performance.now();
    const id = this.#requestId({ headers: { 'x-request-id': asker.requestId } });
    const { service, name, arguments: args, view } = call;
    const { split, db } = service;
    const request = () => FORMULATIONS[kind].requestOf(service, call);
    const { traceparent } = asker;
    const ends = this.#watchers.map((watch) => {
      const { method, path } = request();
      return watch({ id, kind, domain: db, method, path, traceparent });
    });
    let answer: CallAnswer;
    try {
      const { journal, ifMatch, policies } = asker;
      const domain = this.#context.domains.get(split, db).written(journal ?? []);
      const mayWrite = journal !== undefined;
      const placed = { service, name, arguments: args, view, domain, mayWrite, ifMatch, policies };
      const made = await SERVED_FORMULATIONS[kind].answer(this.#context, placed, asker);
      answer = { contentType: JSON_TYPE, ...(typeof made === 'string' ? { status: 200, body: made } : made) };
    } catch (error) {
      const problem = toProblem(error as Error, id);
      if (problem.code === 'INTERNAL')
        this.#log.error({ err: error, request_id: id, url: addressOf(request()) }, 'a request failed');
      answer = problemAnswer(problem.toProblem(), problem.headers['retry-after']);
    }
    const ms = performance.now() - began;
    const { status, body } = answer;
    const domain = this.#context.domains.byName(db) ? db : '';
    this.#context.metrics.requests.count({ domain, kind, code: status }, ms);
    for (const end of ends) end({ status, ms, bytes: Buffer.byteLength(body) });
    return answer;
  }
}

export function problemAnswer(problem: Problem, retryAfter?: string): CallAnswer {
  return {
    status: problem.status,
    contentType: PROBLEM_TYPE,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    body: JSON.stringify(problem),
  };
}

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

interface StateCall extends DomainCall, CallState {
  readonly formulation: Formulation;
  readonly journal: Journal;
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
