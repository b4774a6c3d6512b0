import type { StartTableDefinition } from '../../../contracts/start-table.ts';
import { startColumns } from '../../../services/tools/plan/start-columns.ts';
import type { Column, Expr, FromItem, Select, Source, SourceId, TableSource } from '../../sql/index.ts';
import { visitExpr } from '../../sql/index.ts';
import type { LowerContext } from './context.ts';
import { evaluateAsColumn } from './evaluate.ts';
import { filterRows } from './filter-rows.ts';
import { Frame } from './frame.ts';
import { lowerTable } from './lower-subquery.ts';
import { unsupported } from './unsupported.ts';

/** The rows of FROM, and the conditions of WHERE and of inner joins that are still to be applied. */
export interface LoweredFrom {
  readonly frame: Frame;
  readonly conditions: readonly Expr[];
}

/**
 * FROM as a start table of all base tables that can be joined on equal columns, to which derived tables (and
 * what cannot be so joined) are joined by calls.
 */
export function lowerFrom(select: Select, context: LowerContext): LoweredFrom {
  const where = conjuncts(select.where);
  const onlyInner = select.from.every(({ join }) => join === 'from' || join === 'inner' || join === 'cross');
  const items = onlyInner ? tablesFirst(select.from) : [...select.from];
  const pool = items.flatMap(({ join, on }) => (join === 'inner' || join === 'cross' ? conjuncts(on) : []));
  const liftable = items.some(({ join, on }) => (join === 'inner' || join === 'cross') && on === null);

  const used = new Set<Expr>();
  const builder = new StartTableBuilder(used);
  let at = 0;
  for (; at < items.length; at++) {
    const item = items[at] as FromItem;
    if (
      item.source.kind !== 'table' ||
      !builder.add(item as FromItem & { source: TableSource }, pool, where, liftable)
    )
      break;
  }
  const frame = builder.isEmpty
    ? sourceFrame((items[at++] as FromItem).source, context)
    : builder.frame(context);
  for (const item of items.slice(at)) joinSource(item, frame, pool, used, context);
  return {
    frame,
    conditions: [...pool.filter((expr) => !used.has(expr)), ...where.filter((expr) => !used.has(expr))],
  };
}

/** The items of an AND, or the expression itself. */
export function conjuncts(expr: Expr | null): readonly Expr[] {
  if (expr === null) return [];
  return expr.kind === 'and' ? expr.items : [expr];
}

/** Base tables before derived ones: inner joins do not mind their order. */
function tablesFirst(items: readonly FromItem[]): FromItem[] {
  const tables = items.filter(({ source }) => source.kind === 'table');
  const others = items.filter(({ source }) => source.kind !== 'table');
  return [...tables, ...others].map((item, i) => {
    if (i === 0) return { ...item, join: 'from' };
    return item.join === 'from' ? { ...item, join: 'inner', on: null } : item;
  });
}

/** Collects base tables into one start table for as long as plain equalities join them. */
class StartTableBuilder {
  readonly #used: Set<Expr>;
  readonly #tables: { source: TableSource; alias: string; name: string }[] = [];
  readonly #conditions: StartTableDefinition['condition_sequence'] = [];

  /** `used` gets the conditions that the start table applies. */
  constructor(used: Set<Expr>) {
    this.#used = used;
  }

  get isEmpty(): boolean {
    return this.#tables.length === 0;
  }

  /** False when the table's join is more than equal columns: then it is not added. */
  add(
    item: FromItem & { source: TableSource },
    pool: readonly Expr[],
    where: readonly Expr[],
    lift: boolean,
  ): boolean {
    const { source } = item;
    if (this.isEmpty) {
      this.#push(source);
      return true;
    }
    const pair = (expr: Expr) => this.#joinPair(expr, source.id);
    if (item.join === 'inner' || item.join === 'cross' || item.join === 'from') {
      const pairs = [...pool, ...(lift ? where : [])].filter((expr) => !this.#used.has(expr) && pair(expr));
      const found = pairs.map((expr) => pair(expr) as Pair);
      this.#push(source);
      for (const expr of pairs) this.#used.add(expr);
      for (const each of found) this.#join(each, 'INNER');
      return true;
    }
    const found = conjuncts(item.on).map(pair);
    if (found.length === 0 || !found.every((each) => each !== null)) return false;
    this.#push(source);
    for (const each of found) this.#join(each as Pair, JOIN_TYPES[item.join]);
    return true;
  }

  frame(context: LowerContext): Frame {
    const definition: StartTableDefinition = {
      condition_sequence: this.#conditions,
      alias_to_table_dict: Object.fromEntries(
        this.#tables.map(({ source, alias, name }) => [
          alias,
          { original_table_name: source.table, modified_table_name: name },
        ]),
      ),
    };
    const frame = new Frame(context.sequence.start(definition));
    const idOf = new Map(this.#tables.map(({ source, alias }) => [alias, source.id]));
    for (const { alias, origin, key } of startColumns(definition, context.sequence.catalog)) {
      frame.holdColumn(idOf.get(alias) as SourceId, origin.column, key);
    }
    return frame;
  }

