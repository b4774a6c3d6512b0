import {
  type Aggregate,
  type Column,
  type Compare,
  conjuncts,
  Determined,
  type Expr,
  exprsWithin,
  type FrameBound,
  type FromItem,
  isInner,
  type Literal,
  MIRRORED,
  node,
  type OrderTerm,
  type Origins,
  type Query,
  rowidAlias,
  type Select,
  type SourceId,
  type Window,
} from '../../sql/index.ts';
import { ambiguitiesOf } from '../tie-breaking.ts';
import type { Choice } from './choices.ts';

type Names = ReadonlyMap<SourceId, string>;

/**
 * Hides aliases, the order of operands, and, unless results depend on it, of joins and sort keys. Chosen
 * values are `?`.
 */
export function canonicalForm(query: Query, choiceOf: ReadonlyMap<Literal, Choice>, origins: Origins): Form {
  const open = ambiguitiesOf(query, origins.catalog).length > 0;
  return new Canonical(choiceOf, origins, open).query(query, new Map());
}

/** The expression's canonical text; `nameOf` returns the text for a source. */
export function canonicalExpr(expr: Expr, origins: Origins, nameOf: (source: SourceId) => string): string {
  const names = new Map<SourceId, string>();
  for (const part of exprsWithin(expr)) {
    if (part.kind === 'column') names.set(part.source, nameOf(part.source));
  }
  return new Canonical(new Map(), origins, true).expr(expr, names).text;
}

/** SQLite's second names of functions. */
const SAME_CALLS: Readonly<Record<string, string>> = { substring: 'substr', power: 'pow', ceiling: 'ceil' };

class Canonical {
  readonly #choiceOf: ReadonlyMap<Literal, Choice>;
  readonly #origins: Origins;
  /** Whether the order of joins may affect the answer. */
  readonly #ordered: boolean;
  readonly #ctes = new Map<string, string>();
  #sources = 0;

  constructor(choiceOf: ReadonlyMap<Literal, Choice>, origins: Origins, ordered: boolean) {
    this.#choiceOf = choiceOf;
    this.#origins = origins;
    this.#ordered = ordered;
  }

  // -------------------------------------------------------------------------------------------- queries

  query(query: Query, names: Names): Form {
    for (const cte of query.with) this.#ctes.set(cte.name, `c${this.#ctes.size}`);
    const withs = joined(
      query.with.map((cte) => form`(with ${this.#cte(cte.name)} ${this.query(cte.query, names)})`),
    );
    return form`(${withs}${this.#body(query, names)})`;
  }

  #body(query: Query, names: Names): Form {
    switch (query.kind) {
      case 'select':
        return this.#select(query, names);
      case 'set_operation': {
        const sides = joined([this.query(query.left, names), this.query(query.right, names)]);
        return form`${query.op} ${sides}${this.#order(query.orderBy, names)}${this.#limit(query, names)}`;
      }
      case 'values':
        return form`values ${joined(query.rows.map((row) => form`(${this.#list(row, names)})`))}`;
    }
  }

  #cte(name: string): string {
    return this.#ctes.get(name) ?? name;
  }

  #select(select: Select, outer: Names): Form {
    const inner = select.from.every(isInner);
    const conjuncts = inner
      ? [select.where, ...select.from.map(({ on }) => on)].flatMap(conjunctsOf)
      : conjunctsOf(select.where);
    const from = inner && !this.#ordered ? this.#inOrder(select, conjuncts, outer) : select.from;
    const names = new Map(outer);
    for (const { source } of from) names.set(source.id, `s${this.#sources++}`);

    const sources = from.map((item) => {
      if (inner) return this.#source(item, names);
      const on = item.on === null ? form`` : form` on ${this.expr(item.on, names)}`;
      return form`(${item.join} ${this.#source(item, names)}${on})`;
    });
    const distinct = select.distinct ? 'distinct ' : '';
    const columns = joined(select.columns.map((column) => this.expr(column.expr, names)));
    const where = joined(sorted(conjuncts.map((one) => this.expr(one, names))));
    const groups = select.groupBy.map((one) => this.expr(one, names));
    const groupBy = joined(this.#ordered ? groups : sorted(groups));
    const having = joined(sorted(conjunctsOf(select.having).map((one) => this.expr(one, names))));
    return form`${distinct}(columns ${columns})(from ${joined(sources)})(where ${where})(group ${groupBy})(having ${having})${this.#order(this.#sortKeys(select), names)}${this.#limit(select, names)}`;
  }

