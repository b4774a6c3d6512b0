import { interval, number, percent, type ReportTable } from '../metrics/figures.ts';
import type { Change, ComparedReport, Comparison, CorrectedFigure, CorrectedPair } from './compare.ts';

const MOST_SHOWN = 10;

/** A comparison as tables for a terminal: the reports, then the differences of every pair. */
export function comparisonTables({ reports, pairs }: Comparison): ReportTable[] {
  // With many reports, the changed samples would bury the figures; the JSON has them all.
  const changes = pairs.length === 1 ? pairs.flatMap(changeTables) : [];
  return [reportsTable(reports), attemptsTable(reports), ...pairs.map(pairTable), ...changes].filter(
    ({ rows }) => rows.length > 0,
  );
}

function reportsTable(reports: readonly ComparedReport[]): ReportTable {
  return {
    title: 'Reports',
    head: ['', 'completion', '95 % interval', 'intent F1', 'slot F1', 'not run', '      cost', 'a pass'],
    rows: reports.map(({ name, metrics: m, ledger }) => [
      name,
      percent(m.completion.value, 10),
      interval(m.completion.ci),
      percent(m.intent.prefix.f1, 9),
      percent(m.slot.canonical.f1, 7),
      number(ledger.not_run, 7),
      (m.efficiency.total_cost?.toFixed(4) ?? '–').padStart(10),
      (m.efficiency.cost_per_pass?.toFixed(4) ?? '–').padStart(6),
    ]),
  };
}

function attemptsTable(reports: readonly ComparedReport[]): ReportTable {
  const most = Math.max(0, ...reports.map(({ repeated }) => repeated?.epochs ?? 0));
  const ks = Array.from({ length: most }, (_, i) => i + 1);
  return {
    title: 'Several attempts at each sample',
    head: ['', 'samples', ...ks.map((k) => ` pass@${k}`), ...ks.map((k) => ` pass^${k}`)],
    rows: reports.flatMap(({ name, repeated }) => {
      if (repeated === null) return [];
      const at = (k: number) => repeated.at.find((each) => each.k === k);
      return [
        [
          name,
          number(repeated.samples, 7),
          ...ks.map((k) => percent(at(k)?.any.value ?? null, 7)),
          ...ks.map((k) => percent(at(k)?.all.value ?? null, 7)),
        ],
      ];
    }),
  };
}

function pairTable({ first, second, figures, formulations, unpaired }: CorrectedPair): ReportTable {
  const left = unpaired > 0 ? `; ${unpaired} that only one of them ran are left out` : '';
  return {
    title: `${first} → ${second}, over the samples that both ran${left}`,
    head: [
      '',
      ' first',
      'second',
      'difference',
      '95 % interval',
      '     p',
      'p (Holm)',
      'samples',
      'questions',
    ],
    rows: [
      ...figures.map((figure) => figureRow(figure, figure.name)),
      ...formulations.map((figure) => figureRow(figure, `completion, ${figure.name}`)),
    ],
  };
}

function figureRow(
  { n, questions, first, second, difference, ci, p, p_holm }: CorrectedFigure,
  name: string,
): string[] {
  return [
    name,
    percent(first, 6),
    percent(second, 6),
    signed(difference).padStart(10),
    ci === null ? '' : `${signed(ci[0]).padStart(6)} – ${signed(ci[1]).padStart(5)}`,
    chance(p, 6),
    chance(p_holm, 8),
    number(n, 7),
    number(questions, 9),
  ];
}

function changeTables({ gained, lost }: CorrectedPair): ReportTable[] {
  return [changeTable('Gained', gained), changeTable('Lost', lost)];
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
function signed(value: number | null): string {
  if (value === null) return '–';
  return `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`;
}
