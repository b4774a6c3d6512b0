import type { Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../../contracts/errors.ts';
import { node, pinnedLiteral } from '../ir/build.ts';
import type { Case, Expr } from '../ir/nodes.ts';
import { readFunction, readToken } from '../parse/carried.ts';
import { child, children, need } from '../parse/tree.ts';
import type { BindContext } from './bind-expr.ts';
import { bindExpr } from './bind-expr.ts';
import { bindOrderTerms } from './bind-window.ts';

const AGGREGATES = new Set([
  'avg',
  'count',
  'group_concat',
  'json_group_array',
  'json_group_object',
  'max',
  'min',
  'string_agg',
  'sum',
  'total',
  'median',
  'percentile',
  'percentile_cont',
  'percentile_disc',
]); // prettier-ignore

const CURRENT: Readonly<Record<string, readonly [number, number]>> = {
  current_date: [0, 10],
  current_time: [11, 19],
  current_timestamp: [0, 19],
};

/** Where each date function takes its time value; left out, it means now. */
const TIME_VALUE_AT: Readonly<Record<string, number>> = {
  date: 0,
  time: 0,
  datetime: 0,
  julianday: 0,
  unixepoch: 0,
  strftime: 1,
}; // prettier-ignore

const RANDOM = new Set([
  'random',
  'randomblob',
  'changes',
  'last_insert_rowid',
  'total_changes',
  'sqlite_version',
]);

/** Binds a carried function node: a scalar function, an aggregate, or one of the forms carried as functions. */
export function bindCall(name: string, call: Expression, context: BindContext): Expr {
  const { binder } = context;
  const given = children(call, 'expressions');
  // sqlglot hangs the ORDER BY of an aggregate on its last argument.
  const order = given.find((arg) => arg.key === 'order');
  const args = given.map((arg) => (arg.key === 'order' ? need(arg, 'this') : arg));
  if (name === 'cast') {
    const as = args[1];
    const type =
      as && binder.carrier.castTypes.get(binder.carrier.tokens.indexOf(readToken(binder.carrier, as)));
    if (!args[0] || !type) throw new QueryError('SQL_NOT_PARSED', 'a CAST without a type');
    return node({ kind: 'cast', expr: bindExpr(args[0], context), type });
  }
  const current = CURRENT[name];
  if (current) return pinnedLiteral(binder.referenceTime.slice(...current));
  if (RANDOM.has(name)) throw new QueryError('NONDETERMINISTIC', `${name}() has no one answer`, name);
  const distinct = args[0]?.key === 'anonymous' && readFunction(args[0]) === 'distinct';
  const plain = args.slice(distinct ? 1 : 0).filter((arg) => arg.key !== 'star');
  if (isAggregate(name, plain.length)) {
    return node({
      kind: 'aggregate',
      name,
      args: plain.map((arg) => bindExpr(arg, context)),
      star: args.some((arg) => arg.key === 'star'),
      distinct,
      filter: null,
      orderBy: order ? bindOrderTerms(order, (term) => bindExpr(term, context)) : [],
    });
  }
  if (order) throw new QueryError('SQL_NOT_PARSED', 'ORDER BY needs an aggregate', 'ORDER BY');
  const bound = plain.map((arg) => bindExpr(arg, context));
  if (name === 'iif' || name === 'if') return bindIif(bound);
  if (name in TIME_VALUE_AT)
    return node({ kind: 'call', name, args: pinTime(name, bound, binder.referenceTime) });
  return node({ kind: 'call', name, args: bound });
}

/** Whether a function of that name and arguments aggregates; `min` and `max` do so with one argument. */
function isAggregate(name: string, args: number): boolean {
  if (!AGGREGATES.has(name)) return false;
  if (name !== 'min' && name !== 'max') return true;
  return args === 1;
}

function bindIif(args: readonly Expr[]): Case {
  const whens = [];
  for (let i = 0; i + 1 < args.length; i += 2)
    whens.push({ when: args[i] as Expr, result: args[i + 1] as Expr });
  return node({
    kind: 'case',
    operand: null,
    whens,
    else: args.length % 2 === 1 ? (args.at(-1) as Expr) : null,
  });
}

function pinTime(name: string, args: readonly Expr[], referenceTime: string): Expr[] {
  const at = TIME_VALUE_AT[name] ?? 0;
  const value = args[at];
  const pinned = pinnedLiteral(referenceTime);
  if (value === undefined) return [...args, pinned];
  const isNow = value.kind === 'literal' && value.type === 'text' && value.value.toLowerCase() === 'now';
  return isNow ? args.map((arg, i) => (i === at ? pinned : arg)) : [...args];
}

/** The WHERE inside of FILTER (…). */
export function filterCondition(filter: Expression): Expression {
  const where = child(filter, 'expression');
  const condition = where && child(where, 'this');
  if (!condition) throw new QueryError('SQL_NOT_PARSED', 'a FILTER without a condition');
  return condition;
}
