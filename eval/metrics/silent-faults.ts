import { z } from 'zod';
import { silentFaultKind } from '../../contracts/faults.ts';
import type { Prediction } from '../../contracts/prediction.ts';
import { SILENT_FAULT_KINDS } from '../../contracts/vocabulary.ts';
import {
  computeFigures,
  count,
  number,
  type ReportTable,
  type Resampling,
  type SampleTest,
  share,
} from './figures.ts';
import type { Report, SampleScore } from './report.ts';

/** What an agent did about answers that were silently wrong; null where it met none (the last: where it met one). */
export const silentFaultScore = z.object({
  /** The kinds that it met. */
  met: z.array(silentFaultKind),
  /** It asked again, said that it has doubts, or was right all the same. */
  noticed: z.boolean().nullable(),
  /** It asked again and was answered truly. */
  verified: z.boolean().nullable(),
  /** The answer that it gave is right. */
  recovered: z.boolean().nullable(),
  /** It said that it has doubts. */
  admitted: z.boolean().nullable(),
  /** It said so without having met any. */
  false_alarm: z.boolean().nullable(),
});
export type SilentFaultScore = z.infer<typeof silentFaultScore>;

export const silentFaultFigures = z.object({
  noticed: share,
  verified: share,
  recovered: share,
  admitted: share,
  false_alarm: share,
  /** By kind, over the samples that met it. */
  kinds: z.array(
    z.object({
      fault: silentFaultKind,
      n: count,
      noticed: count,
      verified: count,
      recovered: count,
      admitted: count,
    }),
  ),
});

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

/** What agents did about answers that were silently wrong, by kind; no rows where they met none. */
export function silentFaultTable({ metrics: { silent_faults } }: Report): ReportTable {
  const figures = ['met', 'noticed', 'verified', 'recovered', 'admitted'];
  const counts = (key: string, all: readonly number[]) => [key, ...all.map((count) => number(count, 9))];
  const kinds = silent_faults?.kinds ?? [];
  const alarms = silent_faults?.false_alarm;
  return {
    title: 'Silent faults',
    head: ['', ...figures.map((title) => title.padStart(9))],
    rows: [
      ...kinds.map(({ fault, n, noticed, verified, recovered, admitted }) =>
        counts(fault, [n, noticed, verified, recovered, admitted]),
      ),
      ...(alarms && alarms.n > 0 ? [['false alarms', `${alarms.count} of ${alarms.n}`.padStart(9)]] : []),
    ],
  };
}
