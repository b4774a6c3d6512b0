import type { Cell, SampleReview } from '../../client/index.ts';
import { groupBy } from '../../eval/metrics/figures.ts';
import { rowsText, shorten } from '../wording.ts';

type Rows = readonly (readonly Cell[])[];

/** How rows differ from the gold's. */
export interface Difference {
  /** Cells that differ, as `<row> <column>` from 0; of rows without a counterpart, all. */
  readonly mine: ReadonlySet<string>;
  readonly theirs: ReadonlySet<string>;
  /** Counterparts that differ in some cells, then rows without a counterpart. */
  readonly pairs: readonly (readonly [mine: number, theirs: number, columns: readonly number[]])[];
  readonly surplus: readonly number[];
  readonly missing: readonly number[];
}

/** Candidates to pair a row with; more would take too long to compute, and to look at. */
const MOST_PAIRED = 60;

/** Compares by position if the gold is ordered, else pairs the most similar rows. For display only: the verdict is in the scores. */
export function compareRows(rows: Rows, gold: Rows, ordered: boolean): Difference {
  const free = new Set(gold.keys());
  const open: number[] = [];
  const places = groupBy(gold.keys(), (i) => textOf(gold[i] ?? []));
  for (const [i, row] of rows.entries()) {
    const same = ordered
      ? gold[i] && textOf(row) === textOf(gold[i])
        ? i
        : undefined
      : places.get(textOf(row))?.shift();
    if (same === undefined) open.push(i);
    else free.delete(same);
  }
  const pairs: [number, number, number[]][] = [];
  const surplus: number[] = [];
  for (const i of open) {
    const candidates = ordered ? [i].filter((at) => free.has(at)) : [...free].slice(0, MOST_PAIRED);
    const [best] = candidates
      .map((at) => [at, columnsThatDiffer(rows[i] ?? [], gold[at] ?? [])] as const)
      .sort(([, a], [, b]) => a.length - b.length);
    const width = gold[best?.[0] ?? 0]?.length ?? 0;
    // Rows that have nothing in common are no pair, unless each side has just one.
    const isPair =
      best !== undefined && (best[1].length < width || ordered || (rows.length === 1 && gold.length === 1));
    if (!isPair) surplus.push(i);
    else {
      free.delete(best[0]);
      pairs.push([i, best[0], best[1]]);
    }
  }
  const missing = [...free];
  const whole = (at: readonly number[], of: Rows) =>
    at.flatMap((i) => (of[i] ?? []).map((_, c) => `${i} ${c}`));
  return {
    mine: new Set([
      ...pairs.flatMap(([i, , columns]) => columns.map((c) => `${i} ${c}`)),
      ...whole(surplus, rows),
    ]),
    theirs: new Set([
      ...pairs.flatMap(([, i, columns]) => columns.map((c) => `${i} ${c}`)),
      ...whole(missing, gold),
    ]),
    pairs,
    surplus,
    missing,
  };
}

/** The difference in a sentence; null if these rows show none. */
export function differenceText(
  rows: Rows,
  { rows: gold, row_count, ordered }: NonNullable<SampleReview['gold']>,
  count: number | null,
  difference = compareRows(rows, gold, ordered),
): string | null {
  const here = count ?? rows.length;
  const [width = 0, goldWidth = 0] = [rows[0]?.length, gold[0]?.length];
  if (rows.length > 0 && gold.length > 0 && width !== goldWidth)
    return `Its rows have ${values(width)} where the gold’s have ${goldWidth}.`;
  const { pairs, surplus, missing } = difference;
  const [first] = pairs;
  if (here === row_count && first && surplus.length === 0) {
    const [i, at, [column = 0]] = first;
    const others = pairs.reduce((sum, [, , columns]) => sum + columns.length, -1);
    const more = others > 0 ? `, and ${others} more ${others === 1 ? 'cell differs' : 'cells differ'}` : '';
    return `Row ${i + 1}, column ${column + 1} is ${cellText(rows[i]?.[column])} where the gold has ${cellText(gold[at]?.[column])}${more}.`;
  }
  if (here === row_count && pairs.length + surplus.length + missing.length === 0) return null;
  if (here === row_count) return `None of ${rowsText(surplus.length)} is among the gold’s.`;
  const example = gold[missing[0] ?? -1];
  const missed = example ? `; missing, for example: ${example.map(cellText).join(', ')}` : '';
  return `It has ${rowsText(here)} where the gold has ${row_count.toLocaleString('en')}${missed}.`;
}

function columnsThatDiffer(a: readonly Cell[], b: readonly Cell[]): number[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => i).filter(
    (i) => textOf([a[i] ?? null]) !== textOf([b[i] ?? null]),
  );
}

/** Nine digits of a number count. */
function textOf(row: readonly Cell[]): string {
  return JSON.stringify(row.map((cell) => (typeof cell === 'number' ? Number(cell.toPrecision(9)) : cell)));
}

function values(n: number): string {
  return n === 1 ? '1 value' : `${n} values`;
}

function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return 'null';
  return typeof cell === 'string' ? `“${shorten(cell, 60)}”` : String(cell);
}
