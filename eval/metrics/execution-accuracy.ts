import type { Cell, Row } from '../../contracts/catalog.ts';

export interface GoldRows {
  readonly gold_answer: readonly Row[];
  readonly order_groups: readonly number[] | null;
}

/**
 * Execution accuracy: whether the gold rows are in the answer, in whichever columns.
 *
 * Source: siwarex (arXiv 2510.16470), based on the test-suite evaluator of Zhong et al. 2020 (`result_eq`):
 * two empty results are equal; the row counts must be equal; one permutation of columns must hold for all
 * rows; rows compare as a bag, or in order if the gold is ordered (tied rows may swap); values compare
 * exactly, without a tolerance (`1` equals `1.0`, not `"1"`). The evaluator requires the gold's number of
 * columns (`exact`); siwarex's text also accepts extra columns (`superset`): the gold columns map to distinct
 * columns of the answer. Extra columns are limited to the gold's number, so that one wide row cannot contain
 * every answer. The search for a permutation is bounded; columns in the gold's order are found at once, as
 * are others unless many columns look alike.
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
  if (columns === 'exact' ? found !== width : found < width || found > 2 * width) return false;
  // If the gold is ordered, a row can only match its own group: the group acts as a column that is already
  // placed.
  const groups = expected.map((_, i) => gold.order_groups?.[i] ?? 0);
  const due = Array.from({ length: width }, (_, c) => expected.map((row) => row[c] ?? null));
  const candidates = Array.from({ length: found }, (_, c) => answer.map((row) => row[c] ?? null));
  return place(0, groups, groups, {
    // Columns with the most distinct values come first, since they leave the fewest choices for the others.
    gold: [...due.entries()].sort(([, a], [, b]) => new Set(b).size - new Set(a).size),
    answer: candidates,
    contents: numberContents(candidates),
    used: new Set(),
    left: Math.max(LEAST_LOOKS, 4 * width * found * expected.length),
  });
}

/** Minimum search budget in cells, however small the answer. */
const LEAST_LOOKS = 5_000_000;

interface Columns {
  /** With their positions. */
  readonly gold: readonly (readonly [number, Row])[];
  readonly answer: readonly Row[];
  /** For each column of the answer, a number shared by columns with the same content. */
  readonly contents: readonly number[];
  readonly used: Set<number>;
  /** Remaining search budget, in cells. */
  left: number;
}

/**
 * Places the gold columns from `next` on. The class of a row numbers its cells in the columns placed so far:
 * the rows are equal as bags in these columns exactly if their classes are.
 */
function place(
  next: number,
  goldClasses: readonly number[],
  answerClasses: readonly number[],
  columns: Columns,
): boolean {
  const due = columns.gold[next];
  if (due === undefined) return true;
  const [own, column] = due;
  const refined = refine(goldClasses, column);
  const tried = new Set<number>();
  const others = [...columns.answer.keys()].filter((index) => index !== own);
  for (const index of [own, ...others]) {
    const candidate = columns.answer[index] as Row;
    // Columns with the same content are interchangeable: try only one of them.
    const content = columns.contents[index] as number;
    if (columns.used.has(index) || tried.has(content)) continue;
    tried.add(content);
    columns.left -= candidate.length;
    if (columns.left < 0) return false;
    const classes = refined.classesOf(answerClasses, candidate);
    if (classes === null) continue;
    columns.used.add(index);
    if (place(next + 1, refined.gold, classes, columns)) return true;
    columns.used.delete(index);
  }
  return false;
}

/** Refines the gold rows' classes by one more column, and those of the answer by a candidate column. */
function refine(goldClasses: readonly number[], column: Row) {
  // Cells by value: a Map treats -0 as 0, but keeps 1 and "1", or an infinity and NULL, apart.
  const cells = new Map<Cell, number>();
  for (const cell of column) if (!cells.has(cell)) cells.set(cell, cells.size);
  const keyOf = (rowClass: number, cell: number) => rowClass * cells.size + cell;
  const ids = new Map<number, number>();
  const counts: number[] = [];
  const gold = goldClasses.map((rowClass, i) => {
    const key = keyOf(rowClass, cells.get(column[i] ?? null) as number);
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    counts[id] = (counts[id] ?? 0) + 1;
    return id;
  });
  return {
    gold,
    /** null if the two bags of rows are no longer equal. */
    classesOf(answerClasses: readonly number[], candidate: Row): number[] | null {
      if (!cells.has(candidate[0] ?? null)) return null;
      const left = [...counts];
      const classes: number[] = [];
      for (const [i, rowClass] of answerClasses.entries()) {
        const cell = cells.get(candidate[i] ?? null);
        const id = cell === undefined ? undefined : ids.get(keyOf(rowClass, cell));
        if (id === undefined || left[id] === 0) return null;
        left[id] = (left[id] as number) - 1;
        classes.push(id);
      }
      return classes;
    },
  };
}

function numberContents(columns: readonly Row[]): number[] {
  if (columns.length < 2) return columns.map((_, i) => i);
  const known = new Map<string, number>();
  return columns.map((column) => {
    const text = column.map((cell) => `${typeof cell} ${cell === 0 ? 0 : cell}`).join('\u0000');
    const id = known.get(text) ?? known.size;
    known.set(text, id);
    return id;
  });
}
