import type { Report, SampleScore, SilentFaultScore } from '../../contracts/report.ts';
import { SILENT_FAULT_KINDS } from '../../contracts/silent-fault-kinds.ts';
import { computeFigures, type Resampling, type SampleTest } from './figures.ts';

/** What agents did about silent faults, together and by kind; null where no run had any in store. */
export function summarizeSilentFaults(
  samples: readonly SampleScore[],
  resampling: Resampling,
): Report['metrics']['silent_faults'] {
  if (samples.every(({ silent_faults }) => silent_faults === null)) return null;
  const { shares } = computeFigures(samples, SHARES, {}, resampling);
  const kinds = SILENT_FAULT_KINDS.flatMap((fault) => {
    const met = samples.flatMap(({ silent_faults: score }) => (score?.met.includes(fault) ? [score] : []));
    const count = (of: (score: SilentFaultScore) => boolean | null) =>
      met.filter((score) => of(score) === true).length;
    if (met.length === 0) return [];
    return [
      {
        fault,
        n: met.length,
        noticed: count(({ noticed }) => noticed),
        verified: count(({ verified }) => verified),
        recovered: count(({ recovered }) => recovered),
        admitted: count(({ admitted }) => admitted),
      },
    ];
  });
  return { ...shares, kinds };
}

const SHARES = {
  noticed: ({ silent_faults }) => silent_faults?.noticed ?? null,
  verified: ({ silent_faults }) => silent_faults?.verified ?? null,
  recovered: ({ silent_faults }) => silent_faults?.recovered ?? null,
  admitted: ({ silent_faults }) => silent_faults?.admitted ?? null,
  false_alarm: ({ silent_faults }) => silent_faults?.false_alarm ?? null,
} satisfies Record<string, SampleTest>;
