import {
  type Aggregate,
  columnsOf,
  conjuncts,
  type Expr,
  isCondition,
  keyTable,
} from '../../../../sql/index.ts';
import { isNotNull, isPadded } from '../../../template/canonical-form.ts';
import type { Condition, Count, Known, Share, Summary, Term, Thing } from '../clause.ts';
import { bare, conditionalCount, conditionalValue, testIn } from '../patterns.ts';
import type { Scope } from '../query-context.ts';
import { combinationOf, manyOf, oneOf } from '../thing.ts';
import { signature } from '../tree.ts';

/** Number of superheroes, average height, total amount of those with a type. */
export function aggregateTerm(expr: Aggregate, scope: Scope): Term {
  const condition = conditionalCount(expr);
  const [arg] = expr.args;
  if (condition !== null) {
    const where = scope.condition(condition);
    const counted = countedValue(expr);
    if (counted !== undefined && expr.distinct)
      return { ...countTerm({ ...expr, args: [counted] }, scope), where };
    const known = knownOf(counted, scope);
    // What the condition asks of a value asks that there is one.
    const asked = known !== null && 'of' in where && signature(where.of) === signature(known.of);
    return countOf(rowsOf(scope), { where, distinct: expr.distinct, known: asked ? null : known });
  }
  if (expr.name === 'count') return countTerm(expr, scope);
  if (arg === undefined) return countOf(rowsOf(scope));
  if (expr.name === 'avg' && !expr.distinct && expr.filter === null) {
    const test = testIn(arg);
    if (test !== null) return shareOf(rowsOf(scope), scope.condition(test));
  }
  // The rows that a sum takes as zero do not change it; an average they do.
  const inside = conditionalValue(arg, /^(sum|total)$/.test(expr.name));
  const limits = [expr.filter, inside?.when ?? null].flatMap((one) =>
    one === null ? [] : [scope.condition(one)],
  );
  return {
    ...summaryOf(expr.name, scope.term(inside?.value ?? arg)),
    distinct: expr.distinct,
    where: allOf(limits),
    order: listOrder(expr, scope),
  };
}

/** The value that a conditional count asks to be there; undefined where it counts ones. */
export function countedValue({ name, args, filter }: Aggregate): Expr | undefined {
  const [arg] = args;
  if (filter !== null || arg === undefined) return arg;
  return name === 'count' ? conditionalValue(arg)?.value : undefined;
}

const SUMMARIES: Readonly<Record<string, Summary['name']>> = {
  avg: 'average',
  sum: 'total',
  total: 'total',
  max: 'highest',
  min: 'lowest',
  group_concat: 'list',
  string_agg: 'list',
};

/** What an aggregate function of that name makes of a value. */
export function summaryOf(call: string, of: Term): Summary {
  const name = SUMMARIES[call] ?? 'other';
  return {
    kind: 'summary',
    name,
    call,
    of,
    distinct: false,
    where: null,
    zeros: false,
    known: null,
    order: null,
  };
}

function listOrder({ orderBy }: Aggregate, scope: Scope): Term | null {
  const [by] = orderBy.filter((term) => !(term.expr.kind === 'column' && term.expr.name === 'rowid'));
  return by === undefined ? null : scope.term(by.expr);
}

/** Several conditions of which each holds, as one; null for none. */
export function allOf(items: readonly Condition[]): Condition | null {
  const [first, ...others] = items;
  if (first === undefined) return null;
  return others.length === 0 ? first : { kind: 'all', items };
}

export function countOf(of: Thing | Term, more: Partial<Count> = {}): Count {
  return { kind: 'count', of, distinct: false, known: null, where: null, having: null, ...more };
}

export function shareOf(of: Thing | Term, where: Condition | null, more: Partial<Share> = {}): Share {
  return { kind: 'share', of, where, percent: false, distinct: false, met: null, known: null, ...more };
}

