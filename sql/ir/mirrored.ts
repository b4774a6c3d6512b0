import type { CompareOp } from './nodes.ts';

/** The equivalent operator when the sides of a comparison are swapped. */
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
