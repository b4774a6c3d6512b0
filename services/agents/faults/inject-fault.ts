import { setTimeout } from 'node:timers/promises';
import {
  type AnnouncedFaultKind,
  announcedFaultKind,
  type FaultKind,
  type FaultProfile,
  type FaultRule,
  isSilent,
} from '../../../contracts/fault.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { BackendAnswer } from '../backend/backend.ts';
import { problemAnswer } from '../backend/problem-answer.ts';
import { type Corruption, driftJson, malformText, truncateText } from './corrupt-json.ts';

const DEFAULT_LATENCY_MS = 1000;
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * An answer with a fault in it. `carryOut` is called unless the fault is one that comes before the service does
 * anything; `at`, from 0 up to 1, says which variant of the fault it is.
 */
export async function injectFault(
  rule: FaultRule,
  at: number,
  carryOut: () => Promise<BackendAnswer>,
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
      return refuse('GATEWAY_TIMEOUT', 'The service did not answer in time.');
    },
    rate_limit: async () =>
      refuse('RATE_LIMITED', `Too many requests; come again in ${retryAfter} s.`, retryAfter),
    unavailable: async () =>
      refuse('OVERLOADED', `The service is busy; come again in ${retryAfter} s.`, retryAfter),
    server_error: async () => refuse('INTERNAL', 'Something went wrong.'),
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

function refuse(
  code: 'GATEWAY_TIMEOUT' | 'RATE_LIMITED' | 'OVERLOADED' | 'INTERNAL',
  detail: string,
  retryAfter?: string,
): BackendAnswer {
  return problemAnswer(new HttpProblem(code, detail).toProblem(), retryAfter);
}
