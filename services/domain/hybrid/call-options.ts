import { isLosslessNumber } from 'lossless-json';
import { type CatalogTable, declaredAffinity } from '../../../contracts/catalog.ts';
import { PAGE_ROWS, type TableApiStyle } from '../../../contracts/hybrid.ts';
import { readJson } from '../../base/http/json.ts';
import { DEFAULT_LIMITS } from '../../base/limits.ts';
import type { GivenColumn, GivenTable } from '../../base/scalars/messages.ts';
import type { SqlValue } from '../../base/sqlite/driver.ts';
import { ANYTHING, type ApiSource, type Atom, type Conjunction } from './api-sources.ts';
import type { TableApi } from './table-call.ts';

export interface KeyList {
  readonly column: string;
  readonly values: readonly (string | number | bigint)[];
}

export interface FetchOption {
  readonly disjuncts: readonly Conjunction[];
  readonly keys: KeyList | null;
  readonly isNarrowed: boolean;
  /** Columns that identify a row matched by several disjuncts; empty where there are none. */
  readonly key: readonly string[];
  readonly rows: number;
  readonly calls: number;
}

/** Cost of a call, in rows. */
const ROWS_PER_CALL = 50;
/** Maximum keys per call of a rich API. */
const KEYS_PER_CALL = 500;

/** The cheapest option, estimated from the row and value counts of the catalog. */
export function bestOption(source: ApiSource, lists: readonly KeyList[], style: TableApiStyle): FetchOption {
  const { table } = source;
  const { disjuncts: constraint, key } = apart(source.constraint, table);
  const options = [optionOf(table, constraint, null, style, key), optionOf(table, ANYTHING, null, style)];
  const [only] = constraint;
  if (constraint.length === 1 && only)
    for (const keys of lists) {
      const free = only.filter(({ column, operator }) => column !== keys.column || operator !== 'eq');
      options.push(optionOf(table, [free], keys, style));
    }
  return options.reduce((best, each) => (costOf(each) < costOf(best) ? each : best));
}

function costOf({ rows, calls }: FetchOption): number {
  return rows + calls * ROWS_PER_CALL;
}

function optionOf(
  table: CatalogTable,
  disjuncts: readonly Conjunction[],
  keys: KeyList | null,
  style: TableApiStyle,
  key: readonly string[] = [],
): FetchOption {
  const share = disjuncts.reduce(
    (sum, disjunct) => sum + disjunct.reduce((part, atom) => part * shareOf(table, atom), 1),
    0,
  );
  const byKeys = keys ? Math.min(1, keys.values.length / distinctOf(table, keys.column)) : 1;
  const rows = table.rows * Math.min(1, share) * byKeys;
  const requests = keys
    ? style === 'rich'
      ? Math.ceil(keys.values.length / KEYS_PER_CALL)
      : keys.values.length
    : disjuncts.length;
  const pages = style === 'paper' ? 0 : Math.floor(rows / PAGE_ROWS.most);
  const isNarrowed = disjuncts.some((disjunct) => disjunct.length > 0);
  return { disjuncts, keys, isNarrowed, key, rows, calls: requests + pages };
}

/** Estimated fraction of a table's rows that a comparison keeps. */
function shareOf(table: CatalogTable, { column, operator }: Atom): number {
  if (operator === 'eq') return 1 / distinctOf(table, column);
  return operator === 'like' ? 0.1 : 0.3;
}

function distinctOf(table: CatalogTable, name: string): number {
  const column = table.columns.find((each) => each.name === name);
  return Math.max(1, column?.statistics.distinct ?? 1);
}

/**
 * Splits a constraint so that every row counts once: unchanged where no row fulfils two disjuncts; with the table's key
 * where it has one; otherwise dropped, since API rows have no row id to recognize them by.
 */
function apart(constraint: readonly Conjunction[], table: CatalogTable) {
  const disjuncts = disjoint(constraint, table);
  if (disjuncts) return { disjuncts, key: [] };
  const key = keyOf(table);
  const different = new Map(constraint.map((disjunct) => [printed(disjunct), disjunct]));
  return key ? { disjuncts: [...different.values()], key } : { disjuncts: ANYTHING, key: [] };
}

/** The columns of a table's key, if it is unique, never NULL, and exact in JSON (no real or blob); else null. */
function keyOf({ columns }: CatalogTable): readonly string[] | null {
  const keys = columns.filter(({ primary_key }) => primary_key > 0);
  const isRowid = keys.length === 1 && keys[0]?.declared_type.toUpperCase() === 'INTEGER';
  const isExact = keys.every(
    ({ not_null, statistics: { nulls, storage } }) =>
      (not_null || isRowid) && nulls === 0 && storage.real === 0 && storage.blob === 0,
  );
  return keys.length > 0 && isExact ? keys.map(({ name }) => name) : null;
}

