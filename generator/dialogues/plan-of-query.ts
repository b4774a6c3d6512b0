import { literalPattern } from '../../contracts/wording.ts';
import {
  type Column,
  conjuncts,
  type Expr,
  type Literal,
  printExpr,
  printFrom,
  type Query,
  type Select,
  type SourceId,
  type TableSource,
} from '../../sql/index.ts';
import type { Profile, ProfiledColumn, ProfiledTable, Reference, Value } from '../synthesize/profile.ts';
import { identifier } from '../synthesize/query-builder.ts';
import { type Condition, labelsOf, type Order, type Place, type Plan, type Shown } from './plan.ts';
import { isPersonNoun, isPlace, type Words } from './words.ts';

/**
 * A question as a plan, so that further turns can edit it; null for one that is not about the rows of one table.
 * Only what its words say in a way that a turn can take up is a condition of the plan.
 */
export function planOf(text: string, query: Query, profile: Profile, words: Words): Plan | null {
  if (query.kind !== 'select' || query.with.length > 0 || query.having !== null || query.groupBy.length > 0)
    return null;
  const sources = query.from.flatMap(({ join, source }) =>
    source.kind === 'table' && ['from', 'inner', 'cross'].includes(join) ? [source] : [],
  );
  if (sources.length === 0 || sources.length < query.from.length) return null;
  for (const source of sources) {
    const subject = profile.tables.find(({ table }) => table.name === source.table);
    const shown = subject && shownOf(query, source, subject);
    if (subject === undefined || !shown) continue;
    const order = orderOf(query, source, subject);
    if (order === undefined || (order !== null && shown.kind !== 'rows')) continue;
    const read = new Reader({ text, query, source, sources, subject, profile, words });
    const rest = read.isOne ? read.joined() : read.apart(shown);
    if (rest !== null) return { subject, within: null, carried: null, shown, order, ...rest };
  }
  return null;
}

/** What a query shows of the rows of a source; null if other things too. */
function shownOf({ columns, distinct }: Select, { id }: TableSource, subject: ProfiledTable): Shown | null {
  const own = (expr: Expr) =>
    expr.kind === 'column' && expr.source === id
      ? (subject.columns.find(({ column }) => column.name === expr.name) ?? null)
      : null;
  const [only] = columns;
  if (columns.length === 1 && only?.expr.kind === 'aggregate') {
    const { name, args, star, distinct: ofDistinct, filter, orderBy } = only.expr;
    if (distinct || filter !== null || orderBy.length > 0) return null;
    const [arg] = args;
    if (name === 'count') {
      const isKey = arg?.kind === 'column' && arg.source === id && arg.name === subject.key;
      return (star && !ofDistinct) || isKey ? { kind: 'count' } : null;
    }
    const column = arg ? own(arg) : null;
    const known = (['AVG', 'SUM', 'MAX', 'MIN'] as const).find((one) => one.toLowerCase() === name);
    return column && known && !ofDistinct ? { kind: 'aggregate', name: known, column } : null;
  }
  const shown = columns.map(({ expr }) => own(expr));
  if (!shown.every((column) => column !== null)) return null;
  const labels = labelsOf(subject);
  return labels.length > 0 && labels.every((label, i) => shown[i] === label)
    ? { kind: 'rows', details: shown.slice(labels.length) }
    : { kind: 'rows', lead: shown, details: [] };
}

/** undefined for an order that a plan cannot have. */
function orderOf(
  { orderBy, limit }: Select,
  { id }: TableSource,
  subject: ProfiledTable,
): Order | null | undefined {
  if (orderBy.length === 0) return limit === null ? null : undefined;
  const [term, ...others] = orderBy;
  if (term?.expr.kind !== 'column' || term.expr.source !== id || term.nulls !== null || others.length > 0)
    return undefined;
  const { name } = term.expr;
  const column = subject.columns.find((one) => one.column.name === name);
  const count = limit?.count;
  if (column === undefined || limit?.offset) return undefined;
  if (count !== undefined && !(count.kind === 'literal' && count.type === 'integer' && count.value < 11n))
    return undefined;
  return {
    column,
    direction: term.direction === 'asc' ? 'ASC' : 'DESC',
    count: count === undefined ? null : Number((count as Literal).value),
  };
}

