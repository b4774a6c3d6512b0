import { lowerWords, singular } from '../english/words.ts';
import type { Random } from '../variants/random.ts';
import { aggregatesOf, type Profile, type ProfiledTable } from './profile.ts';
import {
  type ColumnRef,
  identifier,
  type QueryBuilder,
  roundBound,
  startQuery,
  stepsFrom,
} from './query-builder.ts';

/** A query drawn at random, not checked yet. */
export interface DrawnQuery {
  readonly kind: KindName;
  readonly sql: string;
}

/** null when the database does not offer what was drawn. */
export function drawQuery(profile: Profile, random: Random, style: Style): DrawnQuery | null {
  const kind = weighted(
    random,
    KIND_NAMES,
    KIND_NAMES.map((name) => style.weights[name]),
  );
  const joins = weighted(random, [0, 1, 2], style.joins);
  const scene = startQuery(profile, random, joins);
  const sql = scene && KINDS[kind](scene);
  return sql ? { kind, sql: sql.replaceAll(/ +/g, ' ').trim() } : null;
}

function weighted<T>(random: Random, items: readonly T[], weights: readonly number[]): T {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return items[Math.max(0, index)] as T;
}

/** Draws the SQL of one kind of question; null when the tables do not offer what it takes. */
type Kind = (scene: QueryBuilder) => string | null;

const count: Kind = (scene) => {
  const where = scene.where();
  return where && `SELECT COUNT(*) ${scene.from} ${where}`;
};

const countDistinct: Kind = (scene) => {
  const column = scene.column(['category'], [scene.main]);
  const where = scene.where();
  return column && where ? `SELECT COUNT(DISTINCT ${column.sql}) ${scene.from} ${where}` : null;
};

/** A sum, mean or extreme of the rows that meet a condition. */
const aggregate: Kind = (scene) => {
  const number = scene.column(['number'], [scene.main]);
  const where = scene.where();
  if (!number || !where) return null;
  const names = scene.random.sample(aggregatesOf(number.column.column), scene.random.chance(0.2) ? 2 : 1);
  if (names.length === 0) return null;
  return `SELECT ${names.map((name) => `${name}(${number.sql})`).join(', ')} ${scene.from} ${where}`;
};

/** The percentage of rows that meet a condition, of those that meet another. */
const percentage: Kind = (scene) => {
  const condition = scene.condition(['category', 'flag', 'number', 'date'], [scene.main]);
  if (condition === null) return null;
  const where = scene.tables.length > 1 ? scene.where() : scene.maybeWhere(0.5);
  if (where === null) return null;
  return `SELECT CAST(SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*) ${scene.from} ${where}`.trimEnd();
};

/** How many more rows meet one condition than another. */
const difference: Kind = (scene) => {
  const column = scene.column(['category', 'flag'], [scene.main]);
  const [one, other] = column ? scene.random.sample(column.column.common, 2) : [];
  if (!column || !one || !other || typeof one.value !== 'string' || typeof other.value !== 'string')
    return null;
  const [more, less] = one.share >= other.share ? [one, other] : [other, one];
  const sum = (value: string) =>
    `SUM(CASE WHEN ${column.sql} = '${value.replaceAll("'", "''")}' THEN 1 ELSE 0 END)`;
  const where = scene.tables.length > 1 ? scene.where() : scene.maybeWhere(0.5);
  if (where === null) return null;
  return `SELECT ${sum(String(more.value))} - ${sum(String(less.value))} ${scene.from} ${where}`.trimEnd();
};

/** A category of the main table, or the label of the last one, grouped by its key. */
function groupBy(scene: QueryBuilder): { readonly shown: string; readonly keys: string } | null {
  if (!scene.groups) return null;
  if (scene.tables.length > 1) {
    const label = namesRows(scene.last.table) ? scene.people(scene.last) : [];
    const key = scene.key(scene.last);
    return label.length > 0 && key ? { shown: label.map(({ sql }) => sql).join(', '), keys: key } : null;
  }
  const column = scene.column(['category'], [scene.main]);
  return column && { shown: column.sql, keys: column.sql };
}

/** Whether rows are called by their label: breeds by their breed name, not postcodes by their county. */
function namesRows({ table, label }: ProfiledTable): boolean {
  const [noun, called] = [table.name, label?.column.name ?? ''].map((name) =>
    singular(lowerWords(name)).join(' '),
  );
  return (
    /\b(name|forename|surname|title|label|description)\b/.test(called ?? '') ||
    (called ?? '').includes(noun ?? '-')
  );
}

