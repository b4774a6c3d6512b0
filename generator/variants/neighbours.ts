import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Catalog, CatalogColumn } from '../../contracts/catalog.ts';
import { onceFor } from '../../contracts/grouping.ts';
import { ChildCrashedError, ChildPool } from '../../services/base/sqlite/child-pool.ts';
import {
  type Block,
  type Column,
  printQuery,
  type Query,
  queryExprs,
  selectBlocks,
} from '../../sql/index.ts';
import { copyWritable, VISITED } from '../oracle/engines.ts';
import { type Oracle, PATIENCE, STATEMENT_MEGABYTES, type Stored } from '../oracle/oracle.ts';
import {
  applyChanges,
  type Change,
  type ColumnShape,
  nudgeWithin,
  perturbTable,
  setInJson,
  type TableShape,
  tableShapes,
} from './changes.ts';
import { asDateLike, type Content, fits, mentionsOf, nextDay, step } from './mentions.ts';
import { Random } from './random.ts';
import { contests, countVisits, type Witness, witnessOf } from './visits.ts';

/** One state of a domain's data: the original or a neighbour. */
export interface DatabaseVariant {
  readonly label: string;
  /** As in the split (or nearly): the gold SQL runs on it. */
  readonly plain: string;
  /** The same rows as served: the calls run on it. */
  readonly served: string;
  readonly isNeighbour?: boolean;
  /** For a stand-in: writes its files once; must be called before they are read. */
  readonly ready?: () => void;
}

interface VariantsRequest extends Omit<NeighbourRequest, 'file'> {
  readonly original: DatabaseVariant;
  /** A folder for the neighbours' files only. */
  readonly folder: string;
  /** Whether calls search texts; without, neighbours have no search indexes. */
  readonly isSearched?: boolean;
  /** Finds changes by which the last neighbour kills more mutants. */
  readonly killMutants?: (request: KillRequest) => Promise<readonly Change[]>;
}

/** Input of the search for further changes to the last neighbour. */
export interface KillRequest extends Pick<NeighbourRequest, 'catalog' | 'seed' | 'queries'> {
  /** The served original; only read. */
  readonly file: string;
  /** A path for a copy. */
  readonly scratch: string;
  /** The changes that lead to each neighbour. */
  readonly plans: readonly (readonly Change[])[];
}

/** Neighbours on which gold calls have to be right besides the original. */
export const NEIGHBOURS = 2;

/** Neighbours that replace those where a gold query is too slow or its answer too large. */
const STAND_INS = 2;

/**
 * The original, its neighbours, and stand-ins with few random changes. Served copies have the original's
 * indexes and statistics; later stand-ins are written on demand.
 */
export async function makeVariants(
  request: VariantsRequest,
): Promise<readonly [DatabaseVariant, ...DatabaseVariant[]]> {
  const { catalog, original, queries, folder, seed, oracle } = request;
  mkdirSync(folder, { recursive: true });
  // Sharpening starts from random changes only, since mutants hide among rows that nearly meet other
  // conditions.
  const sharpened = request.killMutants ? 1 : 0;
  const planned = await planNeighbours(
    { file: original.served, catalog, queries, seed, oracle },
    NEIGHBOURS - sharpened,
    STAND_INS + sharpened,
  );
  const more = await request.killMutants?.({
    file: original.served,
    scratch: join(folder, 'sharpened.sqlite'),
    catalog,
    seed,
    queries,
    plans: planned.slice(0, NEIGHBOURS),
  });
  const plans = planned.map((changes, i) => (more && i === NEIGHBOURS - 1 ? [...changes, ...more] : changes));
  const neighbours = plans.map((changes, i): DatabaseVariant => {
    const variant = {
      label: `neighbour ${i + 1}`,
      plain: join(folder, `neighbour-${i + 1}.sqlite`),
      served: join(folder, `neighbour-${i + 1}-served.sqlite`),
      isNeighbour: true,
    };
    let isWritten = false;
    const ready = () => {
      if (isWritten) return;
      makeNeighbour(original.plain, variant.plain, changes);
      makeNeighbour(original.served, variant.served, changes, request.isSearched ?? false);
      isWritten = true;
    };
    if (i > NEIGHBOURS) return { ...variant, ready };
    ready();
    return variant;
  });
  return [original, ...neighbours];
}

