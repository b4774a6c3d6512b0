import type { QuestionFact } from '../../../contracts/silent-fault.ts';

/** Values by column; a row of an answer that is one column has '' for its name. */
export type CellRow = Readonly<Record<string, unknown>>;

/** Whether rows are as the question says. */
export function holds(fact: QuestionFact, rows: readonly CellRow[]): boolean {
  switch (fact.kind) {
    case 'at_most':
      return rows.length <= fact.rows;
    case 'distinct':
      return new Set(rows.map(textOf)).size === rows.length;
    case 'bound':
      return rows.every((row) => isWithin(row[fact.column ?? ''], fact));
  }
}

function textOf(row: CellRow): string {
  return JSON.stringify(Object.values(row), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

/** A value of another type than the bound's is outside: SQLite may see that otherwise, and then no fact is made of it. */
function isWithin(value: unknown, { op, value: bound }: QuestionFact & { kind: 'bound' }): boolean {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (typeof bound === 'number' ? !isNumber : typeof value !== 'string') return false;
  const left = value as number | bigint | string;
  switch (op) {
    case '=':
      // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number may be the same.
      return left == bound;
    case '<':
      return left < bound;
    case '<=':
      return left <= bound;
    case '>':
      return left > bound;
    case '>=':
      return left >= bound;
  }
}
