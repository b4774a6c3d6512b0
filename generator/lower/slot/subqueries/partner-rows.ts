import { aggregatesIn, type Expr } from '../../../../sql/index.ts';
import { aggregateColumns, groupKeys } from '../rows/group-rows.ts';
import { lowerSource } from '../rows/lower-rows.ts';
import { evaluateAsColumn, numberRows } from '../sequence/columns.ts';
import type { LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { joinFrames } from '../sequence/join-frames.ts';
import { oneOrMore } from '../sequence/one-or-more.ts';
import type { Decorrelated } from './decorrelate.ts';

/** Keeps the rows that have (or have not) a partner among a subquery's rows. */
export function keepPartners(
  frame: Frame,
  subquery: Decorrelated,
  type: 'semi' | 'anti',
  context: LowerContext,
): void {
  const { select, ties, conditions } = subquery;
  if (conditions.length > 0) {
    const { id, pairs } = pairRows(frame, subquery, context);
    joinPartners(frame, pairs, [id], [id], type, context);
    return;
  }
  const inner = lowerSource(
    select,
    context,
    ties.map((tie) => tie.inner),
  );
  const keys = ties.map(({ outer }) => evaluateAsColumn(outer, frame, context));
  const otherKeys = ties.map((tie) => evaluateAsColumn(tie.inner, inner, context));
  joinPartners(frame, inner, keys, otherKeys, type, context);
}

/** The same where it is a group of rows that the subquery's HAVING asks about; a group has the ties as its keys. */
export function keepPartnerGroups(
  frame: Frame,
  { select, ties }: Decorrelated,
  type: 'semi' | 'anti',
  context: LowerContext,
): void {
  const having = select.having as Expr;
  const groups = lowerSource(
    select,
    context,
    ties.map((tie) => tie.inner),
  );
  const keys = ties.map(({ outer }) => evaluateAsColumn(outer, frame, context));
  const otherKeys = ties.map((tie) => evaluateAsColumn(tie.inner, groups, context));
  groupKeys(otherKeys, aggregateColumns(aggregatesIn(having), groups, context), groups, context);
  context.filter(having, groups);
  joinPartners(frame, groups, keys, otherKeys, type, context);
}

/**
 * Every row of the frame paired with each of its partners, for conditions other than equality. The rows of the frame
 * are numbered before, in the column `id` of both.
 */
export function pairRows(
  frame: Frame,
  { select, ties, conditions }: Decorrelated,
  context: LowerContext,
): { id: string; pairs: Frame } {
  const id = numberRows(frame, context);
  const inner = lowerSource(
    select,
    context,
    ties.map((tie) => tie.inner),
  );
  const pairs = frame.fork();
  const keys = ties.map(({ outer }) => evaluateAsColumn(outer, pairs, context));
  const otherKeys = ties.map((tie) => evaluateAsColumn(tie.inner, inner, context));
  joinFrames(pairs, inner, keys, otherKeys, 'inner', context);
  for (const condition of conditions) context.filter(condition, pairs);
  return { id, pairs };
}

/** Keeps the rows of a frame that have (or have not) a partner in another with equal values. */
export function joinPartners(
  frame: Frame,
  other: Frame,
  keys: readonly string[],
  otherKeys: readonly string[],
  type: 'semi' | 'anti',
  context: LowerContext,
): void {
  frame.label = context.sequence.call('join_data', {
    data_source: `$${frame.label}$`,
    other_data_source: `$${other.label}$`,
    key_name: oneOrMore(keys),
    other_key_name: oneOrMore(otherKeys),
    join_type: type,
  });
}
