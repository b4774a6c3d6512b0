import Database from 'better-sqlite3';
import { RECORD_KEY, readRecordTool, recordKeyText } from '../../contracts/records.ts';
import type { Call } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { toCell } from '../../generator/oracle/engines.ts';
import { editText, splitStatements } from '../../generator/oracle/gold-sql.ts';
import { withoutEachCondition } from '../../generator/records/one-meaning.ts';
import type { Random } from '../../generator/variants/random.ts';
import { type RecordApi, recordApis } from '../../services/domain/records/resources.ts';
import { quoteIdentifier, tokenize } from '../../sql/index.ts';

export type MadeCall = Pick<Call, 'name' | 'arguments'>;

/** Of each table at most so many records serve slips as examples. */
const EXAMPLES = 300;

/** The records of a domain, of which slips take keys and values. */
export class Examples {
  readonly #random: Random;
  readonly #apis: ReadonlyMap<string, RecordApi>;
  readonly #records = new Map<string, readonly Readonly<Record<string, unknown>>[]>();

  constructor(database: string, service: Service, random: Random) {
    this.#random = random;
    this.#apis = new Map(recordApis(service).map((api) => [api.name, api]));
    const db = new Database(database, { readonly: true });
    for (const { name, table, columns } of this.#apis.values()) {
      const list = columns.map(({ column }) => quoteIdentifier(column.name)).join(', ');
      const rows = db
        .prepare<[], unknown[]>(`SELECT ${list} FROM ${quoteIdentifier(table.name)} LIMIT ${EXAMPLES}`)
        .raw(true)
        .safeIntegers(true)
        .all();
      const records = rows.map((row) =>
        Object.fromEntries(columns.map((each, at) => [each.name, toCell(row[at])])),
      );
      if (records.length > 0) this.#records.set(name, records);
    }
    db.close();
  }

  table(): string {
    return this.#random.pick([...this.#records.keys()]) ?? '';
  }

  record(table: string): Readonly<Record<string, unknown>> {
    return this.#random.pick(this.#records.get(table) ?? []) ?? {};
  }

  key(table: string): unknown {
    const record = this.record(table);
    const parts = this.#apis.get(table)?.key.map(({ name }) => record[name]) ?? [];
    return parts.length === 1 ? parts[0] : recordKeyText(parts);
  }

  /** A column that is no part of the key. */
  column(table: string): string | undefined {
    const { columns = [], key = [] } = this.#apis.get(table) ?? {};
    return this.#random.pick(columns.filter((each) => !key.includes(each)))?.name;
  }

