import { setTimeout } from 'node:timers/promises';
import {
  type AnnouncedFaultKind,
  announcedFaultKind,
  type FaultKind,
  type FaultProfile,
  type FaultRule,
  isSilent,
} from '../../../contracts/fault.ts';
import {
  internalProblem,
  lateAnswer,
  tooManyRequests,
  tooManySlowQueries,
} from '../../base/http/busy-problems.ts';
import type { HttpProblem } from '../../base/http/problem.ts';
import type { BackendAnswer } from '../backend/backend.ts';
import { problemAnswer } from '../backend/problem-answer.ts';
import { type Corruption, driftJson, malformText, truncateText } from './corrupt-json.ts';

const DEFAULT_LATENCY_MS = 1000;
const DEFAULT_TIMEOUT_MS = 30_000;
/** What a server with a limit might say. */
const REQUESTS_A_MINUTE = 60;

/**
 * An answer with a fault in it. `carryOut` is called unless the fault is one that comes before the service does
 * anything; `at`, from 0 up to 1, says which variant of the fault it is. It reads as a fault that nobody meant does,
 * down to the id of the request.
 */
export async function injectFault(
  rule: FaultRule,
  at: number,
  carryOut: () => Promise<BackendAnswer>,
  requestId: string,
): Promise<BackendAnswer> {
  const retryAfter = String(rule.retry_after_s ?? 1);
  const corrupt = async (change: (corruption: Corruption) => string): Promise<BackendAnswer> => {
    const answer = await carryOut();
    return { ...answer, body: change({ text: answer.body, at }) };
  };
  const faults: Readonly<Record<AnnouncedFaultKind, () => Promise<BackendAnswer>>> = {
    latency: async () => {
      await setTimeout(rule.ms ?? DEFAULT_LATENCY_MS);
      return carryOut();
    },
    timeout: async () => {
      await setTimeout(rule.ms ?? DEFAULT_TIMEOUT_MS);
      return refuse(lateAnswer('The service'));
    },
    rate_limit: async () => refuse(tooManyRequests(REQUESTS_A_MINUTE, rule.retry_after_s ?? 1), retryAfter),
    unavailable: async () => refuse(tooManySlowQueries(retryAfter), retryAfter),
    server_error: async () => refuse(internalProblem(requestId)),
    truncated: () => corrupt(truncateText),
    malformed: () => corrupt(malformText),
    schema_drift: () => corrupt(driftJson),
  };
  const announced = announcedFaultKind.safeParse(rule.fault);
  return announced.success ? faults[announced.data]() : carryOut();
}

const SPOILING: readonly FaultKind[] = [
  'truncated',
  'malformed',
  'schema_drift',
  'shifted_rows',
  'wrong_unit',
];

/** Whether a profile makes answers of another shape than the service's own. */
export function corruptsAnswers(profile: FaultProfile | null | undefined): boolean {
  return profile?.rules.some(({ fault, rate }) => rate > 0 && SPOILING.includes(fault)) ?? false;
}

/** Whether an agent cannot have made use of the answer: it has every reason to make the same call again. */
export function isLost(fault: FaultKind | null): boolean {
  return fault !== null && fault !== 'latency' && fault !== 'schema_drift' && !isSilent(fault);
}

function refuse(problem: HttpProblem, retryAfter?: string): BackendAnswer {
  return problemAnswer(problem.toProblem(), retryAfter);
}
