import type { ApiClass } from '../../contracts/augmentation.ts';
import type { Gazetteer } from '../../services/base/scalars/places.ts';
import { SCALARS_BY_NAME } from '../../services/base/scalars/registry.ts';
import type { ScalarApi } from '../../services/base/scalars/scalar-api.ts';
import { scalarInSql } from '../../services/base/scalars/scalar-in-sql.ts';
import type { SqlValue } from '../../services/base/sqlite/driver.ts';
import { type Expr, integerLiteral, node, realLiteral, textLiteral } from '../../sql/index.ts';

/** A value that a query fixes. */
export type Fixed = string | number | bigint;

/** One API: its first input is the value so far, the others are fixed. */
export interface Step {
  readonly api: string;
  /** The inputs after the first, in their order. */
  readonly more: readonly Fixed[];
}

/** APIs applied one after the other to the value of a column. */
export interface Composition {
  /** Of the first. */
  readonly class: ApiClass;
  readonly steps: readonly Step[];
}

/** What the last API answers: a boolean, a number (with a fraction or without) or a text. */
export function outputOf({ steps }: Composition): ScalarApi['output']['type'] {
  const last = steps.at(-1);
  if (!last) throw new Error('a composition has one step at least');
  return apiOf(last).output.type;
}

/** The API of a step. */
export function apiOf({ api }: Step): ScalarApi {
  const found = SCALARS_BY_NAME.get(api);
  if (!found) throw new Error(`there is no scalar API ${api}`);
  return found;
}

/** The composition as calls of functions. */
export function applied(steps: readonly Step[], value: Expr): Expr {
  return steps.reduce<Expr>(
    (inner, { api, more }) => node({ kind: 'call', name: api, args: [inner, ...more.map(literalOf)] }),
    value,
  );
}

/** The literal of a value. */
export function literalOf(value: Fixed): Expr {
  if (typeof value === 'string') return textLiteral(value);
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return number(BigInt(value));
  return value < 0 ? negative(realLiteral(String(-value))) : realLiteral(String(value));
}

function number(value: bigint): Expr {
  return value < 0n ? negative(integerLiteral(-value)) : integerLiteral(value);
}

function negative(expr: Expr): Expr {
  return node({ kind: 'unary', op: '-', expr });
}

/** What the composition answers for a column's value, as SQL has it. */
export function answerFor({ steps }: Composition, value: SqlValue, places: Gazetteer): SqlValue {
  return steps.reduce<SqlValue>(
    (inner, step) => scalarInSql(apiOf(step), [inner, ...step.more], places),
    value,
  );
}
