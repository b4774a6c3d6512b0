import {
  isWriteTool,
  RECORD_KEY,
  RECORD_OPERATORS,
  readRecordKey,
  readRecordTool,
  recordKeyText,
} from '../../contracts/records.ts';
import type { Service } from '../../contracts/service.ts';
import type { AnsweredCall } from '../../eval/attempt/attempt.ts';
import { recordApis } from '../../services/domain/records/resources.ts';

type MadeCall = AnsweredCall['call'];

/** A key that an answer shows, and where. */
interface ShownKey {
  /** The record's position in its page; 0 for an answer that is one record. */
  readonly row: number;
  readonly column: string;
  readonly value: unknown;
}

const known = new WeakMap<Service['catalog'], ReadKeys>();

export function readKeysOf(service: Pick<Service, 'catalog'>): ReadKeys {
  const made = known.get(service.catalog) ?? new ReadKeys(service);
  known.set(service.catalog, made);
  return made;
}

/**
 * The keys in the calls of a run: those of records, and those by which records refer to others. An agent knows a key
 * from an earlier answer or from the words of its task; in a world, the same place of the same answer has another key.
 */
class ReadKeys {
  readonly #keys: ReadonlyMap<string, readonly string[]>;
  /** What each column of keys names, by table and column in the record API: the same for all that refer to it. */
  readonly #named = new Map<string, string>();
  /** The columns that refer to other records. */
  readonly #referring = new Set<string>();

  constructor(service: Pick<Service, 'catalog'>) {
    const apis = recordApis(service);
    const columnOf = (table: string, name: string) => {
      const api = apis.find((each) => each.table.name === table);
      const found = api?.columns.find(({ column }) => column.name === name);
      return api && found ? columnKey(api.name, found.name) : undefined;
    };
    this.#keys = new Map(apis.map(({ name, key }) => [name, key.map((each) => each.name)]));
    for (const [table, key] of this.#keys)
      for (const each of key) this.#named.set(columnKey(table, each), columnKey(table, each));
    for (const { table } of apis)
      for (const { columns, references_table, references_columns } of table.foreign_keys)
        for (const [at, name] of columns.entries()) {
          const from = columnOf(table.name, name);
          const to = columnOf(references_table, references_columns[at] ?? '');
          if (from === undefined || to === undefined) continue;
          this.#referring.add(from);
          const [old, now] = [this.#named.get(from) ?? from, this.#named.get(to) ?? to];
          for (const column of [from, to, ...this.#named.keys()])
            if ((this.#named.get(column) ?? old) === old) this.#named.set(column, now);
        }
  }

  /** The arguments of a call with each key that an earlier answer showed replaced by the one that `here` shows there. */
  argumentsIn(
    call: MadeCall,
    before: readonly AnsweredCall[],
    here: readonly AnsweredCall[],
  ): MadeCall['arguments'] {
    return this.#mapKeys(call, (value, column) => {
      for (let at = before.length - 1; at >= 0; at--) {
        const shown = this.#shownBy(before[at]).find((each) => this.#isSame(each, { column, value }));
        if (!shown) continue;
        const there = this.#shownBy(here[at]).find(
          (each) => each.row === shown.row && each.column === shown.column,
        );
        return there ? there.value : value;
      }
      return value;
    });
  }

  /** Whether a change that was made names a record by a key that neither earlier answers nor the task's words have. */
  hasGuessed(calls: readonly AnsweredCall[], words: string): boolean {
    return calls.some(({ call, body }, at) => {
      if (!isWriteTool(call.name) || body === undefined) return false;
      const shown = calls.slice(0, at).flatMap((each) => this.#shownBy(each));
      const isCreated = readRecordTool(call.name)?.verb === 'create';
      let guesses = 0;
      this.#mapKeys(call, (value, column) => {
        // A new record may have any key.
        const isChosen = value === null || (isCreated && !this.#referring.has(column));
        const isKnown =
          isChosen ||
          words.toLowerCase().includes(String(value).toLowerCase()) ||
          shown.some((each) => this.#isSame(each, { column, value }));
        if (!isKnown) guesses++;
        return value;
      });
      return guesses > 0;
    });
  }

  #mapKeys(
    { name, arguments: given }: MadeCall,
    work: (value: unknown, column: string) => unknown,
  ): MadeCall['arguments'] {
    const table = readRecordTool(name)?.resource ?? '';
    const key = this.#keys.get(table) ?? [];
    return Object.fromEntries(
      Object.entries(given).map(([argument, value]) => {
        if (argument === RECORD_KEY) {
          const parts = readRecordKey(String(value), key.length) ?? [];
          return [
            argument,
            recordKeyText(parts.map((part, at) => work(part, columnKey(table, key[at] ?? '')))),
          ];
        }
        const column = columnKey(table, argument.replace(OPERATOR, ''));
        if (!this.#named.has(column)) return [argument, value];
        return [
          argument,
          Array.isArray(value) ? value.map((each) => work(each, column)) : work(value, column),
        ];
      }),
    );
  }

  #shownBy(answered: AnsweredCall | undefined): ShownKey[] {
    const table = readRecordTool(answered?.call.name ?? '')?.resource ?? '';
    const body = answered?.body as { readonly data?: unknown } | null | undefined;
    const records = Array.isArray(body?.data) ? (body.data as readonly unknown[]) : [body];
    return records.flatMap((record, row) =>
      Object.entries(record ?? {}).flatMap(([name, value]) => {
        const column = columnKey(table, name);
        return this.#named.has(column) ? [{ row, column, value: value as unknown }] : [];
      }),
    );
  }

  /** Keys are compared as text, which they are in addresses. */
  #isSame(one: Omit<ShownKey, 'row'>, other: Omit<ShownKey, 'row'>): boolean {
    return (
      this.#named.get(one.column) === this.#named.get(other.column) &&
      one.value !== null &&
      String(one.value) === String(other.value)
    );
  }
}

const OPERATOR = new RegExp(`__(${RECORD_OPERATORS.join('|')})$`);

function columnKey(table: string, column: string): string {
  return `${table}\0${column}`;
}
