import type { Catalog } from '../../contracts/catalog.ts';
import {
  type CompareOp,
  conjunction,
  type Expr,
  node,
  ownExprs,
  type Query,
  queriesOf,
  queryExprs,
  replaceNode,
  type Select,
} from '../../sql/index.ts';
import { step } from './mentions.ts';

/** A query with one mistake that a translation can make. */
export interface Mutant {
  readonly kind: string;
  readonly query: Query;
}

const LOOSER: Partial<Record<CompareOp, CompareOp>> = {
  '>': '>=',
  '>=': '>',
  '<': '<=',
  '<=': '<',
};
const AGGREGATES: Readonly<Record<string, string>> = { max: 'min', min: 'max', sum: 'avg', avg: 'sum' };

/** Wrong versions of a query, one slip each; some may be equivalent to it. */
export function mutantsOf(query: Query, catalog: Catalog): Mutant[] {
  const mutants: Mutant[] = [];
  const add = (kind: string, from: object, to: unknown) =>
    mutants.push({ kind, query: replaceNode(query, from, to) });
  for (const inner of queriesOf(query)) {
    if (inner.kind === 'select') for (const [kind, select] of selectSlips(inner)) add(kind, inner, select);
    if (inner.kind === 'set_operation') {
      if (inner.op === 'union') add('set operation', inner, { ...inner, op: 'union_all' });
      if (inner.op === 'union_all') add('set operation', inner, { ...inner, op: 'union' });
    }
    for (const expr of queryExprs(inner).flatMap((clause) => [...ownExprs(clause)])) {
      for (const [kind, slip] of exprSlips(expr)) add(kind, expr, slip);
    }
    if (inner.kind === 'select') {
      for (const [from, to] of otherColumns(inner, catalog)) add('other column', from, to);
    }
  }
  return mutants;
}

function* selectSlips(select: Select): Generator<readonly [string, Select]> {
  const { where, having, orderBy, groupBy, from } = select;
  for (const rest of withoutOne(where)) yield ['dropped condition', node({ ...select, where: rest })];
  for (const rest of withoutOne(having)) yield ['dropped HAVING', node({ ...select, having: rest })];
  yield ['DISTINCT', node({ ...select, distinct: !select.distinct })];
  for (const term of orderBy) {
    const flipped = { ...term, direction: term.direction === 'asc' ? 'desc' : 'asc' };
    yield ['sort direction', replaceNode(select, term, flipped)];
    yield ['dropped sort key', node({ ...select, orderBy: orderBy.filter((each) => each !== term) })];
  }
  for (const term of groupBy) {
    if (groupBy.length > 1)
      yield ['dropped group key', node({ ...select, groupBy: groupBy.filter((each) => each !== term) })];
  }
  for (const item of from) {
    if (item.join === 'left') yield ['join type', replaceNode(select, item, { ...item, join: 'inner' })];
    if (item.join === 'inner' && item.on)
      yield ['join type', replaceNode(select, item, { ...item, join: 'left' })];
  }
  if (select.limit) yield ['dropped LIMIT', node({ ...select, limit: null })];
}

function* withoutOne(expr: Expr | null): Generator<Expr | null> {
  if (!expr) return;
  if (expr.kind !== 'and') return yield null;
  for (const item of expr.items) yield conjunction(expr.items.filter((each) => each !== item));
}

function* exprSlips(expr: Expr): Generator<readonly [string, Expr]> {
  if (expr.kind === 'compare') {
    const op = LOOSER[expr.op];
    if (op) yield ['comparison', node({ ...expr, op })];
  } else if (expr.kind === 'aggregate') {
    const name = AGGREGATES[expr.name];
    if (name) yield ['aggregate', node({ ...expr, name })];
    if (expr.args.length === 1) yield ['DISTINCT in aggregate', node({ ...expr, distinct: !expr.distinct })];
    if (expr.name === 'count' && !expr.star && !expr.distinct)
      yield ['COUNT(*)', node({ ...expr, args: [], star: true })];
  } else if (expr.kind === 'and') {
    yield ['AND for OR', node({ ...expr, kind: 'or' })];
  } else if (expr.kind === 'or') {
    yield ['OR for AND', node({ ...expr, kind: 'and' })];
  } else if (expr.kind === 'literal' && expr.type === 'integer') {
    yield ['literal', node({ ...expr, value: step(expr.value, true) as bigint })];
  } else if (expr.kind === 'like' && expr.pattern.kind === 'literal' && expr.pattern.type === 'text') {
    const { pattern } = expr;
    if (pattern.value.startsWith('%'))
      yield ['LIKE pattern', node({ ...expr, pattern: node({ ...pattern, value: pattern.value.slice(1) }) })];
    if (pattern.value.endsWith('%'))
      yield [
        'LIKE pattern',
        node({ ...expr, pattern: node({ ...pattern, value: pattern.value.slice(0, -1) }) }),
      ];
  } else if (expr.kind === 'between') {
    const { expr: value, low, high } = expr;
    if (!expr.negated) yield ['BETWEEN', node({ kind: 'compare', op: '>=', left: value, right: low })];
    if (!expr.negated) yield ['BETWEEN', node({ kind: 'compare', op: '<=', left: value, right: high })];
  } else if (expr.kind === 'is_null') {
    yield ['IS NULL', node({ ...expr, negated: !expr.negated })];
  }
}

/** Each result column read from the next column of its table. */
function* otherColumns(select: Select, catalog: Catalog): Generator<readonly [Expr, Expr]> {
  for (const expr of queryExprs(select).flatMap((clause) => [...ownExprs(clause)])) {
    if (expr.kind !== 'column') continue;
    const source = select.from.find((item) => item.source.id === expr.source)?.source;
    const table = source?.kind === 'table' && catalog.tables.find(({ name }) => name === source.table);
    if (!table) continue;
    const at = table.columns.findIndex(({ name }) => name === expr.name);
    const other = table.columns[(at + 1) % table.columns.length];
    if (at >= 0 && other && other.name !== expr.name) yield [expr, node({ ...expr, name: other.name })];
  }
}