  /** Drops sort keys determined by earlier ones: a post's row determines its owner's. */
  #sortKeys(select: Select): readonly OrderTerm[] {
    if (this.#ordered || select.groupBy.length > 0) return select.orderBy;
    const known = select.orderBy.map(({ expr }) => expr);
    return select.orderBy.filter(
      ({ expr }, i) => !new Determined(select, this.#origins.catalog, known.slice(0, i)).has(expr),
    );
  }

  #source({ source }: FromItem, names: Names): Form {
    switch (source.kind) {
      case 'table':
        return form`${JSON.stringify(source.table)}`;
      case 'derived':
        return this.query(source.query, names);
      case 'cte':
        return form`(cte ${this.#cte(source.name)})`;
    }
  }

  /** Inner joins sorted by table and conditions; equal ones keep their order. */
  #inOrder(select: Select, conjuncts: readonly Expr[], outer: Names): readonly FromItem[] {
    const own = select.from.map(({ source }) => source);
    const kindOf = new Map(
      own.map((source) => [source.id, source.kind === 'table' ? source.table : source.kind]),
    );
    const exprs = [
      ...conjuncts,
      ...select.columns.map(({ expr }) => expr),
      ...select.groupBy,
      ...select.orderBy.map(({ expr }) => expr),
    ];
    const first = this.#sources;
    const keyed = select.from.map((item) => {
      const names = new Map([...outer, ...kindOf, [item.source.id, '@']]);
      const forms = exprs.map((expr, i) => {
        this.#sources = first;
        const place = i < conjuncts.length ? '' : String(i - conjuncts.length);
        return form`${place} ${this.expr(expr, names).text}`;
      });
      const mentions = forms.filter(({ text }) => text.includes('(col @ '));
      this.#sources = first;
      return { item, ...form`${this.#source(item, names)} ${joined(sorted(mentions))}` };
    });
    this.#sources = first;
    return keyed.sort(byText).map(({ item }) => item);
  }

  #order(terms: readonly OrderTerm[], names: Names): Form {
    if (terms.length === 0) return form``;
    const forms = terms.map(
      ({ expr, direction, nulls }) => form`${this.expr(expr, names)} ${direction} ${nulls ?? ''}`,
    );
    return form`(order ${joined(forms)})`;
  }

  #limit({ limit }: Pick<Select, 'limit'>, names: Names): Form {
    if (limit === null) return form``;
    return form`(limit ${this.expr(limit.count, names)} ${this.#maybe(limit.offset, names)})`;
  }

  // ---------------------------------------------------------------------------------------- expressions

  #list(exprs: readonly Expr[], names: Names): Form {
    return joined(exprs.map((expr) => this.expr(expr, names)));
  }

  #maybe(expr: Expr | null, names: Names): Form {
    return expr === null ? form`-` : this.expr(expr, names);
  }

  expr(expr: Expr, names: Names): Form {
    const one = (child: Expr) => this.expr(child, names);
    switch (expr.kind) {
      case 'literal':
        return this.#literal(expr);
      case 'column':
        return form`(col ${names.get(expr.source) ?? expr.source} ${this.#columnName(expr)})`;
      case 'output':
        return form`(output ${String(expr.index)})`;
      case 'row':
        return form`(row ${this.#list(expr.items, names)})`;
      case 'unary':
        return form`(${expr.op} ${one(expr.expr)})`;
      case 'binary': {
        const sides = [one(expr.left), one(expr.right)];
        return form`(${expr.op} ${joined(expr.op === '+' || expr.op === '*' ? sorted(sides) : sides)})`;
      }
      case 'compare':
        return this.#compare(expr, names);
      case 'and':
      case 'or':
        return form`(${expr.kind} ${joined(sorted(expr.items.map(one)))})`;
      case 'not':
        return form`(not ${one(expr.expr)})`;
      case 'is_null':
        return form`(${not(expr)}is_null ${one(expr.expr)})`;
      case 'between':
        return form`(${not(expr)}between ${one(expr.expr)} ${one(expr.low)} ${one(expr.high)})`;
      case 'like':
        return form`(${not(expr)}${expr.op} ${one(expr.expr)} ${one(expr.pattern)} ${this.#maybe(expr.escape, names)})`;
      case 'in_list': {
        const [first] = expr.items;
        const choice = first?.kind === 'literal' ? this.#choiceOf.get(first) : undefined;
        if (choice?.array) return form`(${not(expr)}in ${one(expr.expr)} ${chosen(choice)})`;
        return form`(${not(expr)}in ${one(expr.expr)} (${joined(sorted(expr.items.map(one)))}))`;
      }
      case 'in_query':
        return form`(${not(expr)}in ${one(expr.expr)} ${this.query(expr.query, names)})`;
      case 'exists':
        return form`(${not(expr)}exists ${this.query(expr.query, names)})`;
      case 'scalar_query':
        return form`(scalar ${this.query(expr.query, names)})`;
      case 'case': {
        const whens = expr.whens.map(({ when, result }) => form`(${one(when)} ${one(result)})`);
        return form`(case ${this.#maybe(expr.operand, names)} ${joined(whens)} ${this.#maybe(expr.else, names)})`;
      }
      case 'cast':
        return form`(cast ${JSON.stringify(expr.type)} ${one(expr.expr)})`;
      case 'collate':
        return form`(collate ${expr.collation} ${one(expr.expr)})`;
      case 'call':
        return form`(call ${SAME_CALLS[expr.name] ?? expr.name} ${this.#list(expr.args, names)})`;
      case 'aggregate':
        return this.#aggregate(expr, names);
      case 'window':
        return this.#window(expr, names);
    }
  }

  /** A derived table's columns are named by position, since their names are aliases. */
  #columnName({ source, name }: Column): string {
    const at = this.#origins.outputNames(source)?.indexOf(name) ?? -1;
    return at < 0 ? JSON.stringify(name) : String(at);
  }

  #literal(literal: Literal): Form {
    const choice = this.#choiceOf.get(literal);
    return choice === undefined ? fixedForm(literal) : chosen(choice);
  }

  #compare({ op, left, right }: Compare, names: Names): Form {
    const sides = [this.expr(left, names), this.expr(right, names)] as const;
    // The left side's collation decides, so sides swap only where there is none.
    const swap = byText(...sides) > 0 && !this.#collates(left) && !this.#collates(right);
    return swap ? form`(${MIRRORED[op]} ${sides[1]} ${sides[0]})` : form`(${op} ${sides[0]} ${sides[1]})`;
  }

  #collates(expr: Expr): boolean {
    for (const part of exprsWithin(expr)) {
      if (part.kind === 'collate') return true;
      if (part.kind !== 'column') continue;
      const origin = this.#origins.of(part);
      if (origin.kind === 'column' && origin.column.collation !== 'BINARY') return true;
    }
    return false;
  }

  #aggregate(expr: Aggregate, names: Names): Form {
    const [arg] = expr.args;
    const counts = expr.name === 'count' && !expr.distinct;
    const star = expr.star || (counts && arg !== undefined && isNotNull(arg, this.#origins));
    const args = star ? form`*` : this.#list(expr.args, names);
    return form`(agg ${expr.name} ${expr.distinct ? 'distinct ' : ''}${args} ${this.#maybe(expr.filter, names)}${this.#order(expr.orderBy, names)})`;
  }

  #window(expr: Window, names: Names): Form {
    const args = expr.star ? form`*` : this.#list(expr.args, names);
    const { frame } = expr;
    const bound = (at: FrameBound) =>
      'offset' in at ? form`${at.at} ${this.expr(at.offset, names)}` : form`${at.at}`;
    const frames =
      frame === null
        ? form`-`
        : form`${frame.mode} ${bound(frame.start)} ${bound(frame.end)} ${frame.exclude ?? ''}`;
    return form`(window ${expr.name} ${args} ${this.#maybe(expr.filter, names)} (${this.#list(expr.partitionBy, names)})${this.#order(expr.orderBy, names)}${frames})`;
  }
}

