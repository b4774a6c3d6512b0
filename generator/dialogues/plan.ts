import {
  type ProfiledColumn,
  type ProfiledTable,
  peopleOf,
  type Reference,
  type Value,
} from '../synthesize/profile.ts';
import { identifier, literal } from '../synthesize/query-builder.ts';

/** A column of the rows that a plan is about, or of a table that they refer to. */
export interface Place {
  readonly column: ProfiledColumn;
  readonly table: ProfiledTable;
  /** null for a column of the rows themselves. */
  readonly via: Reference | null;
}

export type Test = '=' | '>' | '<' | 'year' | 'missing' | 'present';

export interface Condition {
  readonly place: Place;
  readonly test: Test;
  /** null for `missing` and `present`. */
  readonly value: Value | null;
}

export type Shown =
  | {
      readonly kind: 'rows';
      /** In place of the columns by which people name the rows. */
      readonly lead?: readonly ProfiledColumn[];
      readonly details: readonly ProfiledColumn[];
    }
  | { readonly kind: 'count' }
  | {
      readonly kind: 'aggregate';
      readonly name: 'AVG' | 'SUM' | 'MAX' | 'MIN';
      readonly column: ProfiledColumn;
    }
  | { readonly kind: 'groups'; readonly place: Place; readonly byYear: boolean }
  /** How many more rows meet one value of a condition than another. */
  | { readonly kind: 'difference'; readonly more: Condition; readonly less: Condition };

export interface Order {
  readonly column: ProfiledColumn;
  readonly direction: 'ASC' | 'DESC';
  /** null for all rows. */
  readonly count: number | null;
}

/** What a question that begins a dialogue has beyond a plan: its joins, and conditions of any kind. */
export interface Given {
  /** Its words, and which of its conditions the plan began with. */
  readonly asked: string;
  readonly kept: readonly Condition[];
  /** FROM with its joins. */
  readonly from: string;
  /** The alias of the rows, and those of the rows that they refer to. */
  readonly alias: string;
  readonly joined: ReadonlyMap<Reference, string>;
  readonly tests: readonly string[];
  /** The tests as conditions, as far as words can say them; null where they cannot. */
  readonly meant: readonly Condition[] | null;
}

/** What a turn asks for. Each edit makes a new plan of the last one. */
export interface Plan {
  readonly subject: ProfiledTable;
  /** null for what was drawn. */
  readonly given: Given | null;
  /** The rows of an earlier turn that refer to these (`up`), or that these refer to. */
  readonly within: { readonly plan: Plan; readonly by: Reference; readonly up: boolean } | null;
  /** The values of an earlier turn's rows in another domain, one of which these have too. */
  readonly carried: Carried | null;
  readonly conditions: readonly Condition[];
  readonly shown: Shown;
  readonly order: Order | null;
}

export interface Carried {
  readonly column: ProfiledColumn;
  readonly values: readonly Value[];
}

/** The columns by which people name a table's rows; empty if there are none. */
export function labelsOf({ table, columns, label }: ProfiledTable): readonly ProfiledColumn[] {
  const called = table.words?.called ?? [];
  const chosen = called.flatMap((name) => columns.find(({ column }) => column.name === name) ?? []);
  if (chosen.length > 0 && chosen.length === called.length) return chosen;
  if (label === null) return [];
  return peopleOf(label, columns);
}

export function sqlOf(plan: Plan): string {
  const { shown, order } = plan;
  const names = new Names(plan);
  const select = selectOf(plan, names);
  const where = whereOf(plan, names);
  const grouped =
    shown.kind === 'groups' ? ` GROUP BY ${select.key} ORDER BY ${select.key}` : orderOf(order, shown, names);
  return `SELECT ${select.columns} ${names.from}${where}${grouped}`;
}

/** The rows of a plan as the keys that others refer to. */
function keysOf({ plan, by, up }: NonNullable<Plan['within']>): string {
  const names = new Names(plan);
  const column = names.own((up ? by.from : by.to).column);
  const rows: Shown = { kind: 'rows', details: [] };
  return `SELECT ${column} ${names.from}${whereOf(plan, names)}${plan.order?.count ? orderOf(plan.order, rows, names) : ''}`;
}