export function removeVariants(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A query that visits more rows is not searched for witnesses. */
const MAX_VISITS = 5_000_000;

/** Rows added to one neighbour. */
const MAX_INSERTS = 10_000;

interface NeighbourRequest {
  /** The original database, or a quicker copy of its rows with indexes. Only read. */
  readonly file: string;
  readonly catalog: Catalog;
  /** The neighbours differ in the values that these queries' conditions compare. */
  readonly queries: readonly Query[];
  readonly seed: string;
  readonly oracle: Oracle;
}

interface Found extends Tuples {
  readonly block: Block;
  readonly witness: Witness;
}

/** Random changes, with near misses for `count` neighbours, without for `standIns`. Deterministic. */
export async function planNeighbours(
  request: NeighbourRequest,
  count: number,
  standIns = 1,
): Promise<Change[][]> {
  const { file, catalog, seed } = request;
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const shapes = tableShapes(db, catalog);
    const found = await findWitnesses(request, new Map(shapes.map((each) => [each.name, each])));
    return Array.from({ length: count + standIns }, (_, i) => {
      const random = new Random(`${seed}/${catalog.db}/${i}`);
      const keys = new FreshKeys(catalog);
      const inserts: Change[] = [];
      for (const { block, witness, ...tuples } of i < count ? found : []) {
        if (inserts.length >= MAX_INSERTS) break;
        inserts.push(...nearMisses(block, witness, tuples, { catalog, keys, random }));
      }
      return [...shapes.flatMap((shape) => perturbTable(db, shape, random)), ...inserts];
    });
  } finally {
    db.close();
  }
}

export function makeNeighbour(
  file: string,
  target: string,
  changes: readonly Change[],
  isSearched?: boolean,
): void {
  copyWritable(file, target);
  applyChanges(target, changes, isSearched);
}

async function findWitnesses(
  { file, queries, oracle }: NeighbourRequest,
  shapes: ReadonlyMap<string, TableShape>,
): Promise<Found[]> {
  const textOf = (query: Query) => printQuery(countVisits(query, VISITED, shapes));
  /** Rows by the text of a query, so that each text is run once. */
  const stored = new Map<string, Stored[][] | null>();
  const read = async (asked: readonly (Query | null)[]): Promise<void> => {
    const texts = new Set(asked.flatMap((query) => (query ? [textOf(query)] : [])));
    const unread = [...texts].filter((text) => !stored.has(text));
    const results = await oracle.readStored(file, unread, MAX_VISITS);
    for (const [i, text] of unread.entries()) stored.set(text, results[i] ?? null);
  };
  const tuples = (witness: Witness, query: Query | null): Tuple[] =>
    tuplesOf(witness, (query && stored.get(textOf(query))) ?? []);
  const searched = queries
    .flatMap((query) => selectBlocks(query))
    .flatMap((block) => {
      const witness = witnessOf(block, shapes);
      return witness ? [{ block, witness }] : [];
    });
  await read(searched.flatMap(({ witness: { exact, loose } }) => [exact, loose]));
  const found = searched.map(({ block, witness }) => {
    const exact = tuples(witness, witness.exact);
    const loose = tuples(witness, witness.loose);
    return { block, witness, exact, loose: loose.length > 0 ? loose : exact };
  });
  await read(found.map(({ witness, loose }) => (loose.length > 0 ? null : witness.apart)));
  return found.map((each) => ({
    ...each,
    apart: each.loose.length > 0 ? [] : tuples(each.witness, each.witness.apart),
  }));
}

/** New combinations of rows for a SELECT in one neighbour. */
const MAX_COPIES = 14;

/** Base rows of one combination: values by source, then column. */
export type Tuple = ReadonlyMap<string, Readonly<Record<string, Stored>>>;

export function tuplesOf(witness: Witness, rows: readonly (readonly Stored[])[]): Tuple[] {
  return rows.map((row) => {
    const tuple = new Map<string, Record<string, Stored>>();
    witness.cells.forEach(({ source, column }, i) => {
      onceFor(tuple, source, (): Record<string, Stored> => ({}))[column] = row[i] ?? null;
    });
    return tuple;
  });
}

export class FreshKeys {
  readonly #catalog: Catalog;
  #count = 0n;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  next(table: string, column: string, like: Stored): Stored {
    this.#count++;
    const { max } = columnOf(this.#catalog, table, column)?.statistics ?? { max: null };
    if (typeof like === 'string') return this.#nextText(like, max);
    if (typeof like !== 'bigint' && typeof like !== 'number') return like;
    const fresh = BigInt(Math.ceil(typeof max === 'number' ? Math.min(max, 2 ** 52) : 0)) + this.#count;
    return typeof like === 'bigint' ? fresh : Number(fresh);
  }

