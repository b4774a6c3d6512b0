import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, problem as problemSchema } from '../../../contracts/api.ts';
import type { FaultKind } from '../../../contracts/faults.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import { CALLER_HEADER, callerName, wantsFresh } from '../../base/http/caller.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { type CallAnswer, type DomainCalls, problemAnswer } from '../../domain/domain-calls.ts';
import type { CallState, DomainCall } from '../../domain/tools/tool-spec.ts';

export interface ServiceCall extends DomainCall, Omit<CallState, 'ifMatch'> {
  readonly formulation: Formulation;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Aborted when the client hangs up; the answer is then CALLER_GONE. */
  readonly signal?: AbortSignal | undefined;
}

export interface BackendAnswer extends CallAnswer {
  readonly fault?: FaultKind;
}

export interface Backend {
  /** Rejects only when there is no answer at all. */
  call(call: ServiceCall): Promise<BackendAnswer>;
  close?(): Promise<void>;
}

export function ownBackend(calls: DomainCalls): Backend {
  return {
    call: ({ formulation, headers = {}, signal, journal, policies, ...call }) =>
      calls.call(formulation, call, {
        caller: headers[CALLER_HEADER]?.slice(0, 80) ?? '',
        fresh: wantsFresh({ headers }),
        signal,
        requestId: headers['x-request-id'],
        traceparent: headers.traceparent,
        journal,
        policies,
        ifMatch: headers['if-match'],
      }),
  };
}

export function backendAnswer(status: number, headers: OutgoingHttpHeaders, body: string): BackendAnswer {
  const retryAfter = headers['retry-after'];
  return {
    status,
    contentType: String(headers['content-type'] ?? ''),
    ...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }),
    body,
  };
}

/** The recorded answer of a call whose client hung up first. */
export function callerGone(): BackendAnswer {
  return problemAnswer(new HttpProblem('CALLER_GONE', 'The caller hung up before the answer.').toProblem());
}

export function problemCode({ body }: BackendAnswer): string | null {
  return readProblem(body)?.code ?? null;
}

export function readProblem(body: string): Problem | null {
  try {
    return problemSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

export function sendAnswer(reply: FastifyReply, answer: BackendAnswer): FastifyReply {
  if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter);
  if (answer.fault !== undefined && reply.request.isHarness) reply.header('x-rookery-fault', answer.fault);
  return reply
    .code(answer.status)
    .headers({ 'cache-control': 'no-store', ...answer.headers })
    .header('content-type', answer.contentType)
    .send(answer.body);
}

const PASSED_ON = ['authorization', 'x-api-key', 'x-request-id', 'if-match', 'idempotency-key'] as const;
export const PASSED_HEADERS = [...PASSED_ON, CALLER_HEADER, 'traceparent'] as const;

/** The header fields of an agent's request that its service must see. */
export function passedHeaders(
  request: Pick<FastifyRequest, 'headers' | 'id' | 'ip' | 'raw' | 'server'> &
    Partial<Pick<FastifyRequest, 'traceparent'>>,
): Record<string, string> {
  const traceparent = request.traceparent ?? request.headers.traceparent;
  const headers: Record<string, string> = {
    'x-request-id': request.id,
    [CALLER_HEADER]: callerName(request),
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
  };
  for (const name of PASSED_ON) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}
