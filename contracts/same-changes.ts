import { sameCell } from './answer-rows.ts';
import type { Cell } from './catalog.ts';
import type { RecordChange } from './records.ts';

/** Limits of candidates in a search: for pairs that are all equal, which rarely goes astray, and for as many as can be. */
const MOST_STEPS = { all: 20_000, most: 500 };

/**
 * Whether two diffs change the same records alike. Keys that `gold` marks as made by the server may differ, as long as
 * each corresponds to one key of the other diff in all that refers to it.
 */
export function sameChanges(gold: readonly RecordChange[], made: readonly RecordChange[]): boolean {
  return new Pairing(gold, made).pairAll();
}

/** `gold` with the keys of `made`: equal to `made` if they change the same records alike, else as close as was found. */
export function inKeysOf(
  gold: readonly RecordChange[],
  made: readonly RecordChange[],
): readonly RecordChange[] {
  if (gold.every(({ generated }) => generated === undefined)) return gold;
  const pairing = new Pairing(gold, made);
  if (!pairing.pairAll()) pairing.pairMost();
  return pairing.renamed();
}

/** Pairs each change of the gold with one of another diff. */
class Pairing {
  readonly #gold: readonly RecordChange[];
  readonly #made: readonly RecordChange[];
  /** The records with generated keys that a change refers to, by column. */
  readonly #parents: ReadonlyMap<RecordChange, ReadonlyMap<string, RecordChange>>;
  /** The gold's changes: parents first, and what refers to a record right after it, where a wrong pair shows. */
  readonly #order: readonly RecordChange[];
  /** null: the change was not made. */
  #pairs = new Map<RecordChange, RecordChange | null>();

  constructor(gold: readonly RecordChange[], made: readonly RecordChange[]) {
    this.#gold = gold;
    this.#made = made;
    const generated = gold.filter((change) => change.generated !== undefined);
    this.#parents = new Map(gold.map((change) => [change, parentsOf(change, generated)]));
    this.#order = this.#inOrder();
  }

