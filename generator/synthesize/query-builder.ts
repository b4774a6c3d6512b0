import { quoteIdentifier, quoteText } from '../../sql/index.ts';
import type { Random } from '../variants/random.ts';
import {
  type ColumnKind,
  isPartOfName,
  type Profile,
  type ProfiledColumn,
  type ProfiledTable,
  peopleOf,
  type Reference,
  type Value,
} from './profile.ts';

/** Builds one query over a table and up to two that it refers to. Methods return null to give up. */
export class QueryBuilder {
  readonly random: Random;
  readonly profile: Profile;
  readonly tables: readonly TableRef[];
  /** FROM with its joins. */
  readonly from: string;
  /** Whether several rows of the main table may lead to one of the last. */
  readonly groups: boolean;
  readonly #used = new Set<ProfiledColumn>();

  constructor(
    random: Random,
    profile: Profile,
    path: { readonly tables: readonly TableRef[]; readonly from: string; readonly groups: boolean },
  ) {
    this.random = random;
    this.profile = profile;
    this.tables = path.tables;
    this.from = path.from;
    this.groups = path.groups;
  }

  get main(): TableRef {
    return this.tables[0] as TableRef;
  }

  /** The table furthest along the references, possibly the main one. */
  get last(): TableRef {
    return this.tables.at(-1) as TableRef;
  }

  columns(kinds: readonly ColumnKind[], tables: readonly TableRef[] = this.tables): ColumnRef[] {
    return tables.flatMap((table) =>
      table.table.columns
        .filter((column) => kinds.includes(column.kind))
        .map((column) => ({ table, column, sql: this.name(table, column.column.name) })),
    );
  }

