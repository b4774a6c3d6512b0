import type { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../contracts/errors.ts';
import { node } from '../ir/build.ts';
import type { Expr, Frame, FrameBound, OrderTerm, Window } from '../ir/nodes.ts';
import { readFunction } from '../parse/carried.ts';
import { child, children, need, textOf } from '../parse/tree.ts';
import { filterCondition } from './bind-call.ts';
import type { BindContext } from './bind-expr.ts';
import { bindExpr } from './bind-expr.ts';

/** Binds `f(…) [FILTER (…)] OVER (…)`. */
export function bindWindow(over: Expression, context: BindContext): Window {
  const filter = need(over, 'this').key === 'filter' ? need(over, 'this') : null;
  const call = filter ? need(filter, 'this') : need(over, 'this');
  const name = readFunction(call);
  if (name === null) throw new QueryError('SQL_NOT_PARSED', 'a window without a function');
  const args = children(call, 'expressions');
  const order = child(over, 'order');
  const spec = child(over, 'spec');
  return node({
    kind: 'window',
    name,
    args: args.filter((arg) => arg.key !== 'star').map((arg) => bindExpr(arg, context)),
    star: args.some((arg) => arg.key === 'star'),
    filter: filter ? bindExpr(filterCondition(filter), context) : null,
    partitionBy: children(over, 'partition_by').map((expr) => bindExpr(expr, context)),
    orderBy: order ? bindOrderTerms(order, (expr) => bindExpr(expr, context)) : [],
    frame: spec ? bindFrame(spec, context) : null,
  });
}

/** Binds the terms of an ORDER BY node with the given reading of a term. */
export function bindOrderTerms(order: Expression, bindTerm: (term: Expression) => Expr): OrderTerm[] {
  return children(order, 'expressions').map((term) => {
    const ordered = term.key === 'ordered';
    const descending = ordered && term.args.desc === true;
    const nullsFirst = ordered ? term.args.nulls_first === true : true;
    // sqlglot fills in SQLite's default; only a different frame needs to be printed.
    const nulls = nullsFirst === !descending ? null : nullsFirst ? 'first' : 'last';
    return node({
      expr: bindTerm(ordered ? need(term, 'this') : term),
      direction: descending ? 'desc' : 'asc',
      nulls,
    });
  });
}

function bindFrame(spec: Expression, context: BindContext): Frame {
  const mode = textOf(spec, 'kind').toLowerCase();
  if (mode !== 'rows' && mode !== 'range' && mode !== 'groups') {
    throw new QueryError('SQL_UNSUPPORTED', 'this window frame is not read', mode);
  }
  const start = bindBound(spec, 'start', context) ?? { at: 'unbounded_preceding' };
  const end = bindBound(spec, 'end', context) ?? { at: 'current_row' };
  const exclude = textOf(spec, 'exclude').toLowerCase().replace(' ', '_');
  return node({
    mode,
    start,
    end,
    exclude: exclude === 'current_row' || exclude === 'group' || exclude === 'ties' ? exclude : null,
  });
}

function bindBound(spec: Expression, key: 'start' | 'end', context: BindContext): FrameBound | null {
  const side = textOf(spec, `${key}_side`).toLowerCase();
  const offset = child(spec, key);
  if (offset)
    return { at: side === 'following' ? 'following' : 'preceding', offset: bindExpr(offset, context) };
  const text = textOf(spec, key).toUpperCase();
  if (text === 'CURRENT ROW') return { at: 'current_row' };
  if (text === 'UNBOUNDED')
    return { at: side === 'following' ? 'unbounded_following' : 'unbounded_preceding' };
  return null;
}
