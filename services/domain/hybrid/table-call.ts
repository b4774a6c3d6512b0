import type { FieldError } from '../../../contracts/api.ts';
import type { CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import { readInteger, readNumber } from '../../../contracts/exact-json.ts';
import {
  PAGE_ROWS,
  TABLE_AGGREGATES,
  TABLE_ARGUMENTS,
  TABLE_OPERATORS,
  type TableAggregate,
  type TableApiStyle,
  type TableOperator,
} from '../../../contracts/hybrid.ts';
import type { Service } from '../../../contracts/service.ts';
import { didYouMean, namesOf, nearestNames } from '../../../contracts/wording.ts';
import { ArgumentError } from '../../base/arguments.ts';
import { cached, getOrInsert } from '../../base/concurrency.ts';
import { type Bound, bind, identifier, join, nothing, type Sql, sql } from '../tools/conditions.ts';
import { uniqueKey } from '../tools/plan.ts';

export interface TableApi {
  /** Last segment of its URL: `^[A-Za-z0-9_]+$`, unique in the domain. */
  readonly name: string;
  readonly table: CatalogTable;
  readonly columns: readonly ApiColumn[];
}

export interface ApiColumn {
  readonly name: string;
  readonly column: CatalogColumn;
}

const apisOf = cached((_: Service) => new Map<TableApiStyle, readonly TableApi[]>());

/** The APIs of a domain's tables and views, in catalog order; cached. */
export function tableApis(service: Service, style: TableApiStyle): readonly TableApi[] {
  return getOrInsert(apisOf(service), style, () => makeApis(service, style));
}

/** In the paper's style, names are in lower case, as in the paper. */
function makeApis({ catalog }: Service, style: TableApiStyle): TableApi[] {
  const cased = (name: string) => (style === 'paper' ? name.toLowerCase() : name);
  const names = new Set<string>();
  return catalog.tables.map((table) => {
    const taken = new Set<string>(TABLE_ARGUMENTS);
    const columns = table.columns.map((column) => {
      const name = cased(uniqueKey(column.name, taken));
      for (const operator of TABLE_OPERATORS) taken.add(`${name}__${operator}`.toLowerCase());
      return { name, column };
    });
    return { name: cased(uniqueKey(table.name, names)), table, columns };
  });
}

export interface TableCall {
  readonly tests: readonly TableTest[];
  /** Columns of the answer; null for all, or for those of the groups. */
  readonly select: readonly ApiColumn[] | null;
  readonly distinct: boolean;
  readonly orderBy: readonly { readonly name: string; readonly descending: boolean }[];
  readonly aggregate: { readonly name: TableAggregate; readonly column: ApiColumn | null } | null;
  readonly groupBy: readonly ApiColumn[];
  /** null for all rows, in the paper's style only. */
  readonly page: { readonly limit: number; readonly offset: number } | null;
}

export interface TableTest {
  readonly column: ApiColumn;
  readonly operator: TableOperator | 'eq';
  readonly values: readonly Bound[];
}

/**
 * Validates the arguments of a call, from a query string or a JSON body. null counts as absent. Throws ArgumentError
 * with one entry per invalid field and the nearest names.
 */
export function readTableCall(api: TableApi, style: TableApiStyle, given: Readonly<Record<string, unknown>>) {
  return new Reader(api, style, given).read();
}

export function argumentNames({ columns }: TableApi, style: TableApiStyle): readonly string[] {
  const equal = columns.map(({ name }) => name);
  if (style === 'paper') return equal;
  if (style === 'plain') return [...equal, 'limit', 'offset'];
  const compared = equal.flatMap((name) => TABLE_OPERATORS.map((operator) => `${name}__${operator}`));
  const rich = ['select', 'distinct', 'order_by', 'aggregate', 'aggregate_column', 'group_by'];
  return [...equal, ...compared, ...rich, 'limit', 'offset'];
}

/** Maximum values of a list, and maximum columns to group or sort by. */
const MOST_VALUES = 1000;

class Reader {
  readonly #api: TableApi;
  readonly #style: TableApiStyle;
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #errors: FieldError[] = [];

  constructor(api: TableApi, style: TableApiStyle, given: Readonly<Record<string, unknown>>) {
    this.#api = api;
    this.#style = style;
    this.#given = given;
  }

  read(): TableCall {
    this.#refuseUnknown();
    const aggregate = this.#aggregate();
    const groupBy = this.#columns('group_by');
    const select = this.#has('select') ? this.#columns('select') : null;
    if (select && (aggregate || groupBy.length > 0))
      this.#fault('select', 'unknown_parameter', 'select does not go with aggregate or group_by');
    const call: TableCall = {
      tests: this.#api.columns.flatMap((column) => this.#tests(column)),
      select,
      distinct: this.#boolean('distinct'),
      orderBy: this.#order(aggregate !== null || groupBy.length > 0, aggregate, groupBy),
      aggregate,
      groupBy,
      page:
        this.#style === 'paper'
          ? null
          : {
              limit: this.#count('limit', PAGE_ROWS.default, 1, PAGE_ROWS.most),
              offset: this.#count('offset', 0, 0, Number.MAX_SAFE_INTEGER),
            },
    };
    if (this.#errors.length > 0) throw new ArgumentError(this.#errors);
    return call;
  }

  #has(name: string): boolean {
    return Object.hasOwn(this.#given, name) && this.#given[name] != null;
  }

  #fault(field: string, code: string, message: string, suggestions?: readonly string[]): void {
    const more = suggestions && suggestions.length > 0 ? { suggestions: [...suggestions] } : {};
    this.#errors.push({ field: field.slice(0, 64), code, message, ...more });
  }

  #refuseUnknown(): void {
    const names = argumentNames(this.#api, this.#style);
    const allowed = new Set(names);
    for (const name of Object.keys(this.#given)) {
      if (allowed.has(name)) continue;
      const suggestions = nearestNames(name, names);
      const message = `there is no parameter ${name.slice(0, 64)}${didYouMean(suggestions)}`;
      this.#fault(name, 'unknown_parameter', message, suggestions);
    }
  }

  #tests(column: ApiColumn): TableTest[] {
    const tests: TableTest[] = [];
    const { name } = column;
    if (this.#has(name)) {
      const value = this.#value(column, name, this.#given[name]);
      if (value !== undefined) tests.push({ column, operator: 'eq', values: [value] });
    }
    if (this.#style !== 'rich') return tests;
    for (const operator of TABLE_OPERATORS) {
      const field = `${name}__${operator}`;
      if (!this.#has(field)) continue;
      const values = this.#operands(column, operator, field);
      if (values) tests.push({ column, operator, values });
    }
    return tests;
  }

  #operands(column: ApiColumn, operator: TableOperator, field: string): readonly Bound[] | null {
    const given = this.#given[field];
    if (operator === 'is_null') return [this.#boolean(field) ? 1n : 0n];
    if (operator === 'like') {
      if (typeof given === 'string') return [given];
      this.#fault(field, 'wrong_type', `${field} must be one text`);
      return null;
    }
    const list = operator === 'in' ? [given].flat() : [given];
    if (list.length > MOST_VALUES) {
      this.#fault(field, 'out_of_range', `${field} takes at most ${MOST_VALUES} values`);
      return null;
    }
    const values = list.map((item) => this.#value(column, field, item));
    return values.every((value) => value !== undefined) ? values : null;
  }

  /** undefined if the value is invalid, which has been recorded. */
  #value({ column }: ApiColumn, field: string, given: unknown): Bound | undefined {
    if (Array.isArray(given)) {
      this.#fault(field, 'repeated', `${field} is given ${given.length} times`);
      return undefined;
    }
    if (column.type === 'string') {
      if (typeof given === 'string') return given;
      this.#fault(field, 'wrong_type', `${field} must be a text`);
      return undefined;
    }
    const text = typeof given === 'boolean' ? '' : textOf(given);
    const integer = readInteger(text);
    if (integer !== null && BigInt.asIntN(64, integer) === integer) return integer;
    const number = column.type === 'number' || integer !== null ? readNumber(text) : null;
    if (number !== null && Number.isFinite(number)) return number;
    this.#fault(
      field,
      'wrong_type',
      `${field} must be ${column.type === 'number' ? 'a' : 'an'} ${column.type}`,
    );
    return undefined;
  }

  #columns(field: string): ApiColumn[] {
    if (this.#style !== 'rich' || !this.#has(field)) return [];
    const names = [this.#given[field]].flat();
    return names.slice(0, MOST_VALUES).flatMap((name) => this.#column(field, name) ?? []);
  }

  #column(field: string, name: unknown): ApiColumn | null {
    const { columns } = this.#api;
    const found = columns.find((column) => column.name === name);
    if (found) return found;
    const shown = typeof name === 'string' ? name.slice(0, 64) : 'that is no text';
    const suggestions = nearestNames(shown, namesOf(columns));
    const message = `there is no column ${shown}${didYouMean(suggestions)}`;
    this.#fault(field, 'unknown_column', message, suggestions);
    return null;
  }

  #aggregate(): TableCall['aggregate'] {
    if (this.#style !== 'rich') return null;
    if (!this.#has('aggregate')) {
      if (this.#has('aggregate_column'))
        this.#fault('aggregate', 'missing', 'aggregate_column needs aggregate');
      return null;
    }
    const name = TABLE_AGGREGATES.find((each) => each === this.#given.aggregate);
    if (!name) {
      const message = `aggregate must be one of ${TABLE_AGGREGATES.join(', ')}`;
      this.#fault('aggregate', 'not_one_of', message);
      return null;
    }
    if (this.#has('aggregate_column'))
      return { name, column: this.#column('aggregate_column', this.#given.aggregate_column) };
    if (name !== 'count') this.#fault('aggregate_column', 'missing', `${name} needs aggregate_column`);
    return { name, column: null };
  }

  #order(isGrouped: boolean, aggregate: TableCall['aggregate'], groupBy: readonly ApiColumn[]) {
    if (this.#style !== 'rich' || !this.#has('order_by')) return [];
    const own = isGrouped ? groupBy : this.#api.columns;
    const names = [...own.map(({ name }) => name), ...(aggregate ? [aggregateKey(aggregate)] : [])];
    return [this.#given.order_by]
      .flat()
      .slice(0, MOST_VALUES)
      .flatMap((given) => {
        const text = textOf(given);
        const descending = text.startsWith('-');
        const name = descending ? text.slice(1) : text;
        if (names.includes(name)) return [{ name, descending }];
        const suggestions = nearestNames(name, names);
        const message = `the rows cannot be ordered by ${name.slice(0, 64)}${didYouMean(suggestions)}`;
        this.#fault('order_by', 'unknown_column', message, suggestions);
        return [];
      });
  }

  #boolean(field: string): boolean {
    if (this.#style !== 'rich' || !this.#has(field)) return false;
    const value = this.#given[field];
    if (value === true || value === 'true') return true;
    if (value !== false && value !== 'false')
      this.#fault(field, 'wrong_type', `${field} must be true or false`);
    return false;
  }

  #count(field: string, usual: number, least: number, most: number): number {
    if (!this.#has(field)) return usual;
    const value = readInteger(textOf(this.#given[field]));
    if (value === null) this.#fault(field, 'wrong_type', `${field} must be an integer`);
    else if (value >= BigInt(least) && value <= BigInt(most)) return Number(value);
    else this.#fault(field, 'out_of_range', `${field} must be between ${least} and ${most}`);
    return usual;
  }
}

/** Empty for objects, whose `toString` the caller could control. */
function textOf(given: unknown): string {
  return typeof given === 'object' ? '' : String(given);
}

export function aggregateKey({ name, column }: NonNullable<TableCall['aggregate']>): string {
  return column ? `${name}_${column.name}` : name;
}

/** Two SELECTs: the rows of a call, and their total on all pages. */
export interface CompiledTableCall {
  readonly rows: Sql;
  readonly count: Sql;
  readonly keys: readonly string[];
  /** Whether all matching rows are read before the first is returned. */
  readonly sorts: boolean;
}

/** Compiles a validated call. Without an explicit order, rows come in table order, so that pages are consistent. */
export function compileTableCall(api: TableApi, call: TableCall): CompiledTableCall {
  const outputs = outputsOf(api, call);
  const isGrouped = call.aggregate !== null || call.groupBy.length > 0;
  const list = join(outputs.map(({ value, at }) => sql`${value} AS ${identifier(at)}`));
  const group = call.groupBy.length > 0 ? sql` GROUP BY ${join(call.groupBy.map(columnOf))}` : nothing;
  const from = sql`FROM ${identifier(api.table.name)} AS t${where(call.tests)}${group}`;
  const body = sql`SELECT ${call.distinct ? sql`DISTINCT ` : nothing}${list} ${from}`;
  const order = orderOf(api, call, outputs, isGrouped || call.distinct);
  return {
    keys: outputs.map(({ key }) => key),
    rows: sql`${body}${order}${pageOf(call)}`,
    count: sql`SELECT COUNT(*) FROM (${body})`,
    sorts: isGrouped || call.distinct || call.orderBy.length > 0,
  };
}

interface Output {
  readonly key: string;
  readonly at: string;
  readonly value: Sql;
}

function outputsOf(api: TableApi, { select, aggregate, groupBy }: TableCall): Output[] {
  const isGrouped = aggregate !== null || groupBy.length > 0;
  const columns = isGrouped ? groupBy : (select ?? api.columns);
  const unique = [...new Map(columns.map((column) => [column.name, column])).values()];
  const outputs = unique.map((column) => ({ key: column.name, value: columnOf(column) }));
  const all = aggregate
    ? [...outputs, { key: aggregateKey(aggregate), value: aggregated(aggregate) }]
    : outputs;
  return all.map((output, i) => ({ ...output, at: `o${i}` }));
}

const FUNCTIONS: Readonly<Record<TableAggregate, Sql>> = {
  count: sql`COUNT`,
  sum: sql`SUM`,
  avg: sql`AVG`,
  min: sql`MIN`,
  max: sql`MAX`,
};

function aggregated({ name, column }: NonNullable<TableCall['aggregate']>): Sql {
  return sql`${FUNCTIONS[name]}(${column ? columnOf(column) : sql`*`})`;
}

function where(tests: readonly TableTest[]): Sql {
  return tests.length === 0 ? nothing : sql` WHERE ${join(tests.map(testOf), ' AND ')}`;
}

const OPERATORS = {
  eq: sql`=`,
  ne: sql`<>`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
  like: sql`LIKE`,
} as const;

function testOf({ column, operator, values }: TableTest): Sql {
  const value = columnOf(column);
  if (operator === 'in') return sql`${value} IN (${join(values.map(bind))})`;
  if (operator === 'is_null') return values[0] === 1n ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`;
  return sql`${value} ${OPERATORS[operator]} ${bind(values[0] ?? null)}`;
}

/** The requested order, followed by whatever makes rows distinct, so that no row is on two pages. */
function orderOf(api: TableApi, { orderBy }: TableCall, outputs: readonly Output[], isMade: boolean): Sql {
  const asked = orderBy.map(({ name, descending }) => {
    const made = outputs.find(({ key }) => key === name);
    const column = api.columns.find((each) => each.name === name);
    const value = isMade || !column ? identifier(made?.at ?? '') : columnOf(column);
    return descending ? sql`${value} DESC` : value;
  });
  const rest = isMade ? outputs.map(({ at }) => identifier(at)) : ownOrder(api);
  const terms = [...asked, ...rest];
  return terms.length === 0 ? nothing : sql` ORDER BY ${join(terms)}`;
}

function ownOrder({ table, columns }: TableApi): Sql[] {
  if (table.has_rowid) return [sql`t.rowid`];
  const keys = columns
    .filter(({ column }) => column.primary_key > 0)
    .sort((a, b) => a.column.primary_key - b.column.primary_key);
  return (keys.length > 0 ? keys : columns).map(columnOf);
}

function pageOf({ page }: TableCall): Sql {
  if (!page) return nothing;
  return sql` LIMIT ${bind(BigInt(page.limit))} OFFSET ${bind(BigInt(page.offset))}`;
}

function columnOf({ column }: Pick<ApiColumn, 'column'>): Sql {
  return sql`t.${identifier(column.name)}`;
}
