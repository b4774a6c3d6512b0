import type { Cell, Row } from '../../contracts/value.ts';
import type { GoldRows } from './completion.ts';

/**
 * Execution accuracy: whether the gold rows are in the answer, whichever columns they are in.
 *
 * Source: siwarex (arXiv 2510.16470) by way of the test-suite evaluator of Zhong et al. 2020 (`result_eq`): two
 * empty results are equal; the row counts must be equal; one permutation of columns must hold for all rows; rows
 * compare as a bag, or in order where the gold orders (tied rows may swap); values compare exactly, without a
 * tolerance (`1` equals `1.0`, not `"1"`). The evaluator demands as many columns as the gold has (`exact`);
 * siwarex's text also forgives extra columns (`superset`): the gold columns map into the answer's, each to one of
 * its own.
 */
export function scoreExecution(
  gold: GoldRows,
  answer: readonly Row[],
  columns: 'exact' | 'superset',
): boolean {
  const expected = gold.gold_answer;
  if (expected.length === 0 && answer.length === 0) return true;
  if (expected.length !== answer.length) return false;
  const width = expected[0]?.length ?? 0;
  const found = answer[0]?.length ?? 0;
  if (answer.some((row) => row.length !== found)) return false;
  if (columns === 'exact' ? found !== width : found < width) return false;
  // Where the gold orders, a row can only be one of its own group: the group is a column that is already placed.
  const groups = expected.map((_, i) => gold.order_groups?.[i] ?? 0);
  return place(0, groups, groups, {
    gold: Array.from({ length: width }, (_, c) => expected.map((row) => row[c] ?? null)),
    answer: Array.from({ length: found }, (_, c) => answer.map((row) => row[c] ?? null)),
    used: new Set(),
  });
}

interface Columns {
  readonly gold: readonly Row[];
  readonly answer: readonly Row[];
  readonly used: Set<number>;
}

/**
 * Places the gold columns from `next` on. The class of a row numbers its cells in the columns placed so far, so
 * the rows placed so far are equal as bags exactly if the classes are.
 */
function place(
  next: number,
  goldClasses: readonly number[],
  answerClasses: readonly number[],
  columns: Columns,
): boolean {
  const column = columns.gold[next];
  if (column === undefined) return true;
  const tried = new Set<string>();
  for (const [index, candidate] of columns.answer.entries()) {
    if (columns.used.has(index)) continue;
    // Columns with the same content are interchangeable: trying one of them is enough.
    const content = candidate.map((cell) => keyOf(0, cell)).join('\u0000');
    if (tried.has(content)) continue;
    tried.add(content);
    const refined = refine(goldClasses, column, answerClasses, candidate);
    if (refined === null) continue;
    columns.used.add(index);
    if (place(next + 1, refined.gold, refined.answer, columns)) return true;
    columns.used.delete(index);
  }
  return false;
}

/** The classes of rows with one more column, or null if the two bags of rows are no longer equal. */
function refine(
  goldClasses: readonly number[],
  goldColumn: Row,
  answerClasses: readonly number[],
  answerColumn: Row,
): { gold: number[]; answer: number[] } | null {
  const ids = new Map<string, number>();
  const counts: number[] = [];
  const gold = goldClasses.map((rowClass, i) => {
    const key = keyOf(rowClass, goldColumn[i] ?? null);
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    counts[id] = (counts[id] ?? 0) + 1;
    return id;
  });
  const answer: number[] = [];
  for (const [i, rowClass] of answerClasses.entries()) {
    const id = ids.get(keyOf(rowClass, answerColumn[i] ?? null));
    if (id === undefined || counts[id] === 0) return null;
    counts[id] = (counts[id] as number) - 1;
    answer.push(id);
  }
  return { gold, answer };
}

function keyOf(rowClass: number, cell: Cell): string {
  // -0 is 0, and infinity, which JSON would make null, is not NULL.
  const kind = cell === null ? '' : typeof cell === 'string' ? 't' : 'n';
  return `${rowClass} ${kind}${cell === 0 ? 0 : cell}`;
}
