import {
  interval,
  number,
  percent,
  type ReportTable,
  type TableColumn,
  tableOf,
} from '../metrics/figures.ts';
import type { Change, ComparedReport, Comparison, CorrectedPair } from './compare.ts';

const MOST_SHOWN = 10;

/** A comparison as tables for a terminal: the reports, then the differences of every pair. */
export function comparisonTables({ reports, pairs }: Comparison): ReportTable[] {
  // With many reports, the changed samples would bury the figures; the JSON has them all.
  const changes =
    pairs.length === 1
      ? pairs.flatMap(({ gained, lost }) => [changeTable('Gained', gained), changeTable('Lost', lost)])
      : [];
  return [reportsTable(reports), attemptsTable(reports), ...pairs.map(pairTable), ...changes].filter(
    ({ rows }) => rows.length > 0,
  );
}

function reportsTable(reports: readonly ComparedReport[]): ReportTable {
  const cost = (value: number | null, width: number) => (value?.toFixed(4) ?? '–').padStart(width);
  return tableOf('Reports', reports, [
    ['', ({ name }) => name],
    ['completion', ({ metrics: m }) => m.completion.value, percent],
    ['95 % interval', ({ metrics: m }) => interval(m.completion.ci)],
    ['intent F1', ({ metrics: m }) => m.intent.prefix.f1, percent],
    ['slot F1', ({ metrics: m }) => m.slot.canonical.f1, percent],
    ['not run', ({ ledger }) => ledger.not_run, number],
    ['      cost', ({ metrics: m }) => m.efficiency.total_cost, cost],
    ['a pass', ({ metrics: m }) => m.efficiency.cost_per_pass, cost],
  ]);
}

function attemptsTable(reports: readonly ComparedReport[]): ReportTable {
  const known = reports.flatMap(({ name, repeated }) => (repeated ? [{ name, ...repeated }] : []));
  const ks = Array.from({ length: Math.max(0, ...known.map(({ epochs }) => epochs)) }, (_, i) => i + 1);
  const columns = (sign: string, which: 'any' | 'all') =>
    ks.map((k): TableColumn<(typeof known)[number]> => {
      return [
        ` pass${sign}${k}`,
        ({ at }) => at.find((each) => each.k === k)?.[which].value ?? null,
        percent,
      ];
    });
  return tableOf('Several attempts at each sample', known, [
    ['', ({ name }) => name],
    ['samples', ({ samples }) => samples, number],
    ...columns('@', 'any'),
    ...columns('^', 'all'),
  ]);
}

function pairTable({ first, second, figures, formulations, unpaired }: CorrectedPair): ReportTable {
  const left = unpaired > 0 ? `; ${unpaired} that only one of them ran are left out` : '';
  const named = formulations.map((figure) => ({ ...figure, name: `completion, ${figure.name}` }));
  return tableOf(
    `${first} → ${second}, over the samples that both ran${left}`,
    [...figures, ...named],
    [
      ['', ({ name }) => name],
      [' first', (figure) => figure.first, percent],
      ['second', (figure) => figure.second, percent],
      ['difference', ({ difference }) => difference, signed],
      ['95 % interval', ({ ci }) => (ci === null ? '' : `${signed(ci[0], 6)} – ${signed(ci[1], 5)}`)],
      ['     p', ({ p }) => p, chance],
      ['p (Holm)', ({ p_holm }) => p_holm, chance],
      ['samples', ({ n }) => n, number],
      ['questions', ({ questions }) => questions, number],
    ],
  );
}

function changeTable(title: string, changes: readonly Change[]): ReportTable {
  const rows = changes.slice(0, MOST_SHOWN).map(({ sample_id, first, second }) => [sample_id, first, second]);
  const more = changes.length > MOST_SHOWN ? [[`… and ${changes.length - MOST_SHOWN} more`, '', '']] : [];
  return {
    title: `${title}: ${changes.length}`,
    head: ['sample', 'first', 'second'],
    rows: [...rows, ...more],
  };
}

function chance(p: number | null, width: number): string {
  return (p === null ? '' : p < 0.001 ? '<0.001' : p.toFixed(3)).padStart(width);
}

/** Percentage points with an explicit sign. */
function signed(value: number | null, width: number): string {
  return (value === null ? '–' : `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`).padStart(width);
}
