import type { FaultKind, FaultProfile } from '../../../contracts/fault.ts';
import { requestIds } from '../../base/http/request-id.ts';
import { seededNumber } from '../../base/seeded-order.ts';
import type { BackendAnswer } from '../backend/backend.ts';
import { drawFault, type FaultedCall } from './draw-fault.ts';
import { injectFault } from './inject-fault.ts';

/** Answers a call as the fault has it, marked with its kind; the call is carried out unless the fault comes before. */
export type DueFault = (
  carryOut: () => Promise<BackendAnswer>,
  headers?: Readonly<Record<string, string>>,
) => Promise<BackendAnswer>;

/** The id of the request that a call came with; calls over MCP come with none. */
const requestIdOf = requestIds();

/** The fault that a profile has for a call, of which `onFault` is told, or null. */
export function dueFault(
  profile: FaultProfile,
  call: FaultedCall,
  onFault: (fault: FaultKind) => void,
): DueFault | null {
  const rule = drawFault(profile, call);
  if (!rule) return null;
  onFault(rule.fault);
  const at = seededNumber(profile.seed, 'variant', call.scope, call.n);
  return async (carryOut, headers = {}) => ({
    ...(await injectFault(rule, at, carryOut, requestIdOf({ headers }))),
    fault: rule.fault,
  });
}