  #push(source: TableSource): void {
    const alias = unused(
      source.alias.replaceAll('.', '_'),
      this.#tables.map((table) => table.alias),
    );
    const name = unused(
      source.table,
      this.#tables.map((table) => table.name),
    );
    this.#tables.push({ source, alias, name });
  }

  #join({ earlier, later }: Pair, type: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL'): void {
    const path = (column: Column) =>
      `${this.#tables.find(({ source }) => source.id === column.source)?.alias}.${column.name}`;
    this.#conditions.push([path(earlier), path(later), type]);
  }

  #joinPair(expr: Expr, id: SourceId): Pair | null {
    if (expr.kind !== 'compare' || expr.op !== '=') return null;
    const { left, right } = expr;
    if (left.kind !== 'column' || right.kind !== 'column') return null;
    if (left.name === 'rowid' || right.name === 'rowid') return null;
    const known = (column: Column) => this.#tables.some(({ source }) => source.id === column.source);
    if (right.source === id && known(left)) return { earlier: left, later: right };
    if (left.source === id && known(right)) return { earlier: right, later: left };
    return null;
  }
}

interface Pair {
  readonly earlier: Column;
  readonly later: Column;
}

const JOIN_TYPES = { left: 'LEFT', right: 'RIGHT', full: 'FULL' } as const;

function unused(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map((other) => other.toLowerCase()));
  let result = name;
  for (let n = 2; known.has(result.toLowerCase()); n++) result = `${name}_${n}`;
  return result;
}

/** One source by itself. */
function sourceFrame(source: Source, context: LowerContext): Frame {
  if (source.kind === 'table') {
    const builder = new StartTableBuilder(new Set());
    builder.add({ join: 'from', source, on: null }, [], [], false);
    return builder.frame(context);
  }
  const { table, names } =
    source.kind === 'cte' ? cteTable(source.name, context) : derivedTable(source.query, context);
  const frame = new Frame(table.label);
  table.keys.forEach((key, i) => {
    frame.holdColumn(source.id, names[i] as string, key);
  });
  return frame;
}

function derivedTable(query: Extract<Source, { kind: 'derived' }>['query'], context: LowerContext) {
  return { table: lowerTable(query, context), names: outputNames(query) };
}

function cteTable(name: string, context: LowerContext) {
  const entry = context.ctes.get(name);
  if (!entry || entry.cte.recursive) throw unsupported('recursive CTE', 'no tool repeats itself');
  entry.table ??= lowerTable(entry.cte.query, context);
  return { table: entry.table, names: entry.cte.columns };
}

function outputNames(query: Extract<Source, { kind: 'derived' }>['query']): readonly string[] {
  switch (query.kind) {
    case 'select':
      return query.columns.map(({ name }) => name);
    case 'set_operation':
      return outputNames(query.left);
    case 'values':
      return (query.rows[0] ?? []).map((_, i) => `column${i + 1}`);
  }
}

/** Joins one more source to the frame by a call. */
function joinSource(
  item: FromItem,
  frame: Frame,
  pool: readonly Expr[],
  used: Set<Expr>,
  context: LowerContext,
): void {
  if (item.join === 'right' || item.join === 'full') {
    throw unsupported(`${item.join} join`, `a ${item.join} join of more than base tables on equal columns`);
  }
  const other = sourceFrame(item.source, context);
  const outer = item.join === 'left';
  const conditions = outer ? conjuncts(item.on) : pool;
  const keys: string[] = [];
  const otherKeys: string[] = [];
  for (const expr of conditions) {
    if (used.has(expr)) continue;
    const sides = equalSides(expr, frame, other);
    if (sides) {
      keys.push(evaluateAsColumn(sides.here, frame, context));
      otherKeys.push(evaluateAsColumn(sides.there, other, context));
      used.add(expr);
    } else if (outer) {
      // What a left join asks of its right side alone can be asked of it before.
      if (!reads(expr, other)) throw unsupported('left join', 'a LEFT JOIN on more than equalities');
      filterRows(expr, other, context);
    }
  }
  joinFrames(frame, other, keys, otherKeys, outer ? 'left' : 'inner', context);
}

/** Joins two frames; the first becomes the result. */
export function joinFrames(
  frame: Frame,
  other: Frame,
  keys: readonly string[],
  otherKeys: readonly string[],
  type: 'inner' | 'left',
  context: LowerContext,
): void {
  const { sequence } = context;
  const own = sequence.plan(frame.label).columns.length;
  const theirs = sequence.plan(other.label).columns.map(({ key }) => key);
  frame.label = sequence.call('join_data', {
    data_source: `$${frame.label}$`,
    other_data_source: `$${other.label}$`,
    key_name: oneOrMore(keys),
    other_key_name: oneOrMore(otherKeys),
    join_type: type,
  });
  const made = sequence.plan(frame.label).columns.slice(own);
  frame.adopt(other, (key) => made[theirs.indexOf(key)]?.key as string);
  frame.mode = 'whole';
}

/** One name as such, several as a list. */
export function oneOrMore(keys: readonly string[]): string | readonly string[] {
  return keys.length === 1 ? (keys[0] as string) : keys;
}

/** The two sides of `=`, one of each frame. */
export function equalSides(expr: Expr, here: Frame, there: Frame): { here: Expr; there: Expr } | null {
  if (expr.kind !== 'compare' || expr.op !== '=') return null;
  if (reads(expr.left, here) && reads(expr.right, there)) return { here: expr.left, there: expr.right };
  if (reads(expr.right, here) && reads(expr.left, there)) return { here: expr.right, there: expr.left };
  return null;
}

/** Whether an expression reads columns of a frame and of nothing else. */
export function reads(expr: Expr, frame: Frame): boolean {
  let some = false;
  let all = true;
  visitExpr(expr, {
    expr: (inner) => {
      if (inner.kind === 'in_query' || inner.kind === 'exists' || inner.kind === 'scalar_query') all = false;
      if (inner.kind !== 'column') return;
      if (frame.sources.has(inner.source)) some = true;
      else all = false;
    },
  });
  return some && all;
}