const countPerGroup: Kind = (scene) => {
  const group = groupBy(scene);
  if (group === null) return null;
  const where = scene.random.chance(0.5)
    ? scene.condition(['category', 'number', 'date'], [scene.main])
    : null;
  const having = scene.random.chance(0.35)
    ? ` HAVING COUNT(*) >= ${scene.random.pick([2, 3, 5, 10, 20])}`
    : '';
  return `SELECT ${group.shown}, COUNT(*) ${scene.from}${where ? ` WHERE ${where}` : ''} GROUP BY ${group.keys}${having}`;
};

const aggregatePerGroup: Kind = (scene) => {
  const group = groupBy(scene);
  const number = scene.column(['number'], [scene.main]);
  if (!group || !number) return null;
  const name = scene.random.pick(aggregatesOf(number.column.column));
  if (name === undefined) return null;
  const where = scene.random.chance(0.6) ? scene.condition(['category', 'date', 'year'], [scene.main]) : null;
  const order = scene.random.chance(0.3) ? ` ORDER BY ${name}(${number.sql}) DESC` : '';
  return `SELECT ${group.shown}, ${name}(${number.sql}) ${scene.from}${where ? ` WHERE ${where}` : ''} GROUP BY ${group.keys}${order}`;
};

/** The group with the most rows, or the highest sum. */
const topGroup: Kind = (scene) => {
  const group = groupBy(scene);
  if (group === null) return null;
  const number = scene.random.chance(0.4) ? scene.column(['number'], [scene.main]) : null;
  const drawn = scene.random.chance(0.5) ? 'SUM' : 'AVG';
  if (number && !aggregatesOf(number.column.column).includes(drawn)) return null;
  const by = number ? `${drawn}(${number.sql})` : 'COUNT(*)';
  const where = scene.random.chance(0.4)
    ? scene.condition(['category', 'date', 'number'], [scene.main])
    : null;
  const limit = scene.random.chance(0.7) ? 1 : 3;
  return `SELECT ${group.shown} ${scene.from}${where ? ` WHERE ${where}` : ''} GROUP BY ${group.keys} ORDER BY ${by} DESC LIMIT ${limit}`;
};

const perYear: Kind = (scene) => {
  const date = scene.column(['date'], [scene.main]);
  const where = scene.tables.length > 1 ? scene.where() : scene.maybeWhere(0.6);
  if (date === null || where === null) return null;
  const year = `strftime('%Y', ${date.sql})`;
  return `SELECT ${year}, COUNT(*) ${scene.from} ${where} GROUP BY ${year} ORDER BY ${year}`;
};

/** How many rows lie below, within and above two bounds. */
const bands: Kind = (scene) => {
  const number = scene.column(['number'], [scene.main]);
  const [, low, , , , high] = number?.column.steps ?? [];
  if (!number || low === undefined || high === undefined || low === high) return null;
  const [a, b] = [low, high].map((value) => Math.round(Number(roundBound(value, number.column))));
  if (a === b) return null;
  const where = scene.maybeWhere(0.5);
  const band = `CASE WHEN ${number.sql} < ${a} THEN 'low' WHEN ${number.sql} <= ${b} THEN 'medium' ELSE 'high' END`;
  return `SELECT ${band} AS band, COUNT(*) ${scene.from} ${where}${where ? ' AND' : 'WHERE'} ${number.sql} IS NOT NULL GROUP BY band`;
};

/** The mean number of rows per parent row. */
const meanPerParent: Kind = (scene) => {
  const [step] = stepsFrom(scene.profile, scene.main.table);
  if (scene.tables.length > 1 || step === undefined) return null;
  const where = scene.where();
  const key = identifier(step.by.from.column);
  const name = `per_${identifierPart(step.to.table.name)}`;
  return (
    where &&
    `WITH ${name} AS (SELECT ${key}, COUNT(*) AS n ${scene.from} ${where} GROUP BY ${key}) SELECT AVG(n) FROM ${name}`
  );
};

/** The number of rows per parent row, including 0. */
const countWithNone: Kind = (scene) => {
  const step = scene.random.pick(stepsFrom(scene.profile, scene.main.table));
  const parent = step?.to;
  if (scene.tables.length > 1 || !step || !parent?.label || !parent.key) return null;
  const own = scene.condition(['category', 'number', 'year'], [{ alias: 'T2', table: scene.main.table }]);
  const label = `T1.${identifier(parent.label.column.name)}`;
  const key = `T1.${identifier(parent.key)}`;
  return (
    `SELECT ${label}, COUNT(T2.${identifier(step.by.from.column)}) FROM ${identifier(parent.table.name)} AS T1 ` +
    `LEFT JOIN ${identifier(scene.main.table.table.name)} AS T2 ON T2.${identifier(step.by.from.column)} = T1.${identifier(step.by.to.column)}` +
    `${own ? ` AND ${own}` : ''} GROUP BY ${key}`
  );
};

function identifierPart(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}

const DETAILS = ['category', 'number', 'year', 'date', 'name'] as const;

