import type { Json } from '../../json/lossless.ts';

/** A Python expression, as far as models write them as arguments: literals, names, calls, arithmetic, subscripts. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'ellipsis' }
  | { readonly kind: 'name'; readonly id: string }
  | { readonly kind: 'attribute'; readonly value: Expression; readonly name: string }
  | {
      readonly kind: 'call';
      readonly callee: Expression;
      readonly positional: readonly Expression[];
      readonly keywords: readonly (readonly [string, Expression])[];
    }
  | { readonly kind: 'list' | 'tuple'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'subscript'; readonly value: Expression; readonly index: Expression }
  | {
      readonly kind: 'slice';
      readonly lower: Expression | null;
      readonly upper: Expression | null;
      readonly step: Expression | null;
    };

export type CallExpression = Extract<Expression, { kind: 'call' }>;
