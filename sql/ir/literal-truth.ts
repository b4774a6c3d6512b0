import type { Literal } from './nodes.ts';

/** Whether a literal counts as true: text by the number that it begins with, NULL as false; null for a blob. */
export function literalTruth(literal: Literal): boolean | null {
  switch (literal.type) {
    case 'integer':
      return literal.value !== 0n;
    case 'real':
      return literal.value !== 0;
    case 'text':
      return Number(NUMBER.exec(literal.value)?.[0] ?? 0) !== 0;
    case 'null':
      return false;
    case 'blob':
      return null;
  }
}

const NUMBER = /^[ \t\n\v\f\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;
