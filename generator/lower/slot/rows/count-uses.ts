import type { Expr, Select } from '../../../../sql/index.ts';
import type { Frame } from '../sequence/frame.ts';

/** Registers with the frame every expression that the clauses after FROM use. */
export function countUses(select: Select, frame: Frame, conditions: readonly Expr[]): void {
  const all = [
    ...select.columns.map(({ expr }) => expr),
    ...conditions,
    ...select.groupBy,
    ...(select.having ? [select.having] : []),
    ...select.orderBy.map(({ expr }) => expr),
  ];
  for (const expr of all) frame.countAllUses(expr);
}
