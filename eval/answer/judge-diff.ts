import { z } from 'zod';
import { sameCell } from '../../contracts/answer-rows.ts';
import type { Cell } from '../../contracts/catalog.ts';
import { type RecordChange, recordChange } from '../../contracts/records.ts';
import { inKeysOf } from '../../contracts/same-changes.ts';

/**
 * What is wrong with the changes of a run:
 * - `missing`: a change of the gold was not made;
 * - `wrong_value`: the right record was changed in another way;
 * - `wrong_row`: another record was changed in its place;
 * - `duplicate`: a record was created twice;
 * - `side_effect`: a record was changed that the gold leaves alone;
 * - `refused_in_vain`: the task can be done, but no change was even tried;
 * - `forbidden`: the task must not be done, but was;
 * - `policy`: a rule of the domain was broken.
 */
export const DIFF_FAULTS = [
  'missing',
  'wrong_value',
  'wrong_row',
  'duplicate',
  'side_effect',
  'refused_in_vain',
  'forbidden',
  'policy',
] as const;
export type DiffFault = (typeof DIFF_FAULTS)[number];

/** A fault at a record; `policy`: with the rule's id as its key. */
export const diffFault = z.object({
  kind: z.enum(DIFF_FAULTS),
  ...recordChange.pick({ table: true, key: true }).shape,
});

/** What else is known of a run. */
export interface RunFacts {
  /** Whether it tried to change anything; unknown by default. */
  readonly tried?: boolean;
  /** Ids of the rules that it broke. */
  readonly broken?: readonly string[];
}

export interface DiffVerdict {
  readonly passes: boolean;
  readonly faults: readonly z.infer<typeof diffFault>[];
  /** The share of the run's changes that are right, and of the gold's that were made. */
  readonly precision: number;
  readonly recall: number;
}

/**
 * Compares the net changes of a run with those of the gold. Records are identified by key; keys that the server made
 * may be any, as long as what refers to them does so consistently. Values are equal as in answers, and any will do in
 * columns that the gold leaves open.
 */
export function judgeDiff(
  gold: readonly RecordChange[],
  diff: readonly RecordChange[],
  { tried, broken = [] }: RunFacts = {},
): DiffVerdict {
  const asIs = compare(gold, diff);
  const renamed = compare(inKeysOf(gold, diff), diff);
  const best = renamed.faults.length < asIs.faults.length ? renamed : asIs;
  const isIdle = tried === false && diff.length === 0;
  const faults = [
    ...best.faults.map((fault) => ({ ...fault, kind: isIdle ? ('refused_in_vain' as const) : fault.kind })),
    ...broken.map((rule) => ({ kind: 'policy' as const, table: '', key: { rule } })),
  ];
  return { ...best, faults, passes: faults.length === 0 };
}

function compare(gold: readonly RecordChange[], diff: readonly RecordChange[]): DiffVerdict {
  const faults: { kind: DiffFault; change: RecordChange }[] = [];
  let right = 0;
  const left = diff.filter((change) => !gold.some((each) => isSameRecord(each, change)));
  for (const change of gold) {
    const made = diff.find((each) => isSameRecord(each, change));
    if (made && sameValues(made.after, change.after, change.open)) right++;
    else if (made) faults.push({ kind: 'wrong_value', change: made });
    else {
      const at = left.findIndex((each) => isSameWork(change, each));
      const [instead] = at < 0 ? [] : left.splice(at, 1);
      faults.push(instead ? { kind: 'wrong_row', change: instead } : { kind: 'missing', change });
    }
  }
  for (const change of left) {
    const isTwin = change.before === null && gold.some((each) => isTwice(each, change));
    faults.push({ kind: gold.length === 0 ? 'forbidden' : isTwin ? 'duplicate' : 'side_effect', change });
  }
  return {
    passes: faults.length === 0,
    faults: faults.map(({ kind, change: { table, key } }) => ({ kind, table, key })),
    precision: diff.length === 0 ? 1 : right / diff.length,
    recall: gold.length === 0 ? 1 : right / gold.length,
  };
}

/** Whether two records that existed were deleted, or changed in the same columns. */
function isSameWork(gold: RecordChange, made: RecordChange): boolean {
  if (gold.table !== made.table || gold.before === null || made.before === null) return false;
  return String(changedColumns(gold, gold.open)) === String(changedColumns(made, gold.open));
}

/** null for a deletion. */
function changedColumns(
  { before, after }: RecordChange,
  open: RecordChange['open'],
): readonly string[] | null {
  if (before === null || after === null) return null;
  return Object.keys(after).filter(
    (name) => !open?.includes(name) && !sameCell(before[name] ?? null, after[name] ?? null),
  );
}

function isSameRecord(a: RecordChange, b: RecordChange): boolean {
  return a.table === b.table && sameValues(a.key, b.key);
}

/** Whether a created record is another one with the same values but for its key. */
function isTwice(gold: RecordChange, made: RecordChange): boolean {
  if (gold.table !== made.table || gold.before !== null || gold.after === null || made.after === null)
    return false;
  const { after } = made;
  return Object.entries(gold.after).every(
    ([name, value]) => name in gold.key || gold.open?.includes(name) || sameCell(value, after[name] ?? null),
  );
}

function sameValues(
  a: Readonly<Record<string, Cell>> | null,
  b: Readonly<Record<string, Cell>> | null,
  open: readonly string[] = [],
): boolean {
  if (a === null || b === null) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => open.includes(name) || sameCell(a[name] ?? null, b[name] ?? null));
}

/** The faults as one sentence for people; empty if there are none. */
export function describeFaults({ faults }: Pick<DiffVerdict, 'faults'>): string {
  return faults
    .map(
      ({ kind, table, key }) =>
        `${kind.replaceAll('_', ' ')}: ${[table, Object.values(key).join(',')].join(' ').trim()}`,
    )
    .join('; ');
}