function chosen(choice: Choice): Form {
  const { prefix, suffix, array, type, anyNumber } = choice;
  const kind = anyNumber && type === 'integer' ? 'number' : type;
  return { text: `?${kind}${array ? '[]' : ''}${JSON.stringify([prefix, suffix])}`, choices: [choice] };
}

function not({ negated }: { readonly negated: boolean }): string {
  return negated ? 'not ' : '';
}

function conjunctsOf(expr: Expr | null): readonly Expr[] {
  return conjuncts(expr).flatMap((one) => {
    if (one.kind !== 'between' || one.negated) return [one];
    const bound = (op: '>=' | '<=', right: Expr) => node({ kind: 'compare', op, left: one.expr, right });
    return [bound('>=', one.low), bound('<=', one.high)];
  });
}

/** Canonical SQL text: equal text means equal meaning. `choices` are the `?` in it, in order. */
export interface Form {
  readonly text: string;
  readonly choices: readonly Choice[];
}

/** form`(= ${left} ${right})` concatenates text and forms. */
export function form(parts: TemplateStringsArray, ...values: readonly (string | Form)[]): Form {
  let text = parts[0] ?? '';
  const choices: Choice[] = [];
  values.forEach((value, i) => {
    if (typeof value === 'string') text += value;
    else {
      text += value.text;
      choices.push(...value.choices);
    }
    text += parts[i + 1] ?? '';
  });
  return { text, choices };
}

