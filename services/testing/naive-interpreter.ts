import { NAIVE_CONDITIONS, NAIVE_OPERATIONS } from './naive-operations.ts';
import {
  type Arguments,
  aggregateOf,
  type Column,
  cellOf,
  checkShown,
  checkSpelling,
  chosenRow,
  compare,
  computed,
  groupRows,
  indexOf,
  makeTable,
  nameOf,
  newRow,
  onceEach,
  onlyColumns,
  type Row,
  sameIn,
  sortedBy,
  sortGroups,
  type Table,
  type Truth,
  type Typed,
  touched,
  typed,
  Unspecified,
  type Value,
  version,
  windowValues,
} from './naive-table.ts';

/**
 * The tools over tables in memory, row by row according to their descriptions: slow, without SQL, and sharing no code
 * with what is tested. `$label$` refers to an earlier result.
 */
export class NaiveTools {
  readonly #results = new Map<string, Table>();
  /** Equal calls share one result, as they share one handle. */
  readonly #known = new Map<string, Table>();

  constructor(startTables: Readonly<Record<string, Table>>) {
    for (const [label, table] of Object.entries(startTables)) this.#results.set(label, table);
  }

  get(label: string): Table {
    const table = this.#results.get(label);
    if (!table) throw new Error(`no result ${label}`);
    return table;
  }

