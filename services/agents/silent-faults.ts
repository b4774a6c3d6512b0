import { createHash } from 'node:crypto';
import { LosslessNumber, parse, stringify } from 'lossless-json';
import {
  type FaultProfile,
  type FaultRule,
  type FaultWitness,
  faultWitness,
  type ProvenFault,
  type ProvenFaults,
  type SilentFaultKind,
} from '../../contracts/faults.ts';
import { isObject } from '../base/arguments.ts';
import { seededNumber } from '../base/seeded-order.ts';
import { meansTool } from './faults.ts';

export interface StruckAnswer {
  readonly sampleId: string;
  /** The faults that the task's answers can have; undefined for none. */
  readonly proven: ProvenFaults | undefined;
  readonly tool: string;
  readonly text: string;
  /** Whether the run is offered a tool, given its real name. */
  readonly offers: (tool: string) => boolean;
  /** Whether a silent fault has already struck this tool's answers in this run. */
  readonly struckBefore: () => boolean;
}

/**
 * Draws the silent fault of an answer, with the text that the agent gets; null for none. It strikes only answers for
 * which the generator has proven that the fault is detectable, and depends only on the profile, the task and, where it
 * does not last, on whether this is the agent's first such call.
 */
export function applySilentFault(
  profile: FaultProfile,
  { text, struckBefore, ...answer }: StruckAnswer,
): { readonly fault: SilentFaultKind; readonly text: string } | null {
  const { proven } = answer;
  const drawn = drawSilentFault(profile, answer);
  if (proven === undefined || drawn === null || answerHash(text) !== proven.answer) return null;
  const { found, lasts } = drawn;
  if (!lasts && struckBefore()) return null;
  const { stale_rows } = proven;
  const spoilt = spoilAnswer(text, stale_rows === undefined ? found : { ...found, stale_rows });
  return spoilt === null ? null : { fault: found.fault, text: spoilt };
}

/** Draws the silent fault of a tool's answers in a task, and whether it lasts; null for none. */
export function drawSilentFault(
  profile: FaultProfile,
  { sampleId, proven, tool, offers }: Pick<StruckAnswer, 'sampleId' | 'proven' | 'tool' | 'offers'>,
): { readonly found: ProvenFault; readonly lasts: boolean } | null {
  if (!proven || proven.tool !== tool) return null;
  const { other_endpoint: other } = proven;
  /** The witnesses that this run offers. */
  const witnesses = faultWitness.options.filter(
    (witness) => witness !== 'repeat' && (witness !== 'other_endpoint' || (other && offers(other.tool))),
  );
  for (const [at, rule] of profile.rules.entries()) {
    const found = proven.faults.find((each) => isMeant(each, rule, witnesses));
    if (!found || !meansTool(rule, tool)) continue;
    if (seededNumber(profile.seed, 'silent', sampleId, at) >= rule.rate) continue;
    return { found, lasts: rule.lasting === 'permanent' };
  }
  return null;
}

/** Whether a rule covers a proven fault. A lasting one must be detectable without repeating the call. */
function isMeant(
  proven: ProvenFault,
  { fault, contradiction, lasting }: FaultRule,
  has: readonly FaultWitness[],
): boolean {
  return (
    proven.fault === fault &&
    (contradiction === undefined || proven.contradiction === contradiction) &&
    (lasting !== 'permanent' || proven.witnesses.some((witness) => has.includes(witness)))
  );
}

export interface Spoiling extends Pick<ProvenFault, 'fault' | 'contradiction' | 'column'> {
  readonly stale_rows?: ProvenFaults['stale_rows'];
}

/**
 * The text of an endpoint's or a column's answer with a silent fault injected; null where it cannot have the fault.
 * With an implicit contradiction, `row_count` is that of the returned rows. Unchanged numbers keep their digits.
 */
export function spoilAnswer(text: string, spoiling: Spoiling): string | null {
  return spoilsOf(text)(spoiling);
}

/** As `spoilAnswer`, for several faults of one answer. */
export function spoilsOf(text: string): (spoiling: Spoiling) => string | null {
  const list = readList(text);
  if (!list) return () => null;
  const { body, field, rows } = list;
  return (spoiling) => {
    const spoilt = SPOIL[spoiling.fault](rows, spoiling);
    if (!spoilt) return null;
    const count = spoiling.contradiction === 'implicit' ? { row_count: spoilt.length } : {};
    return stringify({ ...body, [field]: spoilt, ...count }) ?? null;
  };
}

export function rowsOf(text: string): string | null {
  const list = readList(text);
  return list && (stringify(list.rows) ?? null);
}

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

/** Every third row from the second; or the only row. */
function isHit(rows: readonly unknown[], at: number): boolean {
  return at % 3 === Math.min(1, rows.length - 1);
}

/** The value at a column of a row; without a column, the row itself is the value. */
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

/** The hash by which a task's silent faults recognize the answer that they are proven for. */
export function answerHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function readObject(text: string): Record<string, unknown> | null {
  try {
    const value = parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