  /** `MAT-000123` gives a higher number of as many digits; other texts get a suffix. */
  #nextText(like: string, max: unknown): string {
    const [, before = '', digits = ''] = /^(.*?)(\d{3,15})$/.exec(like) ?? [];
    const fresh = `${before}${String(10n ** BigInt(digits.length) - this.#count)}`;
    const isBeyond =
      typeof max === 'string' && max.startsWith(before) && max.length === fresh.length && fresh > max;
    return digits !== '' && fresh.length === like.length && isBeyond ? fresh : `${like}~${this.#count}`;
  }
}

interface MissContext {
  readonly catalog: Catalog;
  readonly keys: FreshKeys;
  readonly random: Random;
}

/** Rows of a SELECT's tables that meet its conditions, its join conditions, or none. */
export interface Tuples {
  readonly exact: readonly Tuple[];
  readonly loose: readonly Tuple[];
  /** Only searched for when there are no others. */
  readonly apart: readonly Tuple[];
}

/**
 * Copies of result rows with one value set to, just beside or far from a condition's literal, sorted to
 * where ORDER BY, MAX and MIN see them. Mutants answer differently on these rows.
 */
export function nearMisses(block: Block, witness: Witness, tuples: Tuples, context: MissContext): Change[] {
  const { random } = context;
  const own = new Set(witness.sources.map(({ source }) => source.id));
  const mentions = [...witness.conditions, ...queryExprs(block.select)]
    .flatMap(mentionsOf)
    .filter(({ column }) => own.has(column.source) && shapeOf(witness, column) !== undefined);
  const copier = new Copier(witness, context);
  // Without matching rows, some are made up, and inserted in all tables since they are in none.
  const madeUp = tuples.exact.length === 0;
  const copy = (tuple: Tuple, set: readonly Assignment[]) =>
    copier.copy(tuple, set, block, madeUp ? [...own] : []);

  const changes: Change[] = [];
  let base = tuples.exact;
  if (madeUp) {
    const set = mentions.flatMap(({ column, satisfying, path }) =>
      satisfying === undefined ? [] : [{ column, value: satisfying, path }],
    );
    const found = tuples.loose.length > 0 ? tuples.loose : tuples.apart.map((tuple) => copier.connect(tuple));
    base = random.sample(found, 2).map((tuple) => assign(tuple, set, witness));
    for (const tuple of base) changes.push(...copy(tuple, []));
  }

  const edges = uniqueMentions(mentions).flatMap(({ column, literals, path }) =>
    literals.map((value): Assignment => ({ column, value, path })),
  );
  const others = uniqueMentions(mentions).flatMap(({ column, literals, path }) => {
    const shape = shapeOf(witness, column);
    const content = shape?.content ?? null;
    const value = random.pick(base)?.get(column.source)?.[column.name] ?? null;
    const met = base.flatMap((tuple) => tuple.get(column.source)?.[column.name] ?? []);
    const loose = tuples.loose.flatMap((tuple) => tuple.get(column.source)?.[column.name] ?? []);
    const beside = new Set<Stored>(
      literals.flatMap((literal) => [true, false].map((up) => stepWithin(literal, up, content, value))),
    );
    const values = new Set<Stored>([
      ...(path === null ? beside : []),
      nudgeWithin(value, content, random),
      ...random.sample(met, 1),
      ...random.sample(loose, 2),
      ...(shape?.nullable ? [null] : []),
    ]);
    return [
      ...(path === null ? [] : [...beside].map((each): Assignment => ({ column, value: each, path }))),
      ...[...values].map((each): Assignment => ({ column, value: each, path: null })),
    ];
  });
  for (const assignment of [...random.sample(edges, MAX_COPIES / 2), ...random.sample(others, MAX_COPIES)]) {
    const tuple = random.pick(base);
    if (tuple) changes.push(...copy(tuple, [assignment]));
  }
  // A copy with new keys only, since DISTINCT is about equal rows.
  const [tuple, attempt] = [random.pick(base), random.pick(others)];
  if (tuple && attempt) {
    const value = tuple.get(attempt.column.source)?.[attempt.column.name] ?? null;
    changes.push(...copy(tuple, [{ column: attempt.column, value, path: null }]));
  }
  return changes;
}

interface Assignment {
  readonly column: Column;
  readonly value: Stored;
  /** The JSON path to set; null sets the column itself. */
  readonly path: string | null;
}

