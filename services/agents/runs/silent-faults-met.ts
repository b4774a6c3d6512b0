import { isSilent } from '../../../contracts/fault.ts';
import type { SilentFaultMet } from '../../../contracts/prediction.ts';
import { silentFaultKind } from '../../../contracts/silent-fault.ts';
import type { CallRecord } from './run-records.ts';

/** The silent faults of a run's calls, one a call that it did not make again; each with what followed it. */
export function silentFaultsMet(calls: readonly CallRecord[]): SilentFaultMet[] {
  const first = calls.filter(
    (call) =>
      isSilent(call.fault) &&
      !calls.some((each) => each.n < call.n && isSilent(each.fault) && isSame(each, call)),
  );
  return first.map((call) => {
    const later = laterSame(call, calls);
    return {
      fault: silentFaultKind.parse(call.fault),
      tool: call.real_tool ?? call.tool,
      repeated: later.length,
      verified: later.some(({ status, fault }) => status === 200 && fault === null),
    };
  });
}

/** The same call as it was made afterwards. */
export function laterSame(call: CallRecord, calls: readonly CallRecord[]): CallRecord[] {
  return calls.filter((each) => each.n > call.n && isSame(each, call));
}

function isSame(a: CallRecord, b: CallRecord): boolean {
  return a.real_tool === b.real_tool && a.real_arguments === b.real_arguments;
}
