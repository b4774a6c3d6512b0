import type { FastifyBaseLogger } from 'fastify';
import type { Problem } from '../../contracts/api.ts';
import { addressOf } from '../../contracts/formulation.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { PolicyMode } from '../../contracts/records.ts';
import type { Formulation } from '../../contracts/sample.ts';
import { type Caller, OWN_CALLER } from '../base/http/caller.ts';
import { requestIds, toProblem } from '../base/http/create-app.ts';
import { PROBLEM_TYPE } from '../base/http/problem.ts';
import type { Journal } from '../base/sqlite/private-copy.ts';
import type { CallWatcher } from '../base/telemetry.ts';
import { SERVED_FORMULATIONS } from './formulations.ts';
import type { ToolContext } from './tools/live-tools.ts';
import type { CallResult, DomainCall } from './tools/tool-spec.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Absent in a process that serves no domains. */
    domainCalls?: DomainCalls;
  }
}

/** Response of a call, as its route would send it. */
export interface CallAnswer extends CallResult {
  readonly contentType: string;
  /** Value of Retry-After, if the service sets it. */
  readonly retryAfter?: string;
}

/** The caller on whose behalf a call is made. */
export interface InnerCaller extends Caller {
  /** Id of the enclosing request. Default: a new one. */
  readonly requestId?: string | undefined;
  /** The W3C traceparent header of that request. */
  readonly traceparent?: string | undefined;
  /** What the run has changed, if the caller is one that may change records. */
  readonly journal?: Journal | undefined;
  /** The header field If-Match. */
  readonly ifMatch?: string | undefined;
  /** What happens to changes that break a rule of the domain. Default: refused. */
  readonly policies?: PolicyMode | undefined;
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
    const { split, db } = call.service;
    const request = () => FORMULATIONS[kind].requestOf(call.service, call);
    const { traceparent } = asker;
    const ends = this.#watchers.map((watch) => {
      const { method, path } = request();
      return watch({ id, kind, domain: db, method, path, traceparent });
    });
    let answer: CallAnswer;
    try {
      const { journal, ifMatch, policies } = asker;
      const domain = this.#context.domains.get(split, db).written(journal ?? []);
      const placed = { ...call, domain, mayWrite: journal !== undefined, ifMatch, policies };
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