  /** Carries out a call and keeps its result. Throws Unspecified where the descriptions do not define it. */
  call(label: string, name: string, args: Arguments): Table {
    const key = JSON.stringify([name, args], (_key, value) => {
      const table = typeof value === 'string' ? this.#reference(value) : undefined;
      return table ? { result: [...this.#results.values()].indexOf(table) } : value;
    });
    const table = this.#known.get(key) ?? this.#carryOut(name, args);
    this.#known.set(key, table);
    this.#results.set(label, table);
    return table;
  }

  #carryOut(name: string, args: Arguments): Table {
    const tool = this.#tools[name];
    if (!tool) throw new Error(`no tool ${name}`);
    return tool(args);
  }

  readonly #tools: Readonly<Record<string, (args: Arguments) => Table>> = {
    filter_data: (args) => {
      const table = this.#table(args.data_source);
      return version(
        table,
        table.rows.filter(
          (row) => this.#test(table, row, cellOf(table, row, String(args.key_name)), args) === true,
        ),
      );
    },
    sort_data: (args) => {
      const table = this.#table(args.data_source);
      const ascending = args.ascending === true;
      const rows = sortedBy(table, table.rows, String(args.key_name), ascending);
      if (!table.grouping) return version(table, rows);
      return version(table, sortGroups(table, String(args.key_name), ascending), [ascending]);
    },
    group_data_by: (args) => {
      const input = this.#table(args.data_source);
      const keys = [args.key_name].flat().map(String);
      const groups = groupRows(input, keys);
      const rows = groups.map((members) =>
        newRow(members[0]?.cells ?? input.columns.map(() => null), members),
      );
      for (const members of groups) checkSpelling(input, members, keys);
      const table = makeTable(input.columns, rows, { grouping: { input, keys, aggregates: [], sorts: [] } });
      return {
        ...table,
        rows: keys.toReversed().reduce((sorted, key) => sortedBy(input, sorted, key, true), rows),
      };
    },
    aggregate_data: (args) => {
      const input = this.#table(args.data_source);
      return input.grouping ? this.#aggregateGroups(input, args) : this.#aggregateRows(input, args);
    },
    transform_data: (args) => this.#transform(args),
    select_unique_values: (args) => {
      const table = this.#table(args.unique_array);
      const keys = args.key_name === undefined ? undefined : [args.key_name].flat().map(String);
      return { ...table, rows: onceEach(table, keys), grouping: null, versionOf: null };
    },
    retrieve_data: (args) => {
      const table = this.#table(args.data_source);
      const column = onlyColumns(table, [String(args.key_name)]);
      const rows = args.distinct === true ? onceEach(column) : column.rows;
      const from = Number(args.offset ?? 0);
      const limit = Number(args.limit ?? -1);
      return { ...column, kind: 'column', rows: rows.slice(from, limit < 0 ? undefined : from + limit) };
    },
    truncate: (args) => {
      const table = this.#table(args.truncate_array);
      const from = Number(args.offset ?? 0);
      return {
        ...table,
        rows: table.rows.slice(from, from + Number(args.n)),
        grouping: touched(table),
        versionOf: null,
      };
    },
    select_columns: (args) => onlyColumns(this.#table(args.data_source), [args.key_name].flat().map(String)),
    combine_rows: (args) =>
      combineRows(
        this.#table(args.data_source),
        this.#table(args.other_data_source),
        String(args.combination),
      ),
    combine_results: (args) =>
      combineResults(
        this.#table(args.data_source),
        this.#table(args.other_data_source),
        String(args.combination),
      ),
    join_data: (args) => joinTables(this.#table(args.data_source), this.#table(args.other_data_source), args),
    calculate: (args) => {
      const given = (name: string) => this.#operand((args.operation_args as Arguments)[name], null, null);
      const value = this.#operand(args.input, null, null);
      const result = this.#compute(
        String(args.operation_type),
        value,
        args.operation_args as Arguments,
        given,
        null,
        null,
      );
      const column: Column = {
        key: String(args.operation_type),
        affinity: result.affinity,
        nocase: result.nocase,
      };
      return makeTable([column], [newRow([result.value])], { kind: 'value' });
    },
  };

  #transform(args: Arguments): Table {
    const table = this.#table(args.data_source);
    const key = String(args.key_name);
    const target = args.new_key_name === undefined ? key : String(args.new_key_name);
    const operation = String(args.operation_type);
    const given = (args.operation_args ?? {}) as Arguments;
    const windowed =
      NAIVE_OPERATIONS[operation] === undefined
        ? windowValues(table, key, operation, this.#windowArguments(given))
        : null;
    let column: Column = computed(target);
    const cells = table.rows.map((row): Value => {
      if (windowed) return windowed.get(row.id) ?? null;
      const operand = (name: string) => this.#operand(given[name], table, row);
      const result = this.#compute(operation, cellOf(table, row, key), given, operand, table, row);
      column = { key: target, affinity: result.affinity, nocase: result.nocase };
      return result.value;
    });
    const at = table.columns.findIndex((each) => each.key === target);
    const put = <T>(list: readonly T[], item: T): T[] => (at < 0 ? [...list, item] : list.with(at, item));
    // Without rows, the argument determines the type of the new column.
    const rows = table.rows.map((row, i): Row => ({ ...row, cells: put(row.cells, cells[i] ?? null) }));
    return { ...table, columns: put(table.columns, column), rows, grouping: touched(table), versionOf: null };
  }

  #compute(
    operation: string,
    value: Typed,
    args: Arguments,
    operand: (name: string) => Typed,
    table: Table | null,
    row: Row | null,
  ): Typed {
    const compute = NAIVE_OPERATIONS[operation];
    if (!compute) throw new Error(`no operation ${operation}`);
    const result = compute(value, {
      operand,
      optional: (name) => (args[name] === undefined ? null : operand(name)),
      option: (name) => args[name],
      test: (left) => this.#test(table, row, left, args),
    });
    return typeof result === 'object' && result !== null ? result : typed(result);
  }

