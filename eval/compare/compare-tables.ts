import type { ReportTable } from '../report/report-tables.ts';
import type { Change, Comparison, PairedFigure } from './compare-reports.ts';

/** Changed samples shown of each kind. */
const MOST_SHOWN = 10;

/** A comparison as tables for a terminal. */
export function comparisonTables({ figures, formulations, gained, lost }: Comparison): ReportTable[] {
  const head = ['', ' first', 'second', 'difference', '95 % interval', '     p', '     N'];
  return [
    { title: 'Both, over the samples that both ran', head, rows: figures.map(figureRow) },
    { title: 'Completion by formulation', head, rows: formulations.map(figureRow) },
    changeTable('Gained', gained),
    changeTable('Lost', lost),
  ].filter(({ rows }) => rows.length > 0);
}

function figureRow({ name, n, first, second, difference, ci, p }: PairedFigure): string[] {
  return [
    name,
    percent(first).padStart(6),
    percent(second).padStart(6),
    signed(difference).padStart(10),
    ci === null ? '' : `${signed(ci[0]).padStart(6)} – ${signed(ci[1]).padStart(5)}`,
    p === null ? '' : (p < 0.001 ? '<0.001' : p.toFixed(3)).padStart(6),
    String(n).padStart(6),
  ];
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

function percent(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(1)} %`;
}

/** Percentage points with their sign. */
function signed(value: number | null): string {
  if (value === null) return '–';
  return `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`;
}
