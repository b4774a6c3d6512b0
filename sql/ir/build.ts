import type { Expr, Literal, Query } from './nodes.ts';

/** Freezes one node of the IR; the only way nodes are made. */
export function node<T extends Expr | Query | object>(fields: T): T {
  return Object.freeze(fields);
}

type Span = Literal['span'];

export function integerLiteral(value: bigint, span: Span = null): Literal {
  return node({ kind: 'literal', pinned: false, span, type: 'integer', value });
}

export function realLiteral(text: string, span: Span = null): Literal {
  return node({ kind: 'literal', pinned: false, span, type: 'real', value: Number(text), text });
}

export function textLiteral(value: string, span: Span = null): Literal {
  return node({ kind: 'literal', pinned: false, span, type: 'text', value });
}

export function pinnedLiteral(value: string): Literal {
  return node({ kind: 'literal', pinned: true, span: null, type: 'text', value });
}

export function blobLiteral(hex: string, span: Span = null): Literal {
  return node({ kind: 'literal', pinned: false, span, type: 'blob', value: hex });
}

export const NULL_LITERAL: Literal = node({
  kind: 'literal',
  pinned: false,
  span: null,
  type: 'null',
  value: null,
});

/** `and` of the items, flattened; the item itself when there is one. */
export function conjunction(items: readonly Expr[]): Expr {
  return connect('and', items);
}

/** `or` of the items, flattened; the item itself when there is one. */
export function disjunction(items: readonly Expr[]): Expr {
  return connect('or', items);
}

function connect(kind: 'and' | 'or', items: readonly Expr[]): Expr {
  const flat = items.flatMap((item) => (item.kind === kind ? item.items : [item]));
  const [first] = flat;
  if (first !== undefined && flat.length === 1) return first;
  return node({ kind, items: Object.freeze(flat) });
}

/** The negation, merged into nodes that have their own `negated`. */
export function negate(expr: Expr): Expr {
  switch (expr.kind) {
    case 'is_null':
    case 'between':
    case 'like':
    case 'in_list':
    case 'in_query':
    case 'exists':
      return node({ ...expr, negated: !expr.negated });
    default:
      return node({ kind: 'not', expr });
  }
}