function countTerm(expr: Aggregate, scope: Scope): Count {
  const { context, query } = scope;
  const [arg] = expr.args;
  const keyed = arg === undefined ? null : keyTable(arg, context.origins);
  if (expr.distinct && arg !== undefined && keyed === null)
    return countOf(scope.term(arg), { distinct: true });
  if (expr.distinct && arg !== undefined && keyed !== null) return distinctRows(arg, scope);
  const pairs = pairsOf(scope);
  if (pairs !== null) return countOf(pairs);
  const kept = keptRows(arg, scope);
  if (kept !== null) return countOf(kept);
  const thing = context.rowThing(query, arg ?? null) ?? (keyed === null ? null : context.thing(keyed));
  if (thing === null) return countOf(ROWS);
  return countOf(thing, { known: knownOf(arg, scope) });
}

/** Rows counted once each: clients, or clients that have loans where only the loans are read. */
function distinctRows(arg: Expr, { context, query }: Scope): Count {
  const keyed = keyTable(arg, context.origins);
  if (keyed === null) return countOf(ROWS, { distinct: true });
  const column = bare(arg);
  const own = column.kind === 'column' && context.origins.tableOf(column.source) === keyed;
  const role = own || column.kind !== 'column' ? null : context.referredThing(column);
  const thing =
    (own && column.kind === 'column' ? context.thingOf(column.source) : role) ?? context.thing(keyed);
  const rows = context.rowTable(query, arg);
  const apart = rows !== null && rows !== keyed && !context.reads(query, keyed);
  return countOf(thing, { distinct: true, having: apart ? context.thing(rows) : null });
}

const ROWS: Thing = { one: ['row'], many: ['rows'] };

/** What the rows of the query are. */
export function rowsOf(scope: Scope): Thing {
  return pairsOf(scope) ?? keptRows(undefined, scope) ?? scope.context.rowThing(scope.query) ?? ROWS;
}

/** Rows of an outer join where also those are counted that it finds nothing for: pairs of studio and film, also studios without. */
function keptRows(arg: Expr | undefined, { context, query }: Scope): Thing | null {
  if (query.kind !== 'select') return null;
  const { origins } = context;
  const rows = context.rowTable(query);
  const own = query.from.filter(({ source }) => origins.tableOf(source.id) === rows);
  const [padded] = own.filter(({ source }) => isPadded(source.id, origins));
  const [kept] = query.from.filter(({ source }) => !isPadded(source.id, origins));
  if (rows === null || own.length !== 1 || padded === undefined || kept === undefined) return null;
  const column = arg === undefined ? null : bare(arg);
  // What the joined row has is counted where there is one.
  if (column?.kind === 'column' && column.source === padded.source.id) return null;
  const asked = [query.where, query.having].flatMap(conjuncts).flatMap(columnsOf);
  if (asked.some((one) => one.source === padded.source.id && isNotNull(one, origins))) return null;
  const things = [kept, padded].flatMap(({ source }) => context.thingOf(source.id) ?? []);
  const [whole] = things;
  const pair = combinationOf(things);
  if (whole === undefined || pair === null) return null;
  const also = (text: string) => `${text} (also ${manyOf(whole)} without)`;
  return { ...pair, text: { one: also(oneOf(pair)), many: also(manyOf(pair)) } };
}

/** Rows that combine those of several tables, as what is counted: pairs of visit and test. */
function pairsOf({ context, query }: Scope): Thing | null {
  return combinationOf(context.pairedTables(query).map((table) => context.thing(table)));
}

/** What a row has to have to be counted; null where none can lack it. */
export function knownOf(expr: Expr | undefined, scope: Scope): Known | null {
  if (expr === undefined) return null;
  const { origins } = scope.context;
  const base = origins.baseColumn(expr);
  if (base === null) {
    const inner = bare(expr);
    const unsure = isCondition(inner) && columnsOf(inner).some((column) => !isNotNull(column, origins));
    return unsure || isSometimesNull(inner) ? { of: scope.term(expr), always: false } : null;
  }
  const { statistics, primary_key } = base.column;
  const always = statistics.nulls === 0 && !isPadded(base.source, origins);
  if (isNotNull(expr, origins) || (always && primary_key > 0)) return null;
  return { of: scope.term(expr), always };
}

/** Whether a CASE gives NULL to some rows, as far as it is written. */
function isSometimesNull(expr: Expr): boolean {
  if (expr.kind !== 'case') return false;
  const results = [...expr.whens.map(({ result }) => result), expr.else];
  return !results.every((result) => result?.kind === 'literal' && result.type !== 'null');
}
