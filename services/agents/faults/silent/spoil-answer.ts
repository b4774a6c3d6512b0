import { LosslessNumber, parse, stringify } from 'lossless-json';
import type { ProvenFault, ProvenFaults, SilentFaultKind } from '../../../../contracts/silent-fault.ts';
import { readObject } from '../read-object.ts';

/** A fault as an answer is to have it. */
export interface Spoiling extends Pick<ProvenFault, 'fault' | 'contradiction' | 'column'> {
  readonly stale_rows?: ProvenFaults['stale_rows'];
}

/**
 * The text of an endpoint's or a column's answer with a silent fault in it; null where the answer cannot have it. With
 * an implicit contradiction `row_count` is that of the rows shown. Numbers that stay keep their digits.
 */
export function spoilAnswer(text: string, spoiling: Spoiling): string | null {
  const list = readList(text);
  if (!list) return null;
  const { body, field, rows } = list;
  const spoilt = SPOIL[spoiling.fault](rows, spoiling);
  if (!spoilt) return null;
  const count = spoiling.contradiction === 'implicit' ? { row_count: spoilt.length } : {};
  return stringify({ ...body, [field]: spoilt, ...count }) ?? null;
}

/** The JSON text of the rows of an endpoint's answer, or of the values of a column's; null for any other answer. */
export function rowsOf(text: string): string | null {
  const list = readList(text);
  return list && (stringify(list.rows) ?? null);
}

/** The rows of an answer that has them all. */
function readList(text: string) {
  const body = readObject(text);
  const field = body?.kind === undefined ? 'data' : 'values';
  const rows = body?.[field];
  return body && Array.isArray(rows) && body.truncated === false ? { body, field, rows } : null;
}

type Spoil = (rows: readonly unknown[], spoiling: Spoiling) => unknown[] | null;

const SPOIL: Readonly<Record<SilentFaultKind, Spoil>> = {
  stale_rows: (_, { stale_rows }) => (stale_rows === undefined ? null : (parse(stale_rows) as unknown[])),
  shifted_rows: (rows, { column }) =>
    rows.length < 2
      ? null
      : rows.map((row, i) => withCell(row, column, i === 0 ? null : cellOf(rows[i - 1], column))),
  duplicated_rows: (rows) =>
    rows.length === 0 ? null : rows.flatMap((row, i) => (isHit(rows, i) ? [row, row] : [row])),
  dropped_rows: (rows) => (rows.length === 0 ? null : rows.filter((_, i) => !isHit(rows, i))),
  wrong_unit: (rows, { column }) => {
    if (!rows.some((row) => isNumber(cellOf(row, column)))) return null;
    return rows.map((row) => withCell(row, column, thousandth(cellOf(row, column))));
  },
  hidden_truncation: (rows) => (rows.length < 2 ? null : rows.slice(0, Math.floor(rows.length / 2))),
};

/** Every third row from the second; the only row of one. */
function isHit(rows: readonly unknown[], at: number): boolean {
  return at % 3 === Math.min(1, rows.length - 1);
}

/** A value of a row; without a column the row is a value itself. */
function cellOf(row: unknown, column: string | undefined): unknown {
  return column === undefined ? row : (row as Record<string, unknown>)[column];
}

function withCell(row: unknown, column: string | undefined, value: unknown): unknown {
  return column === undefined ? value : { ...(row as object), [column]: value };
}

function isNumber(value: unknown): value is LosslessNumber {
  return value instanceof LosslessNumber;
}

function thousandth(value: unknown): unknown {
  return isNumber(value) ? new LosslessNumber(String(Number(value.toString()) / 1000)) : value;
}
