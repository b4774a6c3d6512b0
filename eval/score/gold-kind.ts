import type { GoldKind } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';

/** The kind of a gold answer: informative rows, or one of the answers that many wrong calls also give. */
export function goldKindOf({ gold_answer: rows }: Pick<Sample, 'gold_answer'>): GoldKind {
  if (rows.length === 0) return 'empty';
  if (rows.every((row) => row.every((cell) => cell === null))) return 'null';
  return rows.length === 1 && rows[0]?.length === 1 && rows[0][0] === 0 ? 'zero' : 'telling';
}
