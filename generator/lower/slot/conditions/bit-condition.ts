import { type Compare, type CompareOp, type Expr, type Literal, MIRRORED } from '../../../../sql/index.ts';

/** A test of the bits of a value as one condition of the tools. */
export interface BitCondition {
  /** The expression whose bits are tested. */
  readonly tested: Expr;
  readonly mask: Literal & { readonly type: 'integer' };
  readonly condition: 'has_bits' | 'lacks_bits';
}

/**
 * `x & 6 = 6` (it has these bits) and `x & 6 = 0` (it has none of them) as one condition, of a single bit however it
 * is asked for: `x & 4`, `x & 4 > 0`, `x & 4 <> 4`. null for any other comparison.
 */
export function bitCondition({ op, left, right }: Compare): BitCondition | null {
  const turned = right.kind === 'binary' && right.op === '&';
  const [masked, wanted] = turned ? [right, left] : [left, right];
  if (masked.kind !== 'binary' || masked.op !== '&' || !isWhole(wanted)) return null;
  const [tested, mask] = isWhole(masked.right) ? [masked.left, masked.right] : [masked.right, masked.left];
  if (!isWhole(mask) || isWhole(tested) || mask.value <= 0n) return null;
  const condition = asked(turned ? MIRRORED[op] : op, wanted.value, mask.value);
  return condition && { tested, mask, condition };
}

function asked(op: CompareOp, wanted: bigint, mask: bigint): BitCondition['condition'] | null {
  if (op === '=') return wanted === mask ? 'has_bits' : wanted === 0n ? 'lacks_bits' : null;
  // Of several bits some may be set: that is neither.
  if ((mask & (mask - 1n)) !== 0n) return null;
  if (op === '!=') return wanted === 0n ? 'has_bits' : wanted === mask ? 'lacks_bits' : null;
  if ((op === '>' && wanted === 0n) || (op === '>=' && wanted === mask)) return 'has_bits';
  return (op === '<' && wanted === mask) || (op === '<=' && wanted === 0n) ? 'lacks_bits' : null;
}

function isWhole(expr: Expr): expr is Literal & { readonly type: 'integer' } {
  return expr.kind === 'literal' && expr.type === 'integer';
}