export function joined(forms: readonly Form[], separator = ' '): Form {
  return {
    text: forms.map((one) => one.text).join(separator),
    choices: forms.flatMap((one) => one.choices),
  };
}

export function sorted(forms: readonly Form[]): readonly Form[] {
  return [...forms].sort(byText);
}

export function byText(a: Form, b: Form): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

export function fixedForm(literal: Literal): Form {
  return form`${literal.type}:${literal.type === 'real' ? literal.text : JSON.stringify(String(literal.value))}`;
}

/** A NOT NULL column without outer joins, or one that a condition keeps from being NULL. */
export function isNotNull(expr: Expr, origins: Origins): boolean {
  if (expr.kind === 'literal') return expr.type !== 'null';
  if (expr.kind !== 'column') return false;
  const select = origins.selectOf(expr.source);
  if (select !== null && conditionsOf(select).some((one) => rejectsNull(one, expr))) return true;
  if (isPadded(expr.source, origins)) return false;
  const table = origins.tableOf(expr.source);
  const column = table?.columns.find(({ name }) => name === expr.name);
  // SQLite's primary keys may hold NULL, but for an alias of the row id.
  return table !== null && column !== undefined && (column.not_null || rowidAlias(table) === column);
}

/** Whether an outer join can fill a source's columns with NULL. */
export function isPadded(source: SourceId, origins: Origins): boolean {
  const from = origins.selectOf(source)?.from ?? [];
  const at = from.findIndex((item) => item.source.id === source);
  const own = from[at]?.join;
  if (own === 'left' || own === 'full') return true;
  return from.slice(at + 1).some(({ join }) => join === 'right' || join === 'full');
}

/** The conditions that every row of a SELECT meets. */
function conditionsOf({ where, from }: Select): readonly Expr[] {
  return [where, ...(from.every(isInner) ? from.map(({ on }) => on) : [])].flatMap(conjuncts);
}

/** Whether the condition is never true where the column is NULL. */
function rejectsNull(condition: Expr, column: Column): boolean {
  const isIt = (expr: Expr) =>
    expr.kind === 'column' && expr.source === column.source && expr.name === column.name;
  switch (condition.kind) {
    case 'compare':
      return /^(is|is_not)$/.test(condition.op) ? false : isIt(condition.left) || isIt(condition.right);
    case 'is_null':
      return condition.negated && isIt(condition.expr);
    case 'between':
    case 'like':
    case 'in_list':
      return isIt(condition.expr);
    default:
      return false;
  }
}
