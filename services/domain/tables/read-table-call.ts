import { readInteger, readNumber } from '../../../contracts/parameter-text.ts';
import type { FieldError } from '../../../contracts/problem.ts';
import {
  PAGE_ROWS,
  TABLE_AGGREGATES,
  TABLE_OPERATORS,
  type TableAggregate,
  type TableApiStyle,
  type TableOperator,
} from '../../../contracts/table-api.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { ArgumentError } from '../../base/arguments/argument-error.ts';
import type { Bound } from '../tools/sql/sql.ts';
import type { ApiColumn, TableApi } from './table-apis.ts';

/** A call of a table's API, checked. */
export interface TableCall {
  readonly tests: readonly TableTest[];
  /** The columns of the answer; null: all of them, or those of the groups. */
  readonly select: readonly ApiColumn[] | null;
  readonly distinct: boolean;
  readonly orderBy: readonly { readonly name: string; readonly descending: boolean }[];
  readonly aggregate: { readonly name: TableAggregate; readonly column: ApiColumn | null } | null;
  readonly groupBy: readonly ApiColumn[];
  /** null: all rows, which only the style of the paper gives. */
  readonly page: { readonly limit: number; readonly offset: number } | null;
}

export interface TableTest {
  readonly column: ApiColumn;
  readonly operator: TableOperator | 'eq';
  readonly values: readonly Bound[];
}

/**
 * The arguments of a call, from a query string or a JSON body. null counts as left out. Throws ArgumentError with one
 * entry a field at fault and the nearest names.
 */
export function readTableCall(
  api: TableApi,
  style: TableApiStyle,
  given: Readonly<Record<string, unknown>>,
): TableCall {
  const errors: FieldError[] = [];
  const reader = new Reader(api, style, given, errors);
  const call = reader.read();
  if (errors.length > 0) throw new ArgumentError(errors);
  return call;
}

/** Names of the arguments that an API takes, columns first. */
export function argumentNames({ columns }: TableApi, style: TableApiStyle): readonly string[] {
  const equal = columns.map(({ name }) => name);
  if (style === 'paper') return equal;
  if (style === 'plain') return [...equal, 'limit', 'offset'];
  const compared = equal.flatMap((name) => TABLE_OPERATORS.map((operator) => `${name}__${operator}`));
  const rich = ['select', 'distinct', 'order_by', 'aggregate', 'aggregate_column', 'group_by'];
  return [...equal, ...compared, ...rich, 'limit', 'offset'];
}

/** How many values of a list, and how many groups or columns to sort by, one call may have. */
const MOST_VALUES = 1000;

class Reader {
  readonly #api: TableApi;
  readonly #style: TableApiStyle;
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #errors: FieldError[];

  constructor(
    api: TableApi,
    style: TableApiStyle,
    given: Readonly<Record<string, unknown>>,
    errors: FieldError[],
  ) {
    this.#api = api;
    this.#style = style;
    this.#given = given;
    this.#errors = errors;
  }

  read(): TableCall {
    this.#refuseUnknown();
    const aggregate = this.#aggregate();
    const groupBy = this.#columns('group_by');
    const select = this.#has('select') ? this.#columns('select') : null;
    if (select && (aggregate || groupBy.length > 0))
      this.#fault('select', 'unknown_parameter', 'select does not go with aggregate or group_by');
    return {
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

  /** undefined where the value has been found at fault. */
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
    const suggestions = nearestNames(
      shown,
      columns.map((column) => column.name),
    );
    this.#fault(
      field,
      'unknown_column',
      `there is no column ${shown}${didYouMean(suggestions)}`,
      suggestions,
    );
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

  #order(
    isGrouped: boolean,
    aggregate: TableCall['aggregate'],
    groupBy: readonly ApiColumn[],
  ): TableCall['orderBy'] {
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

/** Empty for objects: their own `toString` is theirs to choose. */
function textOf(given: unknown): string {
  return typeof given === 'object' ? '' : String(given);
}

/** What the aggregate is called in the rows. */
export function aggregateKey({ name, column }: NonNullable<TableCall['aggregate']>): string {
  return column ? `${name}_${column.name}` : name;
}
