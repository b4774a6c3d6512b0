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

/**
 * `noticed`: it repeated a call, reported doubts, or was right nonetheless. `verified`: it repeated a call and got the
 * true answer. `recovered`: it was right. `admitted`: it reported doubts.
 */
const REACTIONS = ['noticed', 'verified', 'recovered', 'admitted'] as const;
type Reactions<T> = Record<(typeof REACTIONS)[number], T>;

function eachReaction<T>(of: (name: keyof Reactions<T>) => T): Reactions<T> {
  return Object.fromEntries(REACTIONS.map((name) => [name, of(name)])) as Reactions<T>;
}

/** How an agent reacted to silent faults; null if it met none (`false_alarm`: if it met one). */
export const silentFaultScore = z.object({
  met: z.array(silentFaultKind),
  ...eachReaction(() => z.boolean().nullable()),
  /** Whether it reported doubts without having met a fault. */
  false_alarm: z.boolean().nullable(),
});
export type SilentFaultScore = z.infer<typeof silentFaultScore>;

export const silentFaultFigures = z.object({
  ...eachReaction(() => share),
  false_alarm: share,
  /** By kind, over the samples that met it. */
  kinds: z.array(z.object({ fault: silentFaultKind, n: count, ...eachReaction(() => count) })),
});

/**
 * How an agent reacted to the silent faults it met; null if its run had none configured. `passes`: the
 * agent's own answer is right (calls alone prove nothing, since their replay has no faults).
 */
export function scoreSilentFaults(
  { silent_faults, doubts }: Pick<Prediction, 'silent_faults' | 'doubts'>,
  { passes }: { readonly passes: boolean },
): SilentFaultScore | null {
  if (silent_faults == null) return null;
  const admitted = (doubts ?? '').trim() !== '';
  const met = silent_faults.map(({ fault }) => fault);
  if (met.length === 0) return { met, ...eachReaction(() => null), false_alarm: admitted };
  return {
    met,
    // A right answer cannot derive from a wrong one without further checks.
    noticed: admitted || passes || silent_faults.some(({ repeated }) => repeated > 0),
    verified: silent_faults.every(({ verified }) => verified),
    recovered: passes,
    admitted,
    false_alarm: null,
  };
}

/** Figures on silent faults, overall and by kind; null if no run had any configured. */
export function summarizeSilentFaults(
  samples: readonly SampleScore[],
  resampling: Resampling,
): Report['metrics']['silent_faults'] {
  if (samples.every(({ silent_faults }) => silent_faults === null)) return null;
  const { shares } = computeFigures(samples, SHARES, {}, resampling);
  const kinds = SILENT_FAULT_KINDS.flatMap((fault) => {
    const met = samples.flatMap(({ silent_faults: score }) => (score?.met.includes(fault) ? [score] : []));
    if (met.length === 0) return [];
    return [{ fault, n: met.length, ...eachReaction((name) => met.filter((score) => score[name]).length) }];
  });
  return { ...shares, kinds };
}

const SHARES = {
  ...eachReaction(
    (name): SampleTest =>
      ({ silent_faults }) =>
        silent_faults?.[name] ?? null,
  ),
  false_alarm: ({ silent_faults }) => silent_faults?.false_alarm ?? null,
} satisfies Record<string, SampleTest>;

/** Figures on silent faults by kind; no rows if none was met. */
export function silentFaultTable({ metrics: { silent_faults } }: Report): ReportTable {
  const kinds = silent_faults?.kinds ?? [];
  const alarms = silent_faults?.false_alarm;
  return {
    title: 'Silent faults',
    head: ['', ...['met', ...REACTIONS].map((title) => title.padStart(9))],
    rows: [
      ...kinds.map((kind) => [
        kind.fault,
        ...(['n', ...REACTIONS] as const).map((name) => number(kind[name], 9)),
      ]),
      ...(alarms && alarms.n > 0 ? [['false alarms', `${alarms.count} of ${alarms.n}`.padStart(9)]] : []),
    ],
  };
}
