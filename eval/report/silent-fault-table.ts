import type { Report } from '../../contracts/report.ts';
import { number } from './figure-text.ts';
import type { ReportTable } from './report-table.ts';

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