type Rest = Pick<Plan, 'given' | 'conditions'>;

interface Asked {
  readonly text: string;
  readonly query: Select;
  readonly source: TableSource;
  readonly sources: readonly TableSource[];
  readonly subject: ProfiledTable;
  readonly profile: Profile;
  readonly words: Words;
}

/** Reads the conditions of a query about the rows of one of its sources. */
class Reader {
  readonly #asked: Asked;
  /** The sources that the rows refer to. */
  readonly #referred = new Map<Reference, SourceId>();
  /** Whether each row occurs once: all joins follow references. */
  readonly isOne: boolean;

  constructor(asked: Asked) {
    this.#asked = asked;
    this.isOne = this.#follow(asked.sources);
  }

  #follow(sources: readonly TableSource[]): boolean {
    const tables = new Map(sources.map(({ id, table }) => [id, table]));
    const links = [...this.#asked.query.from.map(({ on }) => on), this.#asked.query.where].flatMap((on) =>
      conjuncts(on).flatMap((one) =>
        one.kind === 'compare' && one.op === '=' && one.left.kind === 'column' && one.right.kind === 'column'
          ? [[one.left, one.right] as const, [one.right, one.left] as const]
          : [],
      ),
    );
    const reached = new Set([this.#asked.source.id]);
    for (let grows = true; grows; ) {
      grows = false;
      for (const [from, to] of links) {
        if (!reached.has(from.source) || reached.has(to.source)) continue;
        const via = this.#asked.profile.references.find(
          (one) =>
            one.from.table === tables.get(from.source) &&
            one.from.column === from.name &&
            one.to.table === tables.get(to.source) &&
            one.to.column === to.name,
        );
        if (via === undefined) continue;
        if (from.source === this.#asked.source.id) this.#referred.set(via, to.source);
        reached.add(to.source);
        grows = true;
      }
    }
    return reached.size === sources.length;
  }

  /** The query's joins as they are. */
  joined(): Rest {
    const { conditions, others, meant } = this.#split(conjuncts(this.#asked.query.where));
    return {
      conditions,
      given: {
        from: printFrom(this.#asked.query.from),
        alias: this.#asked.source.id,
        joined: this.#referred,
        tests: others.map(testText),
        meant,
        asked: this.#asked.text,
        kept: conditions,
      },
    };
  }

  /** The rows whose keys the query finds; conditions on the rows themselves stand beside. */
  apart(shown: Shown): Rest | null {
    const { key } = this.#asked.subject;
    if (key === null || shown.kind === 'aggregate') return null;
    const { conditions, others, meant } = this.#split(conjuncts(this.#asked.query.where), true);
    const id = this.#asked.source.id;
    const tests = others.length === 0 ? '' : ` WHERE ${others.map(testText).join(' AND ')}`;
    const column = identifier(key);
    return {
      conditions,
      given: {
        from: `FROM ${identifier(this.#asked.source.table)} AS S1`,
        alias: 'S1',
        joined: new Map(),
        tests: [`S1.${column} IN (SELECT ${id}.${column} ${printFrom(this.#asked.query.from)}${tests})`],
        meant,
        asked: this.#asked.text,
        kept: conditions,
      },
    };
  }

  #split(tests: readonly Expr[], ownOnly = false) {
    const { text, words } = this.#asked;
    const read = tests.map((test) => {
      const condition = this.#condition(test, ownOnly);
      return { test, condition, isKept: condition !== null && isSaid(text, condition, words) };
    });
    const rest = read.filter(({ isKept }) => !isKept);
    const meant = rest.flatMap(({ condition }) => (condition && hasWords(condition, words) ? condition : []));
    return {
      conditions: read.flatMap(({ condition, isKept }) => (condition && isKept ? condition : [])),
      others: rest.map(({ test }) => test),
      meant: meant.length === rest.length ? meant : null,
    };
  }

  /** null for what a turn could not say or change. */
  #condition(test: Expr, ownOnly: boolean): Condition | null {
    if (test.kind === 'is_null') {
      const place = this.#place(test.expr, ownOnly);
      const { missing, present } = place?.column.column.words ?? {};
      if (!place || place.via !== null || missing === undefined || present === undefined) return null;
      return { place, test: test.negated ? 'present' : 'missing', value: null };
    }
    if (test.kind !== 'compare' || test.right.kind !== 'literal') return null;
    const value = literalValue(test.right);
    if (value === null) return null;
    if (test.left.kind === 'call' && test.op === '=') {
      const [format, of] = test.left.args;
      if (test.left.name !== 'strftime' || format?.kind !== 'literal' || format.value !== '%Y' || !of)
        return null;
      const place = this.#place(of, ownOnly);
      return place?.column.kind === 'date' && /^\d{4}$/.test(String(value))
        ? { place, test: 'year', value }
        : null;
    }
    const place = this.#place(test.left, ownOnly);
    if (place === null) return null;
    const { kind } = place.column;
    if (test.op === '=' && (kind === 'category' || kind === 'name')) return { place, test: '=', value };
    if ((test.op === '>' || test.op === '<') && (kind === 'number' || kind === 'year'))
      return { place, test: test.op, value };
    return null;
  }