  #windowArguments(args: Arguments) {
    return {
      partition_by: (args.partition_by ?? []) as string[],
      order_by: (args.order_by ?? []) as { key_name: string; ascending: boolean }[],
      ascending: args.ascending !== false,
      rows: Number(args.rows ?? 1),
      fallback: args.default === undefined ? null : this.#operand(args.default, null, null).value,
      buckets: Number(args.buckets ?? 1),
      rows_before: args.rows_before === undefined ? null : Number(args.rows_before),
      rows_after: args.rows_after === undefined ? null : Number(args.rows_after),
    };
  }

  #aggregateRows(input: Table, args: Arguments): Table {
    const limit = Number(args.limit ?? -1);
    const rows = limit < 0 ? input.rows : input.rows.slice(0, limit);
    const column = computed(nameOf(args, new Set()));
    return makeTable([column], [newRow([aggregateOf(input, rows, args)])], { kind: 'value' });
  }

  #aggregateGroups(table: Table, args: Arguments): Table {
    const { grouping } = table;
    if (!grouping) throw new Error('not grouped');
    const type = String(args.aggregation_type);
    const column = computed(nameOf(args, new Set(table.columns.map(({ key }) => key.toLowerCase()))));
    const aggregates = grouping.aggregates && [...grouping.aggregates, { type, key: String(args.key_name) }];
    const chosen = aggregates ? chosenRow(grouping.input, aggregates) : null;
    const rows = table.rows.map((row): Row => {
      const members = row.members ?? [];
      const from = chosen?.(members);
      const cells = row.cells.map((cell, at) => {
        const { key } = table.columns[at] as Column;
        const bare = at < grouping.input.columns.length && !grouping.keys.includes(key);
        return from && bare ? (from.cells[at] ?? null) : cell;
      });
      return { ...row, cells: [...cells, aggregateOf(grouping.input, members, args)] };
    });
    return {
      ...table,
      columns: [...table.columns, column],
      rows,
      grouping: { ...grouping, aggregates },
      versionOf: null,
    };
  }

  #test(table: Table | null, row: Row | null, value: Typed, args: Arguments): Truth {
    const name = String(args.condition);
    const condition = NAIVE_CONDITIONS[name];
    if (!condition) throw new Error(`no condition ${name}`);
    if (name === 'in' || name === 'not_in')
      return condition(value, this.#list(value, args.value, table, row));
    const values = args.value === undefined ? [] : Array.isArray(args.value) ? args.value : [args.value];
    return condition(
      value,
      values.map((item) => this.#operand(item, table, row)),
    );
  }

  /** The values of a column result, or the given ones: in a list, a column does not affect how it is compared. */
  #list(left: Typed, value: unknown, table: Table | null, row: Row | null): Typed[] {
    const result = typeof value === 'string' ? this.#reference(value) : undefined;
    if (result) {
      checkShown(left, result.columns[0] as Column);
      return result.rows.map((each) => cellOf(result, each, result.columns[0]?.key ?? ''));
    }
    return (value as unknown[]).map((item) => ({
      ...this.#operand(item, table, row),
      affinity: 'expression',
      nocase: null,
    }));
  }

  #operand(value: unknown, table: Table | null, row: Row | null): Typed {
    if (typeof value === 'object' && value !== null && table && row) {
      return cellOf(table, row, (value as { key_name: string }).key_name);
    }
    if (typeof value === 'boolean') return typed(value ? 1n : 0n);
    if (typeof value === 'number') return typed(Number.isInteger(value) ? BigInt(value) : value);
    const result = typeof value === 'string' ? this.#reference(value) : undefined;
    if (!result) return typed((value ?? null) as Value);
    const first = result.rows[0];
    const { affinity, nocase, key } = result.columns[0] as Column;
    return first ? cellOf(result, first, key) : typed(null, affinity, nocase);
  }

  #reference(text: string): Table | undefined {
    return /^\$.+\$$/.test(text) ? this.#results.get(text.slice(1, -1)) : undefined;
  }

  #table(source: unknown): Table {
    const table = this.#reference(String(source));
    if (!table) throw new Error(`no result ${String(source)}`);
    return table;
  }
}

