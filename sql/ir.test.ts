import { describe, expect, it } from 'vitest';
import {
  columnsOfQuery,
  freeSources,
  holdsAggregate,
  isAggregated,
  isCorrelated,
  ownExprs,
  queriesOf,
  selectBlocks,
} from './analyse.ts';
import {
  type Column,
  conjunction,
  conjuncts,
  disjunction,
  type Expr,
  exprKey,
  integerLiteral,
  NULL_LITERAL,
  node,
  pinnedLiteral,
  type Query,
  replaceNode,
  rewriteExprs,
  rewriteNodes,
  type Select,
  sameExpr,
  textLiteral,
} from './ir.ts';

const column = (source: string, name: string): Column => node({ kind: 'column', source, name });
const equal = (left: Expr, right: Expr): Expr => node({ kind: 'compare', op: '=', left, right });

function selectFrom(id: string, fields: Partial<Select>): Select {
  return node<Select>({
    kind: 'select',
    with: [],
    distinct: false,
    columns: [node({ expr: column(id, 'name'), name: 'name', alias: null })],
    from: [node({ join: 'from', source: node({ kind: 'table', id, table: 'film', alias: id }), on: null })],
    where: null,
    groupBy: [],
    having: null,
    orderBy: [],
    limit: null,
    ...fields,
  });
}

/** Films whose maker also made film 7. */
const inner = selectFrom('T2', {
  where: conjunction([
    equal(column('T2', 'maker'), column('T1', 'maker')),
    equal(column('T2', 'id'), integerLiteral(7n)),
  ]),
});
const exists: Expr = node({ kind: 'exists', query: inner, negated: false });
const outer: Query = selectFrom('T1', { where: exists });

describe('equality of expressions', () => {
  it('does not see where a literal stands, whether it was pinned, or in which order fields were set', () => {
    expect(sameExpr(integerLiteral(7n, { start: 1, end: 2 }), integerLiteral(7n))).toBe(true);
    expect(sameExpr(pinnedLiteral('2024-01-01'), textLiteral('2024-01-01'))).toBe(true);
    const swapped: Column = { name: 'id', source: 'T1', kind: 'column' };
    expect(exprKey(swapped)).toBe(exprKey(column('T1', 'id')));
  });

  it('tells apart types, sources, operators and the number of items', () => {
    const different: readonly Expr[] = [
      integerLiteral(7n),
      textLiteral('7'),
      NULL_LITERAL,
      column('T1', 'id'),
      column('T2', 'id'),
      equal(column('T1', 'id'), integerLiteral(7n)),
      conjunction([exists, exists]),
      conjunction([exists, exists, exists]),
      disjunction([exists, exists]),
    ];
    expect(new Set(different.map(exprKey)).size).toBe(different.length);
  });
});

describe('rewriting', () => {
  it('replaces expressions in subqueries too, and shares what does not change', () => {
    const other = rewriteExprs(outer, (expr) =>
      expr.kind === 'literal' && expr.type === 'integer' ? integerLiteral(expr.value + 1n) : null,
    );
    const literals = [...queriesOf(other)].flatMap(({ kind, ...query }) =>
      'where' in query ? conjuncts(query.where).flatMap((one) => [...ownExprs(one)]) : [],
    );
    expect(literals.filter(({ kind }) => kind === 'literal')).toEqual([integerLiteral(8n)]);
    expect((other as Select).columns).toBe(outer.kind === 'select' && outer.columns);
    expect(rewriteExprs(outer, () => null)).toBe(outer);
  });

  it('takes parents first: what has been replaced is not entered', () => {
    const seen: string[] = [];
    rewriteExprs(outer, (expr) => {
      seen.push(expr.kind);
      return expr.kind === 'exists' ? NULL_LITERAL : null;
    });
    expect(seen).toEqual(['column', 'exists']);
  });

  it('rewrites nodes by identity, inner ones first', () => {
    const rewrites = new Map<object, (given: unknown) => unknown>([
      [inner, () => selectFrom('T3', {})],
      [exists, (given) => node({ ...(given as Extract<Expr, { kind: 'exists' }>), negated: true })],
    ]);
    const made = rewriteNodes(exists, rewrites);
    expect(made).toMatchObject({ negated: true, query: { from: [{ source: { id: 'T3' } }] } });
    expect(exists).toMatchObject({ negated: false });
    expect(replaceNode(outer, inner, inner)).toBe(outer);
  });
});

describe('what a query is made of', () => {
  it('finds columns and queries inside subqueries', () => {
    expect(queriesOf(outer)).toEqual([outer, inner]);
    expect(columnsOfQuery(outer).map(({ source, name }) => `${source}.${name}`)).toEqual([
      'T1.name',
      'T2.name',
      'T2.maker',
      'T1.maker',
      'T2.id',
    ]);
    expect([...ownExprs(exists)]).toEqual([exists]);
  });

  it('tells a correlated subquery by the sources it reads from outside', () => {
    expect(isCorrelated(inner)).toBe(true);
    expect(isCorrelated(outer)).toBe(false);
    expect(freeSources(exists)).toEqual(new Set(['T1']));
  });

  it('shows each SELECT the CTEs that it can read', () => {
    const cte = node({ name: 'made', recursive: false, columns: ['name'], query: selectFrom('T9', {}) });
    const blocks = selectBlocks(selectFrom('T1', { where: exists, with: [cte] }));
    expect(blocks.map(({ ctes }) => ctes.length)).toEqual([1, 1, 1]);
  });

  it('gives the items of a conjunction, the expression alone, or nothing', () => {
    expect(conjuncts(inner.where)).toHaveLength(2);
    expect(conjuncts(exists)).toEqual([exists]);
    expect(conjuncts(null)).toEqual([]);
  });

  it('sees an aggregate of its own query only', () => {
    const count: Expr = node({
      kind: 'aggregate',
      name: 'count',
      args: [],
      star: true,
      distinct: false,
      filter: null,
      orderBy: [],
    });
    const counted = selectFrom('T1', { columns: [node({ expr: count, name: 'n', alias: null })] });
    const scalar: Expr = node({ kind: 'scalar_query', query: counted });
    expect(holdsAggregate(equal(count, integerLiteral(1n)))).toBe(true);
    expect(holdsAggregate(scalar)).toBe(false);
    expect(isAggregated(counted)).toBe(true);
    expect(isAggregated(selectFrom('T1', { where: equal(scalar, integerLiteral(1n)) }))).toBe(false);
  });
});
