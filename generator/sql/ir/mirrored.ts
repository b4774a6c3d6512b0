import type { CompareOp } from './nodes.ts';

/** The operator that says the same when the sides of a comparison change places. */
export const MIRRORED: Readonly<Record<CompareOp, CompareOp>> = {
  '=': '=',
  is: 'is',
  '!=': '!=',
  is_not: 'is_not',
  '>=': '<=',
  '>': '<',
  '<=': '>=',
  '<': '>',
};
