import type { CatalogTable } from '../../contracts/catalog.ts';
import {
  type Column,
  type Expr,
  exprsWithin,
  type Origins,
  rewriteExprs,
  type Select,
  textLiteral,
} from '../../sql/index.ts';
import { canonicalExpr, isNotNull, isPadded } from '../template/canonical-form.ts';
import type { Base, Property, Shown, Term, Thing, Wording } from './clause.ts';
import { keyOf, labelOf, referredKey } from './joins.ts';
import { bare, unchanged } from './patterns.ts';
import type { QueryContext, Scope } from './query-context.ts';
import { endsWith, isPersonName, lower, personOf, plural } from './words.ts';

/** A result column (or the several names of one person) with where it is read from. */
export interface Output extends Shown {
  readonly exprs: readonly Expr[];
  readonly base: Base | null;
  readonly table: CatalogTable | null;
}

/** The part of an output that clauses keep: neither SQL nor catalog entries. */
export function shownOf({ term, owner, role, stands, columns }: Output): Shown {
  return { term, owner, role, stands, columns };
}

/** The result columns of a SELECT; the parts of a person's name are one. */
export function outputsOf(select: Select, scope: Scope): readonly Output[] {
  return mergeNames(
    select.columns.map(({ expr }, i) => outputOf(expr, scope, i)),
    scope,
  );
}

/** One result or grouping expression on its own. */
export function outputOf(expr: Expr, scope: Scope, at = -1): Output {
  const { context } = scope;
  const inner = bare(expr);
  const base = inner.kind === 'column' ? context.origins.baseColumn(inner) : null;
  // A reference to the key of another table in FROM is that key itself, unless it is a label.
  const referred = scope.query.kind === 'select' ? referredKey(expr, scope.query, context) : null;
  const parent = referred === null ? null : context.origins.baseColumn(referred);
  if (referred !== null && parent !== null && roleOf(parent, context) === 'key') {
    return { ...outputOf(referred, scope, at), exprs: [expr, referred] };
  }
  const table = base?.table ?? tableWithin(expr, context);
  const role = base === null ? 'other' : roleOf(base, context);
  return {
    exprs: [expr],
    term: scope.term(expr),
    base,
    table,
    owner: ownerOf(base, table, context),
    role,
    stands: role === 'label' && base !== null ? standsFor(base, context) : null,
    columns: at < 0 ? [] : [at],
  };
}

function ownerOf(base: Base | null, table: CatalogTable | null, context: QueryContext): Thing | null {
  if (base !== null) return context.rowsOf(base.source);
  return table === null ? null : context.thing(table);
}

function tableWithin(expr: Expr, { origins }: QueryContext): CatalogTable | null {
  const [first] = exprsWithin(expr).flatMap((part) => origins.baseColumn(part) ?? []);
  return first?.table ?? null;
}

function roleOf({ table, column }: Base, { lexicon }: QueryContext): Shown['role'] {
  if (labelOf(table, lexicon)?.name === column.name) return 'label';
  return keyOf(table)?.name === column.name ? 'key' : 'other';
}

/** The noun of a table, or the role that it has here: eye colour. */
function standsFor({ table, column, source }: Base, context: QueryContext): Thing {
  const role = context.roleOf(source);
  if (role !== null) return role;
  // The column "language" of country languages names a language.
  const own = context.lexicon.column(table.name, column.name);
  const noun = context.thing(table);
  return own.length === 1 && noun.one.length > 1 && own[0]?.toLowerCase() === noun.one.at(-1)?.toLowerCase()
    ? { one: own, many: plural(own) }
    : noun;
}

/** Merges a person's first and last name into one output, which is the row's label if it is the only name. */
function mergeNames(outputs: readonly Output[], { context }: Scope): readonly Output[] {
  const merged: Output[] = [];
  for (const output of outputs) {
    const person = nameOf(output, context);
    const partner =
      person === null
        ? undefined
        : merged.find(
            (one) => one.owner?.one.join() === output.owner?.one.join() && nameOf(one, context) === person,
          );
    if (partner === undefined) merged.push(output);
    else merged[merged.indexOf(partner)] = asPerson(partner, output, context);
  }
  return merged;
}

/** A key for the name that an output is a part of; null if it is none. */
function nameOf({ base }: Output, { lexicon }: QueryContext): string | null {
  const person = base === null ? null : personOf(lexicon.column(base.table.name, base.column.name));
  return person === null ? null : `${lower(person.whose)}|${person.number}`;
}

