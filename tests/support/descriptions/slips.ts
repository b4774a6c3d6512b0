import type { Catalog, CatalogTable } from '../../../contracts/catalog.ts';
import { type Mutant, mutantsOf } from '../../../generator/variants/mutants.ts';
import {
  type Column,
  conjunction,
  conjuncts,
  type Expr,
  exprsWithin,
  type FromItem,
  node,
  ownExprs,
  type Query,
  queriesOf,
  queryExprs,
  replaceNode,
  type Select,
} from '../../../sql/index.ts';

/**
 * A query with one clause changed, each in one way: the changes that neighbours are measured with, and some that only a
 * description can reveal: a join on another role or left out, another column counted, a difference turned round,
 * another key to group by, another column shown.
 */
export function slipsOf(query: Query, catalog: Catalog): readonly Mutant[] {
  // A literal is another value of a parameter, or a constant of the query: not another endpoint in any case.
  const known = mutantsOf(query, catalog).filter(({ kind }) => kind !== 'literal');
  const own = queriesOf(query).flatMap((inner) => {
    const slips = inner.kind === 'select' ? selectSlips(inner, catalog) : [];
    return slips.map(([kind, select]): Mutant => ({ kind, query: replaceNode(query, inner, select) }));
  });
  return [...known, ...own];
}

type Slip = readonly [kind: string, select: Select];

function selectSlips(select: Select, catalog: Catalog): readonly Slip[] {
  return [
    ...otherRoles(select, catalog),
    ...droppedJoins(select),
    ...exprSlips(select, catalog),
    ...otherKeys(select, catalog),
  ];
}

/** Each column of a select's own clauses with its table. */
function columnsOf(select: Select, catalog: Catalog): readonly (readonly [Column, CatalogTable])[] {
  const exprs = queryExprs(select).flatMap((clause) => [...ownExprs(clause)]);
  return exprs.flatMap((expr) => {
    const table = expr.kind === 'column' ? tableOf(select, expr, catalog) : null;
    return expr.kind === 'column' && table !== null ? [[expr, table] as const] : [];
  });
}

function tableOf(select: Select, column: Column, catalog: Catalog): CatalogTable | null {
  const source = select.from.find((item) => item.source.id === column.source)?.source;
  if (source?.kind !== 'table') return null;
  return catalog.tables.find(({ name }) => name === source.table) ?? null;
}

/** A reference replaced by another one of the same table to the same rows: the away team for the home team. */
function otherRoles(select: Select, catalog: Catalog): readonly Slip[] {
  return columnsOf(select, catalog).flatMap(([column, table]) => {
    const key = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === column.name);
    const others = table.foreign_keys.filter(
      (other) =>
        other !== key && other.columns.length === 1 && other.references_table === key?.references_table,
    );
    return others.map((other): Slip => {
      const name = other.columns[0] ?? column.name;
      return ['other role', replaceNode(select, column, node({ ...column, name }))];
    });
  });
}

/** A source left out that nothing but its own join reads. */
function droppedJoins(select: Select): readonly Slip[] {
  if (select.from.length < 2) return [];
  return select.from.slice(1).flatMap((item): readonly Slip[] => {
    const reads = (expr: Expr) =>
      exprsWithin(expr).some((part) => part.kind === 'column' && part.source === item.source.id);
    const rest = select.from.filter((other) => other !== item);
    const kept = conjuncts(select.where).filter((one) => !reads(one));
    const others = queryExprs({ ...select, where: null, from: rest });
    const apart = rest.some((other: FromItem) => other.on !== null && reads(other.on));
    if (apart || others.some(reads) || kept.length < conjuncts(select.where).length) return [];
    const where = kept.length === 0 ? null : conjunction(kept);
    return [['dropped join', node({ ...select, from: rest, where })]];
  });
}

function exprSlips(select: Select, catalog: Catalog): readonly Slip[] {
  const exprs = queryExprs(select).flatMap((clause) => [...ownExprs(clause)]);
  return exprs.flatMap((expr): readonly Slip[] => {
    if (expr.kind === 'binary' && (expr.op === '-' || expr.op === '/')) {
      const turned = node({ ...expr, left: expr.right, right: expr.left });
      return [[expr.op === '-' ? 'difference turned' : 'ratio turned', replaceNode(select, expr, turned)]];
    }
    if (expr.kind === 'aggregate' && expr.name === 'count') return countedColumns(expr, select, catalog);
    if (
      expr.kind === 'in_list' ||
      expr.kind === 'in_query' ||
      expr.kind === 'like' ||
      expr.kind === 'exists'
    ) {
      return [['negation', replaceNode(select, expr, node({ ...expr, negated: !expr.negated }))]];
    }
    if (expr.kind === 'compare' && (expr.op === '=' || expr.op === '!=') && expr.right.kind === 'literal') {
      const op = expr.op === '=' ? '!=' : '=';
      return [['negation', replaceNode(select, expr, node({ ...expr, op }))]];
    }
    return [];
  });
}

/** The key of each other table counted instead, once a value. */
function countedColumns(
  expr: Extract<Expr, { kind: 'aggregate' }>,
  select: Select,
  catalog: Catalog,
): readonly Slip[] {
  return select.from.flatMap(({ source }): readonly Slip[] => {
    if (source.kind !== 'table') return [];
    const table = catalog.tables.find(({ name }) => name === source.table);
    const key = table?.columns.find(({ primary_key }) => primary_key > 0);
    if (key === undefined) return [];
    const column: Column = node({ kind: 'column', source: source.id, name: key.name });
    const counted = node({ ...expr, args: [column], star: false, distinct: true });
    return [['counted rows', replaceNode(select, expr, counted)]];
  });
}

/** Each key to group by replaced by another column of its table. */
function otherKeys(select: Select, catalog: Catalog): readonly Slip[] {
  return select.groupBy.flatMap((key): readonly Slip[] => {
    const table = key.kind === 'column' ? tableOf(select, key, catalog) : null;
    if (key.kind !== 'column' || table === null) return [];
    const other = table.columns.find(({ name, primary_key }) => name !== key.name && primary_key === 0);
    if (other === undefined) return [];
    const groupBy = select.groupBy.map((one) => (one === key ? node({ ...key, name: other.name }) : one));
    return [['other group key', node({ ...select, groupBy })]];
  });
}