  /** A column not used by the query yet. */
  column(kinds: readonly ColumnKind[], tables?: readonly TableRef[]): ColumnRef | null {
    const place = this.random.pick(
      this.columns(kinds, tables).filter(({ column }) => !this.#used.has(column)),
    );
    if (place) this.#used.add(place.column);
    return place ?? null;
  }

  /** The column that names a table's rows to people. */
  label(table: TableRef): ColumnRef | null {
    const { label } = table.table;
    if (label === null) return null;
    this.#used.add(label);
    return { table, column: label, sql: this.name(table, label.column.name) };
  }

  /** As `label`, with both names for persons. */
  people(table: TableRef): ColumnRef[] {
    const { label, columns } = table.table;
    if (label === null) return [];
    return peopleOf(label, columns).map((column) => {
      this.#used.add(column);
      return { table, column, sql: this.name(table, column.column.name) };
    });
  }

  key({ table, alias }: TableRef): string | null {
    return table.key === null ? null : this.name({ alias }, table.key);
  }

  name({ alias }: Pick<TableRef, 'alias'>, column: string): string {
    return alias === '' ? identifier(column) : `${alias}.${identifier(column)}`;
  }

  /** A condition on an unused column. */
  condition(kinds: readonly ColumnKind[] = CONDITION_KINDS, tables?: readonly TableRef[]): string | null {
    const place = this.column(kinds, tables);
    return place && conditionOn(place, this.random);
  }

  /** One or two conditions, one on the last joined table, so that each join is needed. */
  where(): string | null {
    const first = this.tables.length > 1 ? this.condition(CONDITION_KINDS, [this.last]) : this.condition();
    if (first === null) return null;
    // Rows of one name need no second condition.
    const second = this.random.chance(0.35)
      ? this.condition(CONDITION_KINDS.filter((kind) => kind !== 'name'))
      : null;
    return second === null ? `WHERE ${first}` : `WHERE ${first} AND ${second}`;
  }

  maybeWhere(probability: number): string {
    return this.random.chance(probability) ? (this.where() ?? '') : '';
  }
}

const CONDITION_KINDS: readonly ColumnKind[] = [
  'category',
  'category',
  'flag',
  'ordinal',
  'number',
  'year',
  'date',
  'name',
];

const PLAIN = /^[a-z_][a-z0-9_]*$/i;

/** Keywords that are also common column names; they are quoted. */
const RESERVED = new Set(
  (
    'abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case cast check collate ' +
    'column commit conflict constraint create cross current current_date current_time current_timestamp database default deferrable deferred ' +
    'delete desc detach distinct do drop each else end escape except exclude exclusive exists explain fail filter first following for foreign ' +
    'from full generated glob group groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull ' +
    'join key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order others outer over ' +
    'partition plan pragma preceding primary query raise range recursive references regexp reindex release rename replace restrict returning ' +
    'right rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded union unique update using ' +
    'vacuum values view virtual when where window with without'
  ).split(' '),
);

/** The name as SQL, quoted only where necessary. */
export function identifier(name: string): string {
  return PLAIN.test(name) && !RESERVED.has(name.toLowerCase()) ? name : quoteIdentifier(name);
}

interface TableRef {
  readonly alias: string;
  readonly table: ProfiledTable;
}

export interface ColumnRef {
  readonly table: TableRef;
  readonly column: ProfiledColumn;
  readonly sql: string;
}

/** A table, or tables joined along references; null when the database has none. */
export function startQuery(profile: Profile, random: Random, joins: number): QueryBuilder | null {
  const path = drawPath(profile, random, joins);
  if (path === null) return null;
  const { start, steps } = path;
  if (steps.length === 0) {
    const from = `FROM ${identifier(start.table.name)}`;
    return new QueryBuilder(random, profile, { tables: [{ alias: '', table: start }], from, groups: true });
  }
  const tables = [start, ...steps.map(({ to }) => to)].map(
    (table, i): TableRef => ({ alias: `T${i + 1}`, table }),
  );
  const joined = steps.map(({ by, to }, i) => {
    const [child, parent] = [`T${i + 1}`, `T${i + 2}`];
    const name = identifier(to.table.name);
    return ` INNER JOIN ${name} AS ${parent} ON ${child}.${identifier(by.from.column)} = ${parent}.${identifier(by.to.column)}`;
  });
  return new QueryBuilder(random, profile, {
    tables,
    from: `FROM ${identifier(start.table.name)} AS T1${joined.join('')}`,
    groups: steps.some(({ by: { from } }, i) => repeats(steps[i - 1]?.to ?? start, from.column)),
  });
}

/** Whether rows of a table share values of a column. */
function repeats({ table }: ProfiledTable, column: string): boolean {
  const statistics = table.columns.find(({ name }) => name === column)?.statistics;
  return statistics !== undefined && statistics.distinct * 1.2 < statistics.rows - statistics.nulls;
}

interface JoinStep {
  readonly by: Reference;
  readonly to: ProfiledTable;
}

function drawPath(
  profile: Profile,
  random: Random,
  joins: number,
): { readonly start: ProfiledTable; readonly steps: readonly JoinStep[] } | null {
  const starts = profile.tables.filter(
    (table) =>
      table.columns.some(({ kind }) => kind !== 'key') &&
      (joins === 0 || stepsFrom(profile, table).length > 0),
  );
  const start = random.pick(starts);
  if (start === undefined) return null;
  const steps: JoinStep[] = [];
  const seen = new Set([start]);
  for (let at = start; steps.length < joins; ) {
    // Visits of members of a gym would seem to be visits of the gym, if they refer to one too.
    const near = [...seen]
      .filter((one) => one !== at)
      .flatMap((one) => stepsFrom(profile, one).map(({ to }) => to));
    const step = random.pick(stepsFrom(profile, at).filter(({ to }) => !seen.has(to) && !near.includes(to)));
    if (step === undefined) break;
    steps.push(step);
    seen.add(step.to);
    at = step.to;
  }
  return joins > 0 && steps.length === 0 ? null : { start, steps };
}

export function stepsFrom({ references, tables }: Profile, { table }: ProfiledTable): JoinStep[] {
  return references.flatMap((by) => {
    const to = tables.find((other) => other.table.name === by.to.table);
    return by.from.table === table.name && to !== undefined && to.table !== table ? [{ by, to }] : [];
  });
}

/** The share of rows that a category must have to be worth a condition. */
const RARE = 0.01;
const USUAL = 0.8;

/** A condition with literals from the data that keeps some rows and drops some; null if there is none. */
function conditionOn(place: ColumnRef, random: Random): string | null {
  const { sql, column } = place;
  const isAsked = /^(category|name|date)$/.test(column.kind) && column.nulls > 0.03 && column.nulls < 0.9;
  if (isAsked && random.chance(0.06)) return `${sql} IS NULL`;
  switch (column.kind) {
    case 'category':
    case 'flag':
    case 'ordinal':
      return categoryCondition(place, random);
    case 'number':
    case 'year':
      return rangeCondition(place, random);
    case 'date':
      return dateCondition(place, random);
    case 'name':
      return nameCondition(place, random);
    default:
      return null;
  }
}

function categoryCondition({ sql, column }: ColumnRef, random: Random): string | null {
  const values = column.common
    .filter(({ share }) => share >= RARE && share <= USUAL)
    .map(({ value }) => value);
  if (values.length >= 4 && random.chance(0.18)) {
    return `${sql} IN (${random
      .sample(values, 2 + random.below(2))
      .map(literal)
      .join(', ')})`;
  }
  const value = random.pick(values);
  if (value === undefined || value === '') return null;
  const isOther = column.kind === 'category' && values.length > 2 && random.chance(0.1);
  return `${sql} ${isOther ? '<>' : '='} ${literal(value)}`;
}

function rangeCondition({ sql, column }: ColumnRef, random: Random): string | null {
  const [low, , , , , , high] = column.steps;
  const middle = random.pick(column.steps);
  if (low === undefined || high === undefined || middle === undefined || low === high) return null;
  if (isFewNumber(column) && column.kind === 'number' && random.chance(0.3))
    return `${sql} = ${literal(middle)}`;
  const [from, to, bound] = [column.steps[1], column.steps[5], middle].map((value) =>
    roundBound(value ?? low, column),
  );
  if (from === undefined || to === undefined || bound === undefined) return null;
  if (Number(bound) === 0) return `${sql} > ${literal(bound)}`;
  // Of balances and temperatures people ask which are below zero.
  if (Number(bound) < 0 && Number(high) > 0) return `${sql} < 0`;
  if (Number(from) > 0 === Number(to) > 0 && Number(from) < Number(to) && random.chance(0.2))
    return `${sql} BETWEEN ${literal(from)} AND ${literal(to)}`;
  const op = random.pick(['>', '>', '<', '>=', '<=']) ?? '>';
  return `${sql} ${op} ${literal(bound)}`;
}

function dateCondition({ sql, column }: ColumnRef, random: Random): string | null {
  const dates = column.steps.map((value) => String(value).slice(0, 10));
  const date = random.pick(dates);
  if (date === undefined) return null;
  const year = date.slice(0, 4);
  if (random.chance(0.5)) return `strftime('%Y', ${sql}) = '${year}'`;
  return `${sql} ${random.pick(['>=', '<']) ?? '<'} '${date}'`;
}

/** A name, or the first word that several names share; a single row is not asked for by its own name. */
function nameCondition({ sql, column, table }: ColumnRef, random: Random): string | null {
  const value = random.pick(column.steps);
  if (typeof value !== 'string' || value === '' || isFirstOrLastName(column)) return null;
  const start = /^\p{L}{3,}(?= )/u.exec(value)?.[0];
  const alike = column.steps.filter((one) => String(one).startsWith(`${start} `)).length;
  const isOwn = table.alias === '' || table.alias === 'T1';
  if (isOwn && start !== undefined && alike > 1 && /name|title/i.test(column.column.name))
    return `${sql} LIKE ${quoteText(`${start}%`)}`;
  const { distinct, rows, nulls } = column.column.statistics;
  if (isOwn && distinct * 1.2 > rows - nulls) return null;
  return `${sql} = ${quoteText(value)}`;
}

/** Whether people ask for one value: eight beds, the third grade; but not a wall of 450 square metres. */
export function isFewNumber({ column, steps }: ProfiledColumn): boolean {
  const { type, statistics } = column;
  return type === 'integer' && statistics.distinct <= 12 && Math.abs(Number(steps.at(-1))) <= 30;
}

/** People are not asked for by half of their name. */
function isFirstOrLastName({ column: { name } }: ProfiledColumn): boolean {
  return isPartOfName(name) && !/full/i.test(name);
}

/** A bound that people would name: a multiple of 1, 2 or 5 times a power of ten, about a tenth of the usual range apart. */
export function roundBound(value: Value, { steps, kind, column: { statistics } }: ProfiledColumn): Value {
  const number = Number(value);
  // Lessons take 30, 45 or 60 minutes.
  if (statistics.distinct <= 12 && statistics.distinct * 3 <= statistics.rows) return value;
  if (typeof value === 'string' || kind === 'year' || !Number.isFinite(number) || number === 0) return value;
  const [low, high] = [Number(steps[0]), Number(steps.at(-1))];
  const range = Math.max(high - low, number - high, low - number);
  const unit = 10 ** Math.floor(Math.log10(range || Math.abs(number)));
  const step = unit * (range / unit < 2 ? 0.2 : range / unit < 5 ? 0.5 : 1);
  // Most values are far below the largest.
  const near =
    number > 0 && number < step / 2 ? Number(number.toPrecision(1)) : Math.round(number / step) * step;
  return typeof value === 'bigint' ? BigInt(Math.round(near)) : Number(near.toPrecision(12));
}

export function literal(value: Value): string {
  if (typeof value === 'string') return quoteText(value);
  return typeof value === 'number' && Number.isInteger(value) ? value.toFixed(1) : String(value);
}
