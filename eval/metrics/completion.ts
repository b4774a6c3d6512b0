import type { Cell, Row } from '../../contracts/catalog.ts';
import { pythonStr } from '../json/python.ts';
import type { Ledger, SampleScore } from './report.ts';

/**
 * Completion as computed by Live API-Bench's authors, for comparable figures.
 *
 * Source: the published runner's `check_equality_without_order`. Results are squeezed (a lone row or column
 * becomes a list, a lone cell a scalar); one-dimensional lists compare as multisets of their Python texts,
 * tables cell by cell in order, scalars by `==`; shapes must be equal. So row order is ignored for one column
 * and required for several, whatever the gold SQL demands.
 */
export function scoreCompletionLegacy(gold: readonly Row[], readings: readonly (readonly Row[])[]): boolean {
  const expected = squeeze(gold);
  return readings.some((rows) => sameSqueezed(expected, squeeze(rows)));
}

type Squeezed =
  | { readonly dimensions: 0; readonly cell: Cell }
  | { readonly dimensions: 1; readonly cells: Row }
  | { readonly dimensions: 2; readonly rows: readonly Row[] };

function squeeze(rows: readonly Row[]): Squeezed {
  const [first] = rows;
  if (first === undefined) return { dimensions: 1, cells: [] };
  if (rows.every((row) => row.length === 1)) {
    if (rows.length === 1) return { dimensions: 0, cell: first[0] ?? null };
    return { dimensions: 1, cells: rows.map((row) => row[0] ?? null) };
  }
  return rows.length === 1 ? { dimensions: 1, cells: first } : { dimensions: 2, rows };
}

function sameSqueezed(a: Squeezed, b: Squeezed): boolean {
  if (a.dimensions === 0 && b.dimensions === 0) return a.cell === b.cell;
  if (a.dimensions === 1 && b.dimensions === 1) {
    if (a.cells.length !== b.cells.length) return false;
    const texts = (cells: Row) => cells.map(pythonStr).sort();
    const others = texts(b.cells);
    return texts(a.cells).every((text, i) => text === others[i]);
  }
  if (a.dimensions === 2 && b.dimensions === 2) {
    const other = b.rows;
    return (
      a.rows.length === other.length &&
      a.rows.every(
        (row, i) => row.length === other[i]?.length && row.every((cell, j) => cell === other[i]?.[j]),
      )
    );
  }
  return false;
}

export function countOutcomes(samples: readonly SampleScore[]): Ledger {
  const ledger = { pass: 0, fail: 0, unparseable: 0, infra_error: 0, not_run: 0, total: samples.length };
  for (const sample of samples) ledger[sample.outcome]++;
  return ledger;
}

/** Whether the agent finished, right or wrong; all metrics except completion count only such samples. */
export function wasJudged({ outcome: end }: SampleScore): boolean {
  return end === 'pass' || end === 'fail' || end === 'unparseable';
}