/** Two tables side by side, or the rows of the first with or without partners. */
export function joinTables(left: Table, right: Table, args: Arguments): Table {
  const keys = [args.key_name].flat().map(String);
  const otherKeys = [args.other_key_name].flat().map(String);
  const type = String(args.join_type);
  const partners = (row: Row): Row[] =>
    right.rows.filter((other) =>
      keys.every(
        (key, i) => compare(cellOf(left, row, key), cellOf(right, other, otherKeys[i] as string)) === 0,
      ),
    );
  if (type === 'semi' || type === 'anti') {
    for (const [i, key] of keys.entries()) {
      for (const row of left.rows)
        checkShown(cellOf(left, row, key), right.columns[indexOf(right, otherKeys[i] as string)] as Column);
    }
  }
  if (type === 'semi')
    return version(
      left,
      left.rows.filter((row) => partners(row).length > 0),
    );
  if (type === 'anti')
    return version(
      left,
      left.rows.filter((row) => partners(row).length === 0),
    );
  const taken = new Set(left.columns.map(({ key }) => key.toLowerCase()));
  const others = right.columns.map((column) => ({ ...column, key: free(column.key, taken) }));
  const nothing = right.columns.map(() => null);
  const rows = left.rows.flatMap((row) => {
    const found = partners(row).map((other) => newRow([...row.cells, ...other.cells]));
    return found.length === 0 && type === 'left' ? [newRow([...row.cells, ...nothing])] : found;
  });
  return makeTable([...left.columns, ...others], rows);
}

function free(key: string, taken: Set<string>): string {
  let name = key;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${key}_${n}`;
  taken.add(name.toLowerCase());
  return name;
}

/** Combines rows of the latest table from which both derive by filters and sorts alone. */
export function combineRows(first: Table, second: Table, combination: string): Table {
  const lineage = (table: Table): Table[] => [table, ...(table.versionOf ? lineage(table.versionOf) : [])];
  const above = new Set(lineage(first));
  const common = lineage(second).find((table) => above.has(table));
  if (!common) throw new Error('nothing in common');
  const [a, b] = [first, second].map((table) => new Set(table.rows.map(({ id }) => id))) as [
    Set<number>,
    Set<number>,
  ];
  const keep: Readonly<Record<string, (id: number) => boolean>> = {
    or: (id) => a.has(id) || b.has(id),
    and: (id) => a.has(id) && b.has(id),
    and_not: (id) => a.has(id) && !b.has(id),
  };
  return version(
    common,
    common.rows.filter(({ id }) => keep[combination]?.(id)),
  );
}

/** Combines the rows of two results by value, as set operations do. */
export function combineResults(first: Table, second: Table, combination: string): Table {
  const columns = first.columns.map(({ key, affinity, nocase }, at): Column => {
    const other = second.columns[at] as Column;
    if ((nocase ?? false) !== (other.nocase ?? false))
      throw new Unspecified('case matters in one of the two');
    const mixed = (affinity === 'real') !== (other.affinity === 'real');
    const whole = [...first.rows, ...second.rows].some(({ cells }) => typeof cells[at] === 'bigint');
    if (mixed && whole) throw new Unspecified('whether 1 is shown as 1.0');
    return { key, affinity: affinity === other.affinity ? affinity : 'expression', nocase };
  });
  // SQLite may use the affinity of either side.
  const unclear = columns.some(({ affinity }, at) => affinity !== first.columns[at]?.affinity);
  const table = (rows: readonly Row[]): Table => {
    const made = makeTable(
      columns,
      rows.map(({ cells }) => newRow(cells)),
    );
    return unclear
      ? { ...made, columns: columns.map((column) => ({ ...column, affinity: 'expression' })) }
      : made;
  };
  if (combination === 'union_all') return table([...first.rows, ...second.rows]);
  const keys = columns.map(({ key }) => key);
  const [a, b] = [table(first.rows), table(second.rows)];
  const has = (list: readonly Row[], row: Row) => list.some((other) => sameIn(a, row, other, keys));
  const rows = {
    union: [...a.rows, ...b.rows],
    intersect: a.rows.filter((row) => has(b.rows, row)),
    except: a.rows.filter((row) => !has(b.rows, row)),
  }[combination] as readonly Row[];
  for (const row of [...a.rows, ...b.rows]) {
    const twin = rows.find((other) => sameIn(a, row, other, keys));
    if (twin && JSON.stringify(twin.cells, show) !== JSON.stringify(row.cells, show))
      throw new Unspecified('which of two equal rows');
  }
  const whole = makeTable(columns, rows);
  const unique = onceEach(whole);
  return {
    ...whole,
    rows: keys.toReversed().reduce((sorted, key) => sortedBy(whole, sorted, key, true), unique),
  };
}

const show = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `integer ${value}` : typeof value === 'number' ? `real ${value}` : value;
