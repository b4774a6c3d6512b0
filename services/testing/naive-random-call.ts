import { AGGREGATION_NAMES, CONDITION_NAMES, condition } from '../domain/tools/conditions.ts';
import { OPERATION_NAMES, ROW_OPERATION_NAMES } from '../domain/tools/operations.ts';
import { NAIVE_OPERATIONS } from './naive-operations.ts';
import type { Arguments, Table } from './naive-table.ts';

export interface RandomCall {
  readonly name: string;
  readonly arguments: Arguments;
}

interface Result {
  readonly label: string;
  readonly table: Table;
}

const TEXTS = [
  'a',
  'A',
  '',
  'ab',
  '10',
  '2',
  '1.5',
  'rome',
  'Rome',
  '2020-03-05',
  '%a%',
  'a_',
  '[ab]*',
  '?',
  '1',
];
const NUMBERS = [0, 1, 2, 3, 10, -1, 2.5, 0.5];
/** Operations that the interpreter supports, and window operations. */
const WINDOWS = OPERATION_NAMES.filter((name) => !ROW_OPERATION_NAMES.includes(name));
const ROWS = ROW_OPERATION_NAMES.filter((name) => NAIVE_OPERATIONS[name]);

/** A valid call on the given results. */
export function randomCall(choices: Choices, results: readonly Result[]): RandomCall {
  return new CallMaker(choices, results).call();
}

class CallMaker {
  readonly #choices: Choices;
  readonly #results: readonly Result[];

  constructor(choices: Choices, results: readonly Result[]) {
    this.#choices = choices;
    this.#results = results;
  }

  call(): RandomCall {
    const tables = this.#results.filter(({ table }) => table.kind === 'table');
    const makers: readonly (() => RandomCall)[] = [
      () => this.#filter(),
      () => this.#filter(),
      () => this.#sort(),
      () => this.#group(),
      () => this.#aggregate(),
      () => this.#transform(),
      () => this.#transform(),
      () => this.#unique(),
      () => this.#retrieve(),
      () => this.#truncate(),
      () => this.#select(),
      () => this.#combineRows(tables),
      () => this.#combineResults(),
      () => this.#join(),
      () => this.#calculate(),
    ];
    return this.#choices.of(makers)();
  }

  /** Usually the latest result. */
  #any(results: readonly Result[]): Result {
    if (!this.#choices.seldom(3)) return results.at(-1) as Result;
    return this.#choices.of(results);
  }

