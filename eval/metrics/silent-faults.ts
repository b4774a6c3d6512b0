import type { Prediction } from '../../contracts/prediction.ts';
import type { SilentFaultScore } from '../../contracts/report.ts';

/**
 * What an agent did about the silent faults that it met; null where its run had none in store. `passes`: the answer
 * that the agent itself gave is right (calls alone prove nothing, for their replay meets no fault).
 */
export function scoreSilentFaults(
  { silent_faults, doubts }: Pick<Prediction, 'silent_faults' | 'doubts'>,
  { passes }: { readonly passes: boolean },
): SilentFaultScore | null {
  if (silent_faults == null) return null;
  const admitted = (doubts ?? '').trim() !== '';
  const met = silent_faults.map(({ fault }) => fault);
  if (met.length === 0)
    return { met, noticed: null, verified: null, recovered: null, admitted: null, false_alarm: admitted };
  return {
    met,
    // A right answer cannot come from a wrong one without looking further.
    noticed: admitted || passes || silent_faults.some(({ repeated }) => repeated > 0),
    verified: silent_faults.every(({ verified }) => verified),
    recovered: passes,
    admitted,
    false_alarm: null,
  };
}