function assign(tuple: Tuple, set: readonly Assignment[], witness: Witness): Tuple {
  const changed = new Map(tuple);
  for (const assignment of set) {
    const { column } = assignment;
    const row = changed.get(column.source);
    const value = storable(assignment, row?.[column.name] ?? null, shapeOf(witness, column)?.content ?? null);
    if (value !== undefined) changed.set(column.source, { ...row, [column.name]: value });
  }
  return changed;
}

/** Undefined where the column cannot hold the value, since gold SQL that fails on it proves nothing. */
function storable({ value, path }: Assignment, like: Stored, content: Content | null): Stored | undefined {
  if (path !== null)
    return value === null
      ? undefined
      : (setInJson(fits(like, 'json') ? like : null, path, value) ?? undefined);
  if (fits(value, content)) return value;
  return content === 'json' ? undefined : (asDateLike(value, like) ?? undefined);
}

/** The value right before or after; for dates the day. */
function stepWithin(value: Stored, up: boolean, content: Content | null, like: Stored): Stored {
  if (content !== 'date' && content !== 'date_number') return step(value, up);
  return nextDay(fits(value, content) ? value : asDateLike(value, like), up);
}

function uniqueMentions<
  T extends { readonly column: Column; readonly literals: readonly Stored[]; readonly path: string | null },
>(mentions: readonly T[]): T[] {
  const merged = new Map<string, T>();
  for (const mention of mentions) {
    const key = `${mention.column.source}\0${mention.column.name}\0${mention.path ?? ''}`;
    const known = merged.get(key);
    merged.set(key, known ? { ...known, literals: [...known.literals, ...mention.literals] } : mention);
  }
  return [...merged.values()];
}

/** Copies a tuple's rows under new keys, with their joins intact. */
class Copier {
  readonly #witness: Witness;
  readonly #context: MissContext;

  constructor(witness: Witness, context: MissContext) {
    this.#witness = witness;
    this.#context = context;
  }

  /** Copies the rows with set values, those joined to their keys, and those of `also`. */
  copy(tuple: Tuple, set: readonly Assignment[], { select }: Block, also: readonly string[] = []): Change[] {
    const fresh = new Map<string, Stored>();
    const copied = new Set<string>();
    const waiting = [...set.map(({ column }) => column.source), ...also];
    for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
      if (copied.has(source)) continue;
      copied.add(source);
      waiting.push(...this.#freshenKeys(source, tuple, fresh));
    }
    const winning = contests(select).filter(
      ({ column }) => copied.has(column.source) && !set.some((a) => sameColumn(a.column, column)),
    );
    return this.#witness.sources.flatMap(({ source, shape }): Change[] => {
      const row = tuple.get(source.id);
      if (!row || !copied.has(source.id)) return [];
      const values: Record<string, Stored> = { ...row };
      for (const { column, greatest } of winning) {
        const known = columnOf(this.#context.catalog, shape.name, column.name);
        if (column.source === source.id && column.name in values && this.#context.random.chance(0.7)) {
          const content = shapeOf(this.#witness, column)?.content ?? null;
          values[column.name] = beyond(known, greatest, values[column.name] ?? null, content);
        }
      }
      for (const { name } of shape.columns) {
        const value = fresh.get(keyOf({ source: source.id, name }));
        if (value !== undefined) values[name] = value;
      }
      for (const assignment of set) {
        const { column } = assignment;
        if (column.source !== source.id || !(column.name in values)) continue;
        const content = shapeOf(this.#witness, column)?.content ?? null;
        const value = storable(assignment, values[column.name] ?? null, content);
        if (value !== undefined) values[column.name] = value;
      }
      return [{ kind: 'insert', table: shape, values }];
    });
  }

  /** Makes the columns that conditions equate equal, preferably to a key's value. */
  connect(tuple: Tuple): Tuple {
    const changed = new Map(tuple);
    for (const [{ source, name }] of this.#witness.equalities) {
      const equal = this.#equalTo({ source, name });
      const from = equal.find((member) => this.#isUnique(member)) ?? { source, name };
      const value = changed.get(from.source)?.[from.name] ?? null;
      for (const member of equal) {
        changed.set(member.source, { ...changed.get(member.source), [member.name]: value });
      }
    }
    return changed;
  }

  /** Renews the source's keys and all that equals them; returns the sources touched. */
  #freshenKeys(source: string, tuple: Tuple, fresh: Map<string, Stored>): string[] {
    const shape = this.#shape(source);
    const touched: string[] = [];
    for (const { name } of shape?.columns ?? []) {
      const value = tuple.get(source)?.[name] ?? null;
      const equal = this.#equalTo({ source, name });
      if (!shape || value === null || fresh.has(keyOf({ source, name }))) continue;
      if (!this.#isUnique({ source, name }) && !this.#fansOut(equal)) continue;
      const given = this.#context.keys.next(shape.name, name, value);
      for (const member of equal) {
        const like = tuple.get(member.source)?.[member.name];
        fresh.set(keyOf(member), typeof like === 'string' && given !== null ? String(given) : given);
        touched.push(member.source);
      }
    }
    return touched;
  }

  /** Copies that share a value joined on neither key would multiply each other's rows. */
  #fansOut(equal: readonly Cell[]): boolean {
    return equal.length > 1 && !equal.some((member) => this.#isUnique(member));
  }

  /** The columns that a condition equates with one, and itself. */
  #equalTo(column: Cell): Cell[] {
    const members = new Map([[keyOf(column), column]]);
    for (const { source, name } of members.values()) {
      for (const [a, b] of this.#witness.equalities) {
        if (a.source === source && a.name === name) members.set(keyOf(b), b);
        if (b.source === source && b.name === name) members.set(keyOf(a), a);
      }
    }
    return [...members.values()];
  }

  #isUnique({ source, name }: Cell): boolean {
    return this.#shape(source)?.columns.find((column) => column.name === name)?.unique ?? false;
  }