  /** `calls` with slips as agents make them; `others`: what other tasks of the domain ask for. */
  slip(calls: readonly MadeCall[], others: readonly (readonly MadeCall[])[]): readonly MadeCall[] {
    const one = <T>(work: (made: MadeCall, table: string) => T, otherwise: (made: MadeCall) => T) => {
      const at = this.#random.below(calls.length);
      return calls.map((each, i) =>
        i === at ? work(each, readRecordTool(each.name)?.resource ?? '') : otherwise(each),
      );
    };
    const change = (work: (args: MadeCall['arguments'], table: string) => MadeCall['arguments']) =>
      one(
        (each, table) => ({ ...each, arguments: work(each.arguments, table) }),
        (each) => each,
      );
    const fields = (args: MadeCall['arguments']) => Object.keys(args).filter((name) => name !== RECORD_KEY);
    const table = this.table();
    const other = () => this.#random.pick(others) ?? [];
    const update = (): MadeCall[] => {
      const column = this.column(table);
      const args = { [RECORD_KEY]: this.key(table), [column ?? '']: this.record(table)[column ?? ''] };
      return column === undefined ? [] : [{ name: `update_${table}`, arguments: args }];
    };
    const slips: readonly (() => readonly MadeCall[])[] = [
      // One call fewer, one sent twice, in another order, nothing.
      () => calls.filter((_, at) => at !== this.#random.below(calls.length)),
      () =>
        one(
          (each) => [each, each],
          (each) => [each],
        ).flat(),
      () => calls.toReversed(),
      () => [],
      // Another record, another value, another column, a field left out, another verb.
      () =>
        change((args, name) => ({
          ...args,
          ...(RECORD_KEY in args ? { [RECORD_KEY]: this.key(name) } : {}),
        })),
      () =>
        change((args, name) => {
          const field = this.#random.pick(fields(args));
          return field === undefined ? args : { ...args, [field]: this.record(name)[field] };
        }),
      () =>
        change((args) => {
          const field = this.#random.pick(fields(args).filter((name) => typeof args[name] === 'number'));
          return field === undefined
            ? args
            : { ...args, [field]: Number(args[field]) + (this.#random.pick([-1, 1, 0.01]) ?? 1) };
        }),
      () =>
        change((args, name) => {
          const field = this.#random.pick(fields(args));
          const { [field ?? '']: value, ...rest } = args;
          return field === undefined ? args : { ...rest, [this.column(name) ?? field]: value };
        }),
      () =>
        change((args) => {
          const { [this.#random.pick(Object.keys(args)) ?? '']: _, ...rest } = args;
          return rest;
        }),
      () =>
        one(
          ({ name, arguments: args }, resource) =>
            RECORD_KEY in args
              ? { name: `delete_${resource}`, arguments: { [RECORD_KEY]: args[RECORD_KEY] } }
              : { name, arguments: { ...this.record(resource) } },
          (each) => each,
        ),
      // Another task too, before it or in its place; another record, another table.
      () => [...calls, ...other()],
      () => [...other(), ...calls],
      other,
      () => [...calls, { name: `delete_${table}`, arguments: { [RECORD_KEY]: this.key(table) } }],
      () => [...calls, ...update()],
      () => [...update(), ...calls],
      () => [...calls, { name: `create_${table}`, arguments: { ...this.record(table) } }],
      // A value changed and put back, or not quite.
      () => {
        const column = this.column(table) ?? '';
        const [record, other] = [this.record(table), this.record(table)];
        const parts = this.#apis.get(table)?.key.map(({ name }) => record[name]) ?? [];
        const key = parts.length === 1 ? parts[0] : recordKeyText(parts);
        const set = (value: unknown) => ({
          name: `update_${table}`,
          arguments: { [RECORD_KEY]: key, [column]: value },
        });
        return [...calls, set(other[column]), set(record[column])];
      },
    ];
    return (this.#random.pick(calls.length === 0 ? slips.slice(10) : slips) ?? other)();
  }
}

const SWAPS: Readonly<Record<string, readonly string[]>> = {
  '=': ['<>', '>='],
  '<>': ['='],
  '!=': ['='],
  '<': ['<=', '>'],
  '<=': ['<', '>='],
  '>': ['>=', '<'],
  '>=': ['>', '<='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  AND: ['OR'],
  OR: ['AND'],
  MIN: ['MAX'],
  MAX: ['MIN'],
  ASC: ['DESC'],
  DESC: ['ASC'],
};

/** Gold SQL that changes records, with one slip each: a condition or a statement left out, another operator, another number. */
export function slipsOf(sql: string): string[] {
  const statements = splitStatements(sql);
  const swapped = tokenize(sql).flatMap(({ kind, text, start, end }) => {
    if (kind === 'string' || kind === 'quoted') return [];
    const others = kind === 'number' ? [String(Number(text) + 1)] : (SWAPS[text.toUpperCase()] ?? []);
    return others.map((other) => editText(sql, [{ start, end, text: other }]));
  });
  const fewer = statements.map((_, at) => statements.filter((_each, i) => i !== at).join(';\n'));
  return [
    ...withoutEachCondition(sql).map((each) => each.sql),
    ...swapped,
    ...(fewer.length > 1 ? fewer : []),
  ];
}
