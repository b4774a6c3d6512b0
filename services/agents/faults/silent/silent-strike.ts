import type { FaultProfile, FaultRule } from '../../../../contracts/fault.ts';
import {
  type FaultWitness,
  faultWitness,
  type ProvenFault,
  type ProvenFaults,
  type SilentFaultKind,
} from '../../../../contracts/silent-fault.ts';
import { seededNumber } from '../../../base/seeded-order.ts';
import { meansTool } from '../draw-fault.ts';
import { answerHash } from './answer-hash.ts';
import { spoilAnswer } from './spoil-answer.ts';

/** An answer of a service to a call of a run. */
export interface StruckAnswer {
  readonly sampleId: string;
  /** What the task's answers can have; undefined for none. */
  readonly proven: ProvenFaults | undefined;
  /** The tool's real name. */
  readonly tool: string;
  /** As the service gave it. */
  readonly text: string;
  /** Whether the run is offered a tool, by its real name. */
  readonly offers: (tool: string) => boolean;
  /** Whether this run has met a silent fault in this tool's answers. */
  readonly struckBefore: () => boolean;
}

/**
 * The silent fault that a profile has for an answer, with the text that the agent gets; null for none. It strikes no
 * answer but the one for which the generator has proven that it can be told, and depends on nothing but the profile,
 * the task and, where it does not last, on whether the agent asks for the first time.
 */
export function applySilentFault(
  profile: FaultProfile,
  { sampleId, proven, tool, text, offers, struckBefore }: StruckAnswer,
): { readonly fault: SilentFaultKind; readonly text: string } | null {
  if (!proven || proven.tool !== tool) return null;
  const { other_endpoint: other } = proven;
  /** Those that this run has. */
  const witnesses = faultWitness.options.filter(
    (witness) => witness !== 'repeat' && (witness !== 'other_endpoint' || (other && offers(other.tool))),
  );
  for (const [at, rule] of profile.rules.entries()) {
    const found = proven.faults.find((each) => isMeant(each, rule, witnesses));
    if (!found || !meansTool(rule, tool)) continue;
    if (seededNumber(profile.seed, 'silent', sampleId, at) >= rule.rate) continue;
    if (answerHash(text) !== proven.answer) return null;
    if (rule.lasting !== 'permanent' && struckBefore()) return null;
    const { stale_rows } = proven;
    const spoilt = spoilAnswer(text, stale_rows === undefined ? found : { ...found, stale_rows });
    return spoilt === null ? null : { fault: found.fault, text: spoilt };
  }
  return null;
}

/** Whether a rule means a proven fault. One that lasts must be told by something else than calling again. */
function isMeant(
  proven: ProvenFault,
  { fault, contradiction, lasting }: FaultRule,
  has: readonly FaultWitness[],
): boolean {
  return (
    proven.fault === fault &&
    (contradiction === undefined || proven.contradiction === contradiction) &&
    (lasting !== 'permanent' || proven.witnesses.some((witness) => has.includes(witness)))
  );
}