  #shape(source: string): TableShape | undefined {
    return this.#witness.sources.find((each) => each.source.id === source)?.shape;
  }
}

interface Cell {
  readonly source: string;
  readonly name: string;
}

function keyOf({ source, name }: Cell): string {
  return `${source}\0${name}`;
}

function sameColumn(a: Column, b: Column): boolean {
  return a.source === b.source && a.name === b.name;
}

/** A value before or after all others of the column. */
function beyond(
  column: CatalogColumn | undefined,
  greatest: boolean,
  like: Stored,
  content: Content | null,
): Stored {
  const edge = greatest ? column?.statistics.max : column?.statistics.min;
  if (content === 'json') return like;
  if (content !== null) {
    const day = typeof edge === 'number' ? BigInt(edge) : (edge ?? null);
    return typeof day === 'boolean' ? like : (nextDay(day, greatest) ?? like);
  }
  if (typeof edge === 'number') {
    const next = greatest ? Math.ceil(edge) + 1 : Math.floor(edge) - 1;
    return typeof like === 'number' || !Number.isSafeInteger(next) ? next : BigInt(next);
  }
  if (typeof edge === 'string' && typeof like === 'string') return greatest ? `${edge}~` : `!${edge}`;
  return like;
}

function columnOf(catalog: Catalog, table: string, column: string): CatalogColumn | undefined {
  return catalog.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
}

function shapeOf(witness: Witness, column: Column): ColumnShape | undefined {
  return witness.sources
    .find(({ source }) => source.id === column.source)
    ?.shape.columns.find(({ name }) => name === column.name);
}

/** The work is bounded by rows visited; this stops only a process that hangs. */
const LIMIT_MS = 1_800_000;

/** Starts up to `size` child processes, when first needed. */
export class MutantKiller {
  readonly #pool: ChildPool<KillRequest, KillReply>;

  constructor(size: number, memoryMegabytes = STATEMENT_MEGABYTES) {
    const module = new URL('./kill-mutants-child.ts', import.meta.url);
    this.#pool = new ChildPool({ module, size, memoryMegabytes, patience: PATIENCE });
  }

  /** No changes when a mutant's answer takes too much memory. */
  readonly killMutants: KillMutants = async (request) => {
    try {
      return await this.#pool.run(request, LIMIT_MS);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      rmSync(request.scratch, { force: true });
      return [];
    }
  };

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Whether SQLite or Node.js ran out of memory, or a text is longer than JavaScript allows. */
function isOutOfMemory(error: unknown): boolean {
  if (error instanceof ChildCrashedError) return error.outOfMemory;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'SQLITE_NOMEM' || code === 'ERR_STRING_TOO_LONG';
}

/** Changes to add to the last plan. */
export type KillReply = readonly Change[];

/** Finds changes by which the last of some neighbours kills more mutants. */
export type KillMutants = (request: KillRequest) => Promise<KillReply>;