/** The label of a row, and up to two details. */
function shown(scene: QueryBuilder, details: number): string[] {
  const label = scene.people(scene.main);
  const more = Array.from({ length: details }, () => scene.column(DETAILS, [scene.main]));
  const places = [...label, ...more].filter((place): place is ColumnRef => place !== null);
  return places.map(({ sql }) => sql);
}

const rows: Kind = (scene) => {
  const columns = shown(scene, scene.random.below(2) + (scene.main.table.label ? 0 : 2));
  const where = scene.where();
  return columns.length > 0 && where ? `SELECT ${columns.join(', ')} ${scene.from} ${where}` : null;
};

/** The first few rows by a number or a date. */
const top: Kind = (scene) => {
  const columns = shown(scene, 0);
  const by = scene.column(['number', 'date', 'year'], [scene.main]);
  if (columns.length === 0 || by === null) return null;
  const where = scene.tables.length > 1 ? scene.where() : scene.maybeWhere(0.5);
  if (where === null) return null;
  const direction = scene.random.chance(0.75) ? ' DESC' : '';
  const limit = scene.random.chance(0.5) ? 1 : 2 + scene.random.below(5);
  const known =
    by.column.nulls > 0 && direction === '' ? `${where ? ' AND' : 'WHERE'} ${by.sql} IS NOT NULL` : '';
  const list = limit > 1 && scene.random.chance(0.5) ? [...columns, by.sql] : columns;
  return `SELECT ${list.join(', ')} ${scene.from} ${where}${known} ORDER BY ${by.sql}${direction} LIMIT ${limit}`;
};

/** The distinct values of a category. */
const distinct: Kind = (scene) => {
  const column = scene.column(['category'], [scene.main]);
  const where = scene.where();
  return column && where
    ? `SELECT DISTINCT ${column.sql} ${scene.from} ${where} ORDER BY ${column.sql}`
    : null;
};

/** Rows above or below the overall average. */
const beyondAverage: Kind = (scene) => {
  const columns = shown(scene, 0);
  const number = scene.column(['number'], [scene.main]);
  if (columns.length === 0 || number === null) return null;
  if (!aggregatesOf(number.column.column).includes('AVG')) return null;
  const { name } = scene.main.table.table;
  const average = `(SELECT AVG(${identifier(number.column.column.name)}) FROM ${identifier(name)})`;
  const op = scene.random.chance(0.7) ? '>' : '<';
  const where = scene.tables.length > 1 ? scene.where() : scene.maybeWhere(0.6);
  if (where === null) return null;
  return `SELECT ${columns.join(', ')} ${scene.from} ${where ? `${where} AND` : 'WHERE'} ${number.sql} ${op} ${average}`;
};

/** Rows above the average of their category. */
const beyondOwnAverage: Kind = (scene) => {
  if (scene.tables.length > 1) return null;
  const seat = { alias: 'T1', table: scene.main.table };
  const label = scene.label(seat);
  const number = scene.column(['number'], [seat]);
  const category = scene.column(['category'], [seat]);
  const condition = scene.condition(['category', 'date', 'year'], [seat]);
  if (!label || !number || !category) return null;
  if (!aggregatesOf(number.column.column).includes('AVG')) return null;
  const name = identifier(seat.table.table.name);
  const [n, c] = [number, category].map(({ column }) => identifier(column.column.name));
  const own = `SELECT AVG(T2.${n}) FROM ${name} AS T2 WHERE T2.${c} = ${category.sql}`;
  const rest = condition ? ` AND ${condition}` : '';
  return `SELECT ${label.sql} FROM ${name} AS T1 WHERE ${number.sql} > (${own})${rest}`;
};

const ranked: Kind = (scene) => {
  const columns = shown(scene, 0);
  const number = scene.column(['number'], [scene.main]);
  const category = scene.column(['category'], [scene.main]);
  const where = scene.where();
  if (columns.length === 0 || !number || !category || !where) return null;
  const window = `RANK() OVER (PARTITION BY ${category.sql} ORDER BY ${number.sql} DESC)`;
  return `SELECT ${[...columns, category.sql].join(', ')}, ${window} AS place ${scene.from} ${where}`;
};

/** A reference to another table, from the side of that table. */
function parentOf(scene: QueryBuilder) {
  const step = scene.random.pick(stepsFrom(scene.profile, scene.main.table));
  const label = step?.to.label;
  if (scene.tables.length > 1 || !step || !label) return null;
  return {
    parent: identifier(step.to.table.name),
    child: identifier(scene.main.table.table.name),
    label: identifier(label.column.name),
    key: identifier(step.by.to.column),
    reference: identifier(step.by.from.column),
    seat: { alias: 'T2', table: scene.main.table },
  };
}