function selectOf(
  { subject, shown }: Plan,
  names: Names,
): { readonly columns: string; readonly key: string } {
  switch (shown.kind) {
    case 'rows':
      return {
        columns: [...(shown.lead ?? labelsOf(subject)), ...shown.details]
          .map(({ column }) => names.own(column.name))
          .join(', '),
        key: '',
      };
    case 'count':
      return { columns: 'COUNT(*)', key: '' };
    case 'aggregate':
      return { columns: `${shown.name}(${names.own(shown.column.column.name)})`, key: '' };
    case 'groups': {
      const place = names.of(shown.place);
      const key = shown.byYear ? `strftime('%Y', ${place})` : place;
      return { columns: `${key}, COUNT(*)`, key };
    }
    case 'difference': {
      const sum = (one: Condition) => `SUM(CASE WHEN ${testOf(one, names)} THEN 1 ELSE 0 END)`;
      return { columns: `${sum(shown.more)} - ${sum(shown.less)}`, key: '' };
    }
  }
}

function whereOf({ given, within, carried, conditions, shown, order }: Plan, names: Names): string {
  const known =
    shown.kind === 'rows' && order?.count && order.column.nulls > 0
      ? [`${names.own(order.column.column.name)} IS NOT NULL`]
      : [];
  const tests = [
    ...(given?.tests ?? []),
    ...(within === null
      ? []
      : [`${names.own((within.up ? within.by.to : within.by.from).column)} IN (${keysOf(within)})`]),
    ...(carried === null ? [] : [`${names.own(carried.column.column.name)} ${oneOf(carried.values)}`]),
    ...conditions.map((one) => testOf(one, names)),
    ...known,
  ];
  return tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`;
}

function oneOf(values: readonly Value[]): string {
  const texts = values.map(literal);
  return texts.length === 1 ? `= ${texts[0]}` : `IN (${texts.join(', ')})`;
}

function testOf({ place, test, value }: Condition, names: Names): string {
  const name = names.of(place);
  if (test === 'missing') return `${name} IS NULL`;
  if (test === 'present') return `${name} IS NOT NULL`;
  if (test === 'year') return `strftime('%Y', ${name}) = ${literal(String(value))}`;
  return `${name} ${test} ${literal(value as Value)}`;
}

function orderOf(order: Order | null, shown: Shown, names: Names): string {
  if (order === null || shown.kind !== 'rows') return '';
  const limit = order.count === null ? '' : ` LIMIT ${order.count}`;
  const direction = order.direction === 'DESC' ? ' DESC' : '';
  return ` ORDER BY ${names.own(order.column.column.name)}${direction}${limit}`;
}

/** The FROM of a plan, and the names of columns in it. */
class Names {
  readonly from: string;
  readonly #own: string | null;
  readonly #alias = new Map<Reference, string>();

  constructor({ subject, given, conditions, shown }: Plan) {
    const places = [
      ...conditions.map(({ place }) => place),
      ...(shown.kind === 'groups' ? [shown.place] : []),
      ...(shown.kind === 'difference' ? [shown.more.place] : []),
    ];
    for (const [via, alias] of given?.joined ?? []) this.#alias.set(via, alias);
    const added = places.flatMap(({ via }) => {
      if (via === null || this.#alias.has(via)) return [];
      const alias = given === null ? `T${this.#alias.size + 2}` : `J${this.#alias.size + 1}`;
      this.#alias.set(via, alias);
      return [{ via, alias }];
    });
    this.#own = given?.alias ?? (added.length === 0 ? null : 'T1');
    const main = identifier(subject.table.name);
    const from = given?.from ?? (this.#own === null ? `FROM ${main}` : `FROM ${main} AS ${this.#own}`);
    const joins = added.map(
      ({ via, alias }) =>
        ` INNER JOIN ${identifier(via.to.table)} AS ${alias} ON ${this.own(via.from.column)} = ${alias}.${identifier(via.to.column)}`,
    );
    this.from = `${from}${joins.join('')}`;
  }

  own(column: string): string {
    return this.#own === null ? identifier(column) : `${this.#own}.${identifier(column)}`;
  }

  of({ column, via }: Place): string {
    if (via === null) return this.own(column.column.name);
    return `${this.#alias.get(via)}.${identifier(column.column.name)}`;
  }
}