/** The disjuncts, if their equalities exclude each other; else null. */
function disjoint(constraint: readonly Conjunction[], table: CatalogTable): readonly Conjunction[] | null {
  if (constraint.length < 2) return constraint;
  const columns = new Set(constraint.flatMap((disjunct) => disjunct.map(({ column }) => column)));
  for (const name of columns) {
    const column = table.columns.find((each) => each.name === name);
    if (column?.collation !== 'BINARY') continue;
    const byValue = new Map<string, Conjunction>();
    let isTold = true;
    for (const disjunct of constraint) {
      const atom = disjunct.find((each) => each.column === name && each.operator === 'eq');
      const key = atom && String(atom.value);
      // A repeated disjunct counts once.
      const other = key === undefined ? undefined : byValue.get(key);
      if (key === undefined || (other && printed(other) !== printed(disjunct))) isTold = false;
      else byValue.set(key, disjunct);
    }
    if (isTold) return [...byValue.values()];
  }
  return null;
}

function printed(disjunct: Conjunction): string {
  return disjunct
    .map(({ column, operator, value }) => `${column} ${operator} ${typeof value} ${value}`)
    .sort()
    .join('\n');
}

export function apiName({ columns }: TableApi, name: string): string {
  const found = columns.find(({ column }) => column.name === name);
  if (!found) throw new Error(`no parameter stands for ${name}`);
  return found.name;
}

export function argumentsOf({ disjuncts, keys }: FetchOption, api: TableApi, style: TableApiStyle) {
  const written = disjuncts.map((disjunct) =>
    Object.fromEntries(
      disjunct.map(({ column, operator, value }) => [
        operator === 'eq' ? apiName(api, column) : `${apiName(api, column)}__${operator}`,
        value,
      ]),
    ),
  );
  if (!keys) return written;
  const name = apiName(api, keys.column);
  const [fixed = {}] = written;
  if (style !== 'rich') return keys.values.map((value) => ({ ...fixed, [name]: value }));
  return chunksOf(keys.values, KEYS_PER_CALL).map((values) => ({ ...fixed, [`${name}__in`]: values }));
}

export function chunksOf<T>(items: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/** The columns of a source that a statement reads; at least one, so that rows can be counted. */
export function neededColumns({ table, columns }: ApiSource): readonly string[] {
  const needed = table.columns.map(({ name }) => name).filter((name) => columns.includes(name));
  return needed.length > 0 ? needed : table.columns.slice(0, 1).map(({ name }) => name);
}

/** The rows of a source as a table, with the storage and collation of the original table. */
export function givenTable(
  { source, table }: ApiSource,
  api: TableApi,
  columns: readonly string[],
  rows: readonly ApiRow[],
): GivenTable {
  const described = columns.flatMap((name) => table.columns.find((column) => column.name === name) ?? []);
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  const readers = described.map(({ name, statistics: { storage } }) => ({
    key: apiName(api, name),
    // Texts and blobs in one column look the same.
    isBlob: storage.blob > 0 && storage.text === 0,
  }));
  return {
    // No table has such a name, and the fixed format keeps ids distinct.
    name: `rows of ${source.id}`,
    columns: described.map(
      ({ name, declared_type, collation, primary_key }): GivenColumn => ({
        name,
        declaredType: declared_type,
        collation,
        isRowid:
          primary_key > 0 &&
          keys.length === 1 &&
          declared_type.toUpperCase() === 'INTEGER' &&
          declaredAffinity(declared_type) === 'integer',
      }),
    ),
    rows: rows.map((row) => readers.map(({ key, isBlob }) => toSqlValue(row[key], isBlob))),
  };
}

export type ApiRow = Readonly<Record<string, unknown>>;

export interface ApiPage {
  readonly rows: readonly ApiRow[];
  readonly nextOffset: number | null;
  readonly isTruncated: boolean;
}

/** Parses the rows of an answer, keeping integers and reals apart as the text does. */
export function readPage(text: string): ApiPage {
  const { data, next_offset, truncated } = readJson(text) as {
    readonly data: readonly ApiRow[];
    readonly next_offset: number | null;
    readonly truncated: boolean;
  };
  return { rows: data, nextOffset: next_offset, isTruncated: truncated };
}

/** The SQLite value of a JSON value; with `isBlob`, texts are hexadecimal bytes. */
export function toSqlValue(value: unknown, isBlob = false): SqlValue {
  if (typeof value === 'string') return isBlob ? Buffer.from(value, 'hex') : value;
  // A number here prints exactly as it was received, so an integral one had neither point nor exponent. Its text has
  // the digits received: 8646911284551353000 is not a double, though the nearest double prints the same.
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(String(value)) : value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (isLosslessNumber(value)) return /^-?\d+$/.test(value.value) ? BigInt(value.value) : Number(value.value);
  return null;
}

export const PLAN_LIMITS = {
  maxCalls: 10_000,
  maxRows: 1_000_000,
  timeoutMs: DEFAULT_LIMITS.planMs,
  concurrency: 8,
};
export type PlanLimits = Readonly<typeof PLAN_LIMITS>;