/** Rows that some row refers to. */
const exists: Kind = (scene) => {
  const found = parentOf(scene);
  const condition = found && scene.condition(['category', 'number', 'year', 'date'], [found.seat]);
  if (!found || !condition) return null;
  const { parent, child, label, key, reference } = found;
  return `SELECT T1.${label} FROM ${parent} AS T1 WHERE EXISTS (SELECT 1 FROM ${child} AS T2 WHERE T2.${reference} = T1.${key} AND ${condition})`;
};

/** Rows that no row, or none of some, refers to. */
const without: Kind = (scene) => {
  const found = parentOf(scene);
  if (!found) return null;
  const condition = scene.condition(['category', 'number', 'year', 'date'], [found.seat]);
  const { parent, child, label, key, reference } = found;
  const rest = condition ? ` AND ${condition}` : '';
  return `SELECT T1.${label} FROM ${parent} AS T1 WHERE NOT EXISTS (SELECT 1 FROM ${child} AS T2 WHERE T2.${reference} = T1.${key}${rest})`;
};

/** Rows whose key is among those selected by a condition. */
const among: Kind = (scene) => {
  const found = parentOf(scene);
  const condition =
    found && scene.condition(['category', 'number', 'year'], [{ alias: '', table: scene.main.table }]);
  if (!found || !condition) return null;
  const { parent, child, label, key, reference } = found;
  return `SELECT ${label} FROM ${parent} WHERE ${key} IN (SELECT ${reference} FROM ${child} WHERE ${condition})`;
};

const combined: Kind = (scene) => {
  const label =
    scene.tables.length > 1 ? scene.label(scene.last) : (scene.column(['category'], [scene.main]) ?? null);
  const seats = [scene.main];
  const [one, other] = [
    scene.condition(['category', 'number', 'year'], seats),
    scene.condition(['category', 'number', 'date'], seats),
  ];
  if (!label || !one || !other) return null;
  // Grades of some, except those of others, would seem to be grades of the rest.
  const ops = scene.tables.length > 1 ? ['INTERSECT', 'EXCEPT', 'UNION'] : ['INTERSECT', 'UNION'];
  const op = scene.random.pick(ops) ?? 'UNION';
  return `SELECT ${label.sql} ${scene.from} WHERE ${one} ${op} SELECT ${label.sql} ${scene.from} WHERE ${other}`;
};

/** All kinds of questions. To add one, write it above and give it weights in STYLES. */
export const KINDS = {
  rows,
  top,
  distinct,
  count,
  count_distinct: countDistinct,
  aggregate,
  percentage,
  difference,
  count_per_group: countPerGroup,
  aggregate_per_group: aggregatePerGroup,
  top_group: topGroup,
  per_year: perYear,
  bands,
  mean_per_parent: meanPerParent,
  count_with_none: countWithNone,
  beyond_average: beyondAverage,
  beyond_own_average: beyondOwnAverage,
  ranked,
  exists,
  without,
  among,
  combined,
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** How often each kind of question is drawn, and how many joins it has. */
export interface Style {
  readonly weights: Readonly<Record<KindName, number>>;
  /** Weights of no join, one and two. */
  readonly joins: readonly [number, number, number];
}

/** Roughly the mixes of the two best-known benchmarks, and a uniform one. */
export const STYLES = {
  bird: {
    weights: {
      rows: 16,
      top: 14,
      distinct: 3,
      count: 14,
      count_distinct: 3,
      aggregate: 9,
      percentage: 9,
      difference: 4,
      count_per_group: 3,
      aggregate_per_group: 3,
      top_group: 7,
      per_year: 2,
      bands: 0,
      mean_per_parent: 2,
      count_with_none: 1,
      beyond_average: 4,
      beyond_own_average: 1,
      ranked: 1,
      exists: 1,
      without: 1,
      among: 1,
      combined: 1,
    },
    joins: [4, 6, 1],
  },
  spider: {
    weights: {
      rows: 18,
      top: 10,
      distinct: 4,
      count: 12,
      count_distinct: 4,
      aggregate: 10,
      percentage: 0,
      difference: 0,
      count_per_group: 12,
      aggregate_per_group: 6,
      top_group: 10,
      per_year: 0,
      bands: 0,
      mean_per_parent: 0,
      count_with_none: 0,
      beyond_average: 3,
      beyond_own_average: 0,
      ranked: 0,
      exists: 0,
      without: 2,
      among: 4,
      combined: 7,
    },
    joins: [6, 4, 1],
  },
  coverage: {
    weights: Object.fromEntries(KIND_NAMES.map((name) => [name, 1])) as Record<KindName, number>,
    joins: [2, 2, 1],
  },
} as const satisfies Readonly<Record<string, Style>>;

export type StyleName = keyof typeof STYLES;

export const STYLE_NAMES = Object.keys(STYLES) as StyleName[];
