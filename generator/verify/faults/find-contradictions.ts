import { sameCell } from '../../../contracts/same-rows.ts';
import { type Endpoint, restAnswer } from '../../../contracts/service.ts';
import type { FaultWitness, OtherEndpoint, QuestionFact } from '../../../contracts/silent-fault.ts';
import { type ColumnAnswer, columnAnswer, type TableAnswer } from '../../../contracts/tools.ts';
import { type CellRow, holds } from './holds.ts';

/** What an agent that has an answer before it has besides. */
export interface Surroundings {
  /** REST: the endpoint, whose specification it has read. */
  readonly endpoint?: Endpoint | undefined;
  /** SLOT and SEL: the table that the whole of a column was read from, as it was answered. */
  readonly table?: TableAnswer | undefined;
  /** REST: what another endpoint answers that reads the same rows. */
  readonly other?: (Pick<OtherEndpoint, 'tells' | 'columns'> & { readonly body: unknown }) | undefined;
  /** What the question says. */
  readonly facts?: readonly QuestionFact[] | undefined;
}

/** What tells that an answer, parsed, cannot be right; nothing for an answer that may be. */
export function findContradictions(
  body: unknown,
  { endpoint, table, other, facts = [] }: Surroundings,
): FaultWitness[] {
  const rest = restAnswer.safeParse(body);
  if (rest.success) {
    const { data, row_count } = rest.data;
    return [
      ...(data.length === row_count ? [] : (['row_count'] as const)),
      ...(endpoint && !fitsSchema(data, endpoint) ? (['schema'] as const) : []),
      ...(other && !fitsOther(data, other) ? (['other_endpoint'] as const) : []),
      ...(facts.every((fact) => holds(fact, data)) ? [] : (['question'] as const)),
    ];
  }
  const column = columnAnswer.safeParse(body);
  if (!column.success) return [];
  return [
    ...(column.data.values.length === column.data.row_count ? [] : (['row_count'] as const)),
    ...(table && !fitsTable(column.data, table) ? (['earlier_answer'] as const) : []),
    ...(facts.every((fact) => holds(fact, rowsOfColumn(column.data))) ? [] : (['question'] as const)),
  ];
}

function fitsSchema(rows: readonly Readonly<Record<string, unknown>>[], { columns }: Endpoint): boolean {
  return rows.every((row) =>
    columns.every(({ name, type, nullable }) => {
      const value = row[name] ?? null;
      return value === null ? nullable : IS_OF[type](value);
    }),
  );
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';

const IS_OF: Readonly<Record<Endpoint['columns'][number]['type'], (value: unknown) => boolean>> = {
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  number: isNumber,
  string: (value) => typeof value === 'string',
  any: () => true,
};

function fitsTable({ column, values }: ColumnAnswer, { row_count, preview }: TableAnswer): boolean {
  if (row_count !== null && row_count !== values.length) return false;
  return preview.every((row, i) => !(column in row) || sameCell(row[column] ?? null, values[i] ?? null));
}

function rowsOfColumn({ values }: ColumnAnswer): CellRow[] {
  return values.map((value) => ({ '': value }));
}

/** Whether rows agree with what another endpoint tells of them: how many there are, and the values that both have. */
function fitsOther(
  rows: readonly CellRow[],
  { tells, columns, body }: NonNullable<Surroundings['other']>,
): boolean {
  const read = restAnswer.safeParse(body);
  if (!read.success) return false;
  const { data } = read.data;
  if (tells === 'count') return Number(Object.values(data[0] ?? {})[0]) === rows.length;
  return (
    data.length === rows.length &&
    columns.every(({ own, other }) =>
      sameBag(
        rows.map((row) => row[own]),
        data.map((row) => row[other]),
      ),
    )
  );
}

function sameBag(some: readonly unknown[], others: readonly unknown[]): boolean {
  const texts = (values: readonly unknown[]) => values.map((value) => `${typeof value} ${value}`).sort();
  const [one, other] = [texts(some), texts(others)];
  return one.every((text, i) => text === other[i]);
}
