import type { RecordChange, SampleReview } from '../../client/index.ts';
import { Table } from './tables.tsx';

type Compared = NonNullable<SampleReview['changes']>;

interface ChangesProps {
  readonly made: readonly RecordChange[];
  /** The gold's changes beside them; null where they are hidden. */
  readonly gold: readonly RecordChange[] | null;
  readonly faults?: Compared['faults'];
}

/** What a run has changed on the whole, a line for each value, with the value of the gold beside it. */
export function Changes({ made, gold, faults = [] }: ChangesProps) {
  const lines = linesOf(made, gold);
  const broken = faults.filter(({ kind }) => kind === 'policy');
  return (
    <>
      {broken.length > 0 && (
        <p class="problem">Broken rules: {broken.flatMap(({ key }) => Object.values(key)).join(', ')}</p>
      )}
      {lines.length === 0 ? (
        <p class="note">
          {gold === null || gold.length === 0 ? 'Nothing.' : 'Nothing, and nothing is right.'}
        </p>
      ) : (
        <Table
          label="Changes"
          head={['record', 'column', 'before', 'after', ...(gold === null ? [] : ['gold'])]}
          rows={lines}
        >
          {({ record, isFirst, column, before, after, wanted, isOpen }) => (
            <>
              <td>
                {isFirst && <strong>{nameOf(record)}</strong>}
                {isFirst &&
                  faults
                    .filter((fault) => nameOf(fault) === nameOf(record))
                    .map(({ kind }) => <span class="problem"> {kind.replaceAll('_', ' ')}</span>)}
              </td>
              <td>{column}</td>
              <Value value={before} />
              <Value value={after} />
              {gold !== null &&
                (isOpen ? <td>any</td> : <Value value={wanted} isOther={!isSame(after, wanted)} />)}
            </>
          )}
        </Table>
      )}
    </>
  );
}

/** undefined: there is no record. */
type Shown = string | number | bigint | null | undefined;

interface Line {
  readonly record: RecordChange;
  readonly isFirst: boolean;
  readonly column: string;
  readonly before: Shown;
  readonly after: Shown;
  readonly wanted: Shown;
  /** Whether any value is right. */
  readonly isOpen: boolean;
}

function linesOf(made: readonly RecordChange[], gold: readonly RecordChange[] | null): Line[] {
  const mine = new Map(made.map((change) => [nameOf(change), change]));
  const theirs = new Map((gold ?? []).map((change) => [nameOf(change), change]));
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((name) => {
    const [own, right] = [mine.get(name), theirs.get(name)];
    const record = own ?? right;
    if (!record) return [];
    const { before } = record;
    // What is not changed is as it was before.
    const [after, wanted] = [own ? own.after : before, right ? right.after : before];
    const columns = [...new Set([before, after, wanted].flatMap((row) => Object.keys(row ?? {})))];
    const changed = columns.filter(
      (column) => !isSame(before?.[column], after?.[column]) || !isSame(before?.[column], wanted?.[column]),
    );
    return changed.map((column, at) => ({
      record,
      isFirst: at === 0,
      column,
      before: before?.[column],
      after: after?.[column],
      wanted: wanted?.[column],
      isOpen: right?.open?.includes(column) ?? false,
    }));
  });
}

function nameOf({ table, key }: Pick<RecordChange, 'table' | 'key'>): string {
  return `${table} ${Object.values(key).join(',')}`;
}

function isSame(a: Shown, b: Shown): boolean {
  return a === b || String(a) === String(b);
}

function Value({ value, isOther = false }: { readonly value: Shown; readonly isOther?: boolean }) {
  if (value === undefined) return <td class="null">no record</td>;
  if (value === null) return <td class="null">null</td>;
  return <td>{isOther ? <strong class="problem">{String(value)}</strong> : String(value)}</td>;
}