function asPerson(partner: Output, output: Output, context: QueryContext): Output {
  const { term, base } = partner;
  const columns = [...partner.columns, ...output.columns];
  const exprs = [...partner.exprs, ...output.exprs];
  if (term.kind !== 'property' || base === null) return { ...partner, columns, exprs };
  const person = personOf(context.lexicon.column(base.table.name, base.column.name));
  const named = (whose: readonly string[]): Wording => {
    const words = [...whose, 'full', 'name', person?.number ?? ''].filter((word) => word !== '');
    return { words, text: words.join(' ') };
  };
  // The first name of a customer, where its column is called customer first name.
  const whose = endsWith(context.thing(base.table).one, person?.whose ?? []) ? [] : (person?.whose ?? []);
  const role = context.roleOf(base.source);
  const whole = person?.number === '' && (whose.length === 0 || lower(whose) === lower(role?.one ?? []));
  const full: Property = {
    ...term,
    own: named(whose),
    full: named(whose.length > 0 ? whose : (term.owner?.one ?? [])),
    clear: true,
  };
  const names = [base, output.base].flatMap((one) =>
    one === null ? [] : [context.lexicon.column(one.table.name, one.column.name)],
  );
  const isFullName = partner.columns.length > 1 || isPersonName(names);
  return {
    ...partner,
    exprs,
    columns,
    term: full,
    role: whole && isFullName ? 'label' : partner.role === 'label' ? 'label' : 'other',
    stands: whole && isFullName ? standsFor(base, context) : partner.stands,
  };
}

/**
 * The meaning of a term, equal for the same expression of the same columns: computed columns are followed to their
 * expressions and references to their keys; casts and rounding do not count. Null for a term without an expression.
 */
export function meaningOf(term: Term, { exprOf, origins }: QueryContext): Meaning | null {
  const expr = exprOf.get(term);
  if (expr === undefined) return null;
  const plain = unrounded(expr, origins, 0);
  const text = canonicalExpr(resolved(plain, origins, 0), origins, (id) => id);
  const number = exprsWithin(expr).some((part) => part.kind === 'cast' && /INT|REAL|NUM/.test(part.type));
  return { text, column: plain.kind === 'column', number };
}

/** A term's expression as text, and whether it is a plain column. */
export interface Meaning {
  readonly text: string;
  readonly column: boolean;
  /** Whether it is a text read as a number. */
  readonly number: boolean;
}

/** Removes casts and rounding, which descriptions mention separately. */
function unrounded(expr: Expr, origins: Origins, depth: number): Expr {
  const [rounded] = expr.kind === 'call' && expr.name === 'round' ? expr.args : [];
  const origin = expr.kind === 'column' ? origins.of(expr) : null;
  const inner = expr.kind === 'cast' ? expr.expr : origin?.kind === 'computed' ? origin.expr : rounded;
  return inner === undefined || depth > 50 ? expr : unrounded(inner, origins, depth + 1);
}

function resolved(tree: Expr, origins: Origins, depth: number): Expr {
  const within = (expr: Expr) => resolved(expr, origins, depth + 1);
  return rewriteExprs(tree, (expr) => {
    switch (expr.kind) {
      case 'cast':
      case 'collate':
        return within(expr.expr);
      case 'binary': {
        const same = unchanged(expr);
        return same === null ? null : within(same);
      }
      case 'aggregate': {
        const [arg] = expr.args;
        const rows =
          expr.name === 'count' && !expr.distinct && arg !== undefined && isAlwaysPresent(arg, origins);
        return rows ? within({ ...expr, args: [], star: true }) : null;
      }
      case 'and':
      case 'or': {
        const items = new Map(expr.items.map((item) => [canonicalExpr(item, origins, (id) => id), item]));
        const [only, ...others] = items.values();
        return only !== undefined && others.length === 0 ? within(only) : null;
      }
      case 'column': {
        const origin = origins.of(expr);
        // A recursive query refers to itself.
        if (origin.kind === 'computed') return depth > 50 ? null : within(origin.expr);
        const place = placeOf(expr, origins);
        return place === null ? null : textLiteral(place);
      }
      default:
        return null;
    }
  });
}

/** Whether every row has a value, so that counting values is counting rows. */
function isAlwaysPresent(expr: Expr, origins: Origins): boolean {
  const base = origins.baseColumn(expr);
  const key = base !== null && base.column.primary_key > 0 && !isPadded(base.source, origins);
  return key || isNotNull(expr, origins);
}

/** A column as text: a reference as its key, with a number if the query reads the table several times. */
function placeOf(column: Column, origins: Origins): string | null {
  const base = origins.baseColumn(column);
  if (base === null) return null;
  let [table, name] = [base.table, base.column.name];
  const seen = new Set<string>();
  for (;;) {
    const key = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === name);
    const parent = key === undefined ? null : origins.tableNamed(key.references_table);
    if (key === undefined || parent === null || seen.has(`${table.name}.${name}`)) break;
    seen.add(`${table.name}.${name}`);
    [table, name] = [parent, key.references_columns[0] ?? name];
  }
  const twins = (origins.selectOf(base.source)?.from ?? []).filter(
    ({ source }) => origins.tableOf(source.id) === base.table,
  );
  const at = twins.findIndex(({ source }) => source.id === base.source);
  return `${table.name}.${name}${at > 0 ? ` of ${at + 1}` : ''}`;
}