  /** Whether there are pairs under which all changes are equal. */
  pairAll(): boolean {
    const [gold, made] = [this.#gold, this.#made];
    return (
      gold.length === made.length &&
      gold.every((change) => made.some((each) => this.#fits(change, each))) &&
      made.every((each) => gold.some((change) => this.#fits(change, each))) &&
      this.#search(1, MOST_STEPS.all)
    );
  }

  /** Finds pairs under which few changes differ. */
  pairMost(): void {
    this.#search(Number.POSITIVE_INFINITY, MOST_STEPS.most);
  }

  renamed(): readonly RecordChange[] {
    return this.#gold.map((change) => {
      const own = change.generated ? Object.keys(change.key) : [];
      const cells = (values: Readonly<Record<string, Cell>>) =>
        Object.fromEntries(
          Object.entries(values).map(([name, value]) => {
            const named = own.includes(name) ? change : this.#parents.get(change)?.get(name);
            return [name, named ? this.#keyFor(named) : value];
          }),
        );
      return { ...change, key: cells(change.key), after: change.after && cells(change.after) };
    });
  }

  /** Keeps the first pairs with fewest differing changes, if these are fewer than a limit. */
  #search(limit: number, mostSteps: number): boolean {
    const pairs = new Map<RecordChange, RecordChange | null>();
    const used = new Set<RecordChange>();
    let best: typeof pairs | null = null;
    let [fewest, steps] = [limit, 0];
    this.#pairs = pairs;
    const pair = (at: number, differing: number): void => {
      const change = this.#order[at];
      if (differing >= fewest || steps > mostSteps) return;
      if (!change) {
        const differ = this.#gold.filter((each) => !this.#fits(each, pairs.get(each) ?? null)).length;
        if (differ < fewest) [fewest, best] = [differ, new Map(pairs)];
        return;
      }
      const isLast = differing + 1 >= fewest;
      for (const each of this.#candidates(change, used)) {
        steps++;
        const fits = this.#fits(change, each);
        if (!fits && isLast) continue;
        pairs.set(change, each);
        if (each) used.add(each);
        pair(at + 1, differing + (fits ? 0 : 1));
        pairs.delete(change);
        if (each) used.delete(each);
      }
    };
    pair(0, 0);
    this.#pairs = best ?? new Map();
    return best !== null;
  }

  /** What a change may be, likely ones first; null: it was not made. */
  #candidates(change: RecordChange, used: ReadonlySet<RecordChange>): readonly (RecordChange | null)[] {
    const free = this.#made.filter((each) => !used.has(each));
    const alike = free.filter((each) => this.#fits(change, each));
    if (change.generated === undefined) return alike.length > 0 ? alike.slice(0, 1) : [null];
    const others = free.filter(
      (each) => each.table === change.table && each.before === null && !alike.includes(each),
    );
    const likely = [alike, others].flatMap((list) => {
      const likeness = new Map(list.map((each) => [each, this.#likeness(change, each)]));
      return list.sort((a, b) => (likeness.get(b) ?? 0) - (likeness.get(a) ?? 0));
    });
    return [...likely, null];
  }

  #inOrder(): RecordChange[] {
    const order = new Set<RecordChange>();
    const seen = new Set<RecordChange>();
    const visit = (change: RecordChange) => {
      if (seen.has(change)) return;
      seen.add(change);
      for (const parent of this.#parents.get(change)?.values() ?? []) visit(parent);
      order.add(change);
      for (const child of this.#childrenOf(change)) visit(child);
    };
    for (const change of this.#gold) visit(change);
    return [...order];
  }

  #childrenOf(parent: RecordChange): RecordChange[] {
    return this.#gold.filter((change) => [...(this.#parents.get(change)?.values() ?? [])].includes(parent));
  }

  /** The key that a record with a generated key has in the other diff; null where none is the same record. */
  #keyFor(change: RecordChange): Cell {
    const pair = this.#pairs.get(change);
    if (pair) return keyValue(pair);
    const isTaken = this.#made.some(
      (each) => each.table === change.table && sameCell(keyValue(each), keyValue(change)),
    );
    return isTaken ? null : keyValue(change);
  }

  /** Whether a change equals one of the gold under the pairs so far. */
  #fits(change: RecordChange, made: RecordChange | null): boolean {
    if (made === null) return false;
    const isGenerated = change.generated !== undefined;
    if (change.table !== made.table || (isGenerated && made.before !== null)) return false;
    if (change.after === null || made.after === null)
      return change.after === made.after && this.#sameCells(change, [change.key, made.key], []);
    const own = isGenerated ? Object.keys(change.key) : [];
    return (
      (isGenerated || this.#sameCells(change, [change.key, made.key], [])) &&
      this.#sameCells(change, [change.after, made.after], [...own, ...(change.open ?? [])])
    );
  }

  #sameCells(
    change: RecordChange,
    [gold, made]: readonly [RecordChange['key'], RecordChange['key']],
    except: readonly string[],
  ): boolean {
    return [...new Set([...Object.keys(gold), ...Object.keys(made)])].every(
      (name) => except.includes(name) || this.#sameCell(change, name, gold[name], made[name]),
    );
  }

  #sameCell(change: RecordChange, name: string, gold: Cell = null, made: Cell = null): boolean {
    const parent = this.#parents.get(change)?.get(name);
    if (!parent) return sameCell(gold, made);
    const pair = this.#pairs.get(parent);
    return pair === undefined || (pair !== null && sameCell(keyValue(pair), made));
  }

  /** How much a new record is like one of the gold: by its values, and by what refers to it. */
  #likeness(change: RecordChange, made: RecordChange): number {
    this.#pairs.set(change, made);
    const children = this.#childrenOf(change).filter((child) =>
      this.#made.some((each) => this.#fits(child, each)),
    );
    const values = Object.entries(change.after ?? {}).filter(
      ([name, value]) =>
        !(name in change.key) &&
        !change.open?.includes(name) &&
        this.#sameCell(change, name, value, made.after?.[name]),
    );
    this.#pairs.delete(change);
    const hasSameKey = sameCell(keyValue(change), keyValue(made));
    return children.length + values.length + (hasSameKey ? 0.5 : 0);
  }
}

function parentsOf(
  { table, after }: RecordChange,
  generated: readonly RecordChange[],
): ReadonlyMap<string, RecordChange> {
  return new Map(
    Object.entries(after ?? {}).flatMap(([name, value]) => {
      const parent = generated.find(
        (each) =>
          each.generated?.some((place) => place.table === table && place.column === name) &&
          sameCell(value, keyValue(each)),
      );
      return parent ? [[name, parent] as const] : [];
    }),
  );
}

function keyValue({ key }: RecordChange): Cell {
  return Object.values(key)[0] ?? null;
}