  #table(): Result {
    return this.#any(this.#results.filter(({ table }) => table.kind === 'table'));
  }

  #key({ table }: Result): string {
    return this.#choices.of(table.columns).key;
  }

  #keys(source: Result, most: number): string[] {
    const count = this.#choices.number(most) + 1;
    return [...new Set(Array.from({ length: count }, () => this.#key(source)))];
  }

  #filter(): RandomCall {
    const source = this.#table();
    const test = this.#test(source);
    return { name: 'filter_data', arguments: { ...on(source), key_name: this.#key(source), ...test } };
  }

  #test(source: Result | null): Arguments {
    const name = this.#choices.of(CONDITION_NAMES);
    const { arity } = condition(name);
    if (arity === 'none') return { condition: name };
    if (arity === 'one') return { condition: name, value: this.#operand(source) };
    if (arity === 'two') return { condition: name, value: [this.#operand(source), this.#operand(source)] };
    const columns = this.#results.filter(({ table }) => table.kind === 'column');
    if (columns.length > 0 && this.#choices.seldom(2))
      return { condition: name, value: `$${this.#any(columns).label}$` };
    const count = this.#choices.number(3) + 1;
    return { condition: name, value: Array.from({ length: count }, () => this.#operand(source)) };
  }

  #operand(source: Result | null): unknown {
    const single = this.#results.filter(({ table }) => table.kind !== 'table');
    switch (this.#choices.number(8)) {
      case 5:
        return source ? { key_name: this.#key(source) } : this.#choices.of(NUMBERS);
      case 6:
        return single.length > 0 ? `$${this.#any(single).label}$` : this.#choices.of(TEXTS);
      case 7:
        return this.#choices.seldom(3) ? null : this.#choices.of([true, false]);
      default:
        return this.#choices.seldom(2) ? this.#choices.of(TEXTS) : this.#choices.of(NUMBERS);
    }
  }

  #sort(): RandomCall {
    const source = this.#table();
    return {
      name: 'sort_data',
      arguments: { ...on(source), key_name: this.#key(source), ascending: !this.#choices.seldom(2) },
    };
  }

  #group(): RandomCall {
    const source = this.#table();
    const key_name = this.#choices.seldom(6) ? [] : this.#keys(source, 2);
    return { name: 'group_data_by', arguments: { ...on(source), key_name } };
  }

  #aggregate(): RandomCall {
    const source = this.#any(this.#results);
    const { grouping } = source.table;
    const columns = grouping ? grouping.input.columns : source.table.columns;
    const types = AGGREGATION_NAMES.filter((type) => !grouping || !type.startsWith('arg'));
    const aggregation_type = this.#choices.of(types);
    const all = aggregation_type === 'count' && this.#choices.seldom(3);
    return {
      name: 'aggregate_data',
      arguments: {
        ...on(source),
        key_name: all ? '*' : this.#choices.of(columns).key,
        aggregation_type,
        distinct: !all && this.#choices.seldom(3),
        ...(!grouping && this.#choices.seldom(5) ? { limit: this.#choices.number(4) } : {}),
      },
    };
  }

  #transform(): RandomCall {
    const source = this.#table();
    const windowed = this.#choices.seldom(3);
    const operation_type = this.#choices.of(windowed ? WINDOWS : ROWS);
    const operation_args = windowed
      ? this.#windowArguments(operation_type, source)
      : this.#rowArguments(operation_type, source);
    const free = `new_${source.table.columns.length}`;
    const taken = source.table.columns.some(({ key }) => key === free);
    const fresh = !taken && this.#choices.seldom(2) ? { new_key_name: free } : {};
    return {
      name: 'transform_data',
      arguments: { ...on(source), key_name: this.#key(source), operation_type, operation_args, ...fresh },
    };
  }

  #rowArguments(operation: string, source: Result | null): Arguments {
    const operand = () => this.#operand(source);
    const count = () => this.#choices.number(4);
    switch (operation) {
      case 'round':
        return this.#choices.seldom(2) ? { digits: this.#choices.number(3) } : {};
      case 'cast':
        return { type: this.#choices.of(['integer', 'real', 'text', 'numeric']) };
      case 'trim':
      case 'trim_start':
      case 'trim_end':
        return this.#choices.seldom(2) ? { characters: this.#choices.of(TEXTS) } : {};
      case 'replace':
        return { from: this.#choices.of(TEXTS), to: this.#choices.of(TEXTS) };
      case 'position':
        return { text: operand() };
      case 'substring': {
        const start_index = count() - 1;
        return this.#choices.of<Arguments>([
          { start_index },
          { start_index, end_index: count() },
          { start_index, length: count() },
        ]);
      }
      case 'datetime_part':
        return { datetime_pattern: this.#choices.of(['%Y', '%m', '%Y-%m', '%d']) };
      case 'choose':
        return { ...this.#test(source), if_true: operand(), if_false: operand() };
      case 'compare':
        return this.#test(source);
      case 'constant':
        return { value: operand() };
      case 'add':
      case 'subtract':
      case 'multiply':
      case 'divide':
      case 'modulo':
      case 'concatenate':
        return { operand: operand(), ...(this.#choices.seldom(3) ? { reverse: true } : {}) };
      case 'bitwise': {
        const operator = this.#choices.of(['and', 'or', 'shift_left', 'shift_right']);
        return { operator, operand: operand(), ...(this.#choices.seldom(3) ? { reverse: true } : {}) };
      }
      case 'smaller':
      case 'larger':
      case 'and':
      case 'or':
      case 'coalesce':
      case 'null_if':
        return { operand: operand() };
      default:
        return {};
    }
  }

  #windowArguments(operation: string, source: Result): Arguments {
    const partition = this.#choices.seldom(2) ? { partition_by: this.#keys(source, 2) } : {};
    const order_by = this.#keys(source, 2).map((key_name) => ({
      key_name,
      ascending: !this.#choices.seldom(2),
    }));
    const ordered = this.#choices.seldom(2) ? { order_by } : {};
    const both = { ...partition, ...ordered };
    if (operation === 'bucket') return { ...both, buckets: this.#choices.number(4) + 1 };
    if (operation === 'previous' || operation === 'next') {
      const fallback = this.#choices.seldom(3) ? { default: this.#choices.of(NUMBERS) } : {};
      return { ...both, rows: this.#choices.number(3), ...fallback };
    }
    if (operation.startsWith('running_')) {
      const frame = this.#choices.seldom(3) ? { order_by, rows_before: this.#choices.number(3) } : {};
      return { ...both, ...frame };
    }
    if (operation === 'first_value' || operation === 'last_value') return both;
    return { ...both, ...(this.#choices.seldom(2) ? { ascending: false } : {}) };
  }

  #unique(): RandomCall {
    const source = this.#any(this.#results.filter(({ table }) => table.kind !== 'value'));
    const equal = this.#choices.seldom(2) ? { key_name: this.#keys(source, 2) } : {};
    return { name: 'select_unique_values', arguments: { unique_array: `$${source.label}$`, ...equal } };
  }

  #retrieve(): RandomCall {
    const source = this.#table();
    return {
      name: 'retrieve_data',
      arguments: {
        ...on(source),
        key_name: this.#key(source),
        distinct: this.#choices.seldom(3),
        limit: this.#choices.seldom(3) ? this.#choices.number(4) : -1,
        offset: this.#choices.seldom(4) ? this.#choices.number(3) : 0,
      },
    };
  }

  #truncate(): RandomCall {
    const source = this.#any(this.#results.filter(({ table }) => table.kind !== 'value'));
    const offset = this.#choices.seldom(3) ? { offset: this.#choices.number(3) } : {};
    return {
      name: 'truncate',
      arguments: { truncate_array: `$${source.label}$`, n: this.#choices.number(5), ...offset },
    };
  }

  #select(): RandomCall {
    const source = this.#table();
    return { name: 'select_columns', arguments: { ...on(source), key_name: this.#keys(source, 3) } };
  }

  #combineRows(tables: readonly Result[]): RandomCall {
    const source = this.#any(tables);
    const root = ({ table }: Result): Table => {
      let at = table;
      while (at.versionOf) at = at.versionOf;
      return at;
    };
    const related = tables.filter((other) => root(other) === root(source));
    const combination = this.#choices.of(['or', 'and', 'and_not']);
    return {
      name: 'combine_rows',
      arguments: { ...on(source), ...beside(this.#choices.of(related)), combination },
    };
  }

  #combineResults(): RandomCall {
    const source = this.#any(this.#results);
    const same = this.#results.filter(({ table }) => table.columns.length === source.table.columns.length);
    const combination = this.#choices.of(['union', 'union_all', 'intersect', 'except']);
    return {
      name: 'combine_results',
      arguments: { ...on(source), ...beside(this.#choices.of(same)), combination },
    };
  }

  #join(): RandomCall {
    const [source, other] = [this.#table(), this.#table()];
    const count = this.#choices.seldom(6) ? 0 : this.#choices.seldom(4) ? 2 : 1;
    const pairs = Array.from({ length: count }, () => [this.#key(source), this.#key(other)] as const);
    return {
      name: 'join_data',
      arguments: {
        ...on(source),
        ...beside(other),
        key_name: pairs.map(([key]) => key),
        other_key_name: pairs.map(([, key]) => key),
        join_type: this.#choices.of(['inner', 'left', 'semi', 'anti']),
      },
    };
  }

  #calculate(): RandomCall {
    const operation_type = this.#choices.of(ROWS);
    const operation_args = this.#rowArguments(operation_type, null);
    return { name: 'calculate', arguments: { input: this.#operand(null), operation_type, operation_args } };
  }
}

const on = ({ label }: Result) => ({ data_source: `$${label}$` });
const beside = ({ label }: Result) => ({ other_data_source: `$${label}$` });

/** Turns a list of numbers into decisions. Shorter lists and smaller numbers give simpler calls. */
export class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  number(below: number): number {
    return (this.#numbers[this.#next++] ?? 0) % below;
  }

  of<T>(items: readonly T[]): T {
    return items[this.number(items.length)] as T;
  }

  /** True once in `n`. */
  seldom(n: number): boolean {
    return this.number(n) === n - 1;
  }
}