  #place(expr: Expr, ownOnly: boolean): Place | null {
    if (expr.kind !== 'column') return null;
    const found = this.#placeOf(expr, ownOnly);
    return found && this.#asked.words.isPlain(found.column) ? found : null;
  }

  #placeOf({ source, name }: Column, ownOnly: boolean): Place | null {
    const find = (table: ProfiledTable): ProfiledColumn | undefined =>
      table.columns.find(({ column }) => column.name === name);
    if (source === this.#asked.source.id) {
      const column = find(this.#asked.subject);
      return column && column.kind !== 'name' ? { column, table: this.#asked.subject, via: null } : null;
    }
    const [via] = [...this.#referred].find(([, id]) => id === source) ?? [];
    if (ownOnly || via === undefined) return null;
    const table = this.#asked.profile.tables.find(({ table: { name } }) => name === via.to.table);
    const column = table && find(table);
    if (!table || !column) return null;
    const labels = labelsOf(table);
    if (labels.includes(column) ? labels.length > 1 : column.kind === 'name') return null;
    return { column, table, via };
  }
}

function testText(test: Expr): string {
  const text = printExpr(test);
  return test.kind === 'or' ? `(${text})` : text;
}

function literalValue(literal: Literal): Value | null {
  return literal.type === 'blob' ? null : literal.value;
}

/** Whether a question names the value of a condition so that "and in Ashcombe?" can only replace it. */
function isSaid(text: string, condition: Condition, words: Words): boolean {
  const { place, test } = condition;
  if (test === 'missing' || test === 'present') return true;
  const value = words.value(condition);
  const isWho = test === '=' && isPersonNoun(value) && words.isPeople(place.table);
  if (!holds(isWho ? `${literalPattern(value)}s?` : literalPattern(value)).test(text)) return false;
  if (test !== '=' || isWho || (place.via !== null && labelsOf(place.table).includes(place.column)))
    return true;
  return withheldIn(text, condition, words) !== null;
}

/** Whether a value is no mere code. */
function hasWords(condition: Condition, words: Words): boolean {
  const { test, value } = condition;
  return (
    test !== '=' || typeof value !== 'string' || words.value(condition) !== value || /\p{Ll}{2}/u.test(value)
  );
}

function holds(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu');
}

/** A question that leaves out the value of a condition: in a certain city; null where its words are not found. */
export function withheldIn(text: string, condition: Condition, words: Words): string | null {
  const { place, test } = condition;
  if (test !== '=' && test !== 'year') return null;
  const noun = test === 'year' ? 'year' : words.about(place);
  const value = literalPattern(words.value(condition));
  if ([...text.matchAll(holds(value))].length !== 1) return null;
  const named = new RegExp(
    `\\b(?:the |its )?${literalPattern(noun)} (?:is |of )?["'“]?${value}["'”]?(?![\\p{L}\\p{N}])`,
    'iu',
  );
  const bare = new RegExp(`\\b(in|from|near|at|during) ${value}(?![\\p{L}\\p{N}])`, 'iu');
  const missing = `a certain ${noun}`;
  if (named.test(text)) return text.replace(named, missing);
  return (isPlace(noun) || test === 'year') && bare.test(text)
    ? text.replace(bare, (_, preposition: string) => `${preposition} ${missing}`)
    : null;
}
