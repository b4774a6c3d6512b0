import type { LuckGroup, Report } from '../../contracts/report.ts';
import { number, percent } from './figure-text.ts';
import type { ReportTable } from './report-table.ts';

/** Passes and how many of them were luck, by formulation and by construct; no tables unless they were judged in worlds. */
export function worldTables({ worlds }: Report): ReportTable[] {
  if (worlds === null) return [];
  const row = ({ key, passes, lucky }: LuckGroup) => [
    key,
    number(passes, 6),
    number(passes - lucky, 6),
    number(lucky, 6),
    percent(passes === 0 ? null : lucky / passes, 14),
  ];
  const head = ['', 'passes', 'robust', ' lucky', 'share of luck'.padStart(14)];
  return [
    {
      title: `Passes in ${worlds.worlds} worlds`,
      head,
      rows: [...worlds.formulations, worlds].map(row),
    },
    {
      title: 'Lucky passes, by construct of the gold SQL',
      head,
      rows: worlds.constructs.filter(({ lucky }) => lucky > 0).map(row),
    },
  ];
}

/** What the headline says of worlds; '' when there are none. */
export function robustText(worlds: Report['worlds']): string {
  if (worlds === null) return '';
  const left = worlds.not_judged === 0 ? '' : `; ${worlds.not_judged} passes that no world keeps`;
  return `; robust in ${worlds.worlds} worlds: ${worlds.passes - worlds.lucky} of ${worlds.passes} passes${left}`;
}
