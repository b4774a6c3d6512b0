import type { StartTableDefinition } from '../../../../contracts/start-table.ts';
import { startColumns } from '../../../../services/domain/tools/plan/start-columns.ts';
import {
  type Column,
  conjuncts,
  type Expr,
  type FromItem,
  type SourceId,
  type TableSource,
} from '../../../../sql/index.ts';
import type { LowerContext } from '../sequence/context.ts';
import { Frame } from '../sequence/frame.ts';

/** Conditions that joins may apply; the rest become filters. */
export interface JoinClauses {
  /** Of inner joins. */
  readonly on: readonly Expr[];
  readonly where: readonly Expr[];
  /** Those that a join applies. */
  readonly used: Set<Expr>;
}

/** Base tables, joined where plain equalities join them, as one start table. */
export function startFrame(items: readonly FromItem[], clauses: JoinClauses, context: LowerContext): Frame {
  const tables: { source: TableSource; alias: string; name: string }[] = [];
  const conditions: StartTableDefinition['condition_sequence'] = [];
  const earlier = new Set<SourceId>();
  for (const { join, source, on } of items) {
    if (source.kind !== 'table') throw new Error('only base tables make a start table');
    tables.push({
      source,
      alias: unused(
        source.alias.replaceAll('.', '_'),
        tables.map((table) => table.alias),
      ),
      name: unused(
        source.table,
        tables.map((table) => table.name),
      ),
    });
    const path = (column: Column) =>
      `${tables.find((table) => table.source.id === column.source)?.alias}.${column.name}`;
    const outer = join === 'left' || join === 'right' || join === 'full';
    for (const expr of outer ? conjuncts(on) : [...clauses.on, ...clauses.where]) {
      const pair = clauses.used.has(expr) ? null : joinPair(expr, source.id, earlier);
      if (!pair) continue;
      clauses.used.add(expr);
      conditions.push([path(pair.earlier), path(pair.later), outer ? JOIN_TYPES[join] : 'INNER']);
    }
    earlier.add(source.id);
  }
  const definition: StartTableDefinition = {
    condition_sequence: conditions,
    alias_to_table_dict: Object.fromEntries(
      tables.map(({ source, alias, name }) => [
        alias,
        { original_table_name: source.table, modified_table_name: name },
      ]),
    ),
  };
  const frame = new Frame(context.sequence.start(definition));
  const idOf = new Map(tables.map(({ source, alias }) => [alias, source.id]));
  for (const { alias, origin, key } of startColumns(definition, context.sequence.catalog)) {
    frame.holdColumn(idOf.get(alias) as SourceId, origin.column, key);
    if (isRowId(origin, context)) frame.holdColumn(idOf.get(alias) as SourceId, 'rowid', key);
  }
  return frame;
}

/** An INTEGER PRIMARY KEY is an alias of the row id. */
function isRowId(origin: { table: string; column: string }, context: LowerContext): boolean {
  const table = context.sequence.catalog.tables.find(({ name }) => name === origin.table);
  const keys = table?.columns.filter(({ primary_key }) => primary_key > 0) ?? [];
  const [key] = keys;
  return (
    keys.length === 1 &&
    key?.name === origin.column &&
    key.declared_type.toUpperCase() === 'INTEGER' &&
    table?.has_rowid === true
  );
}

/** `earlier.column = later.column`, whichever way it is written. */
interface Pair {
  readonly earlier: Column;
  readonly later: Column;
}

/** The columns that an equality joins a source to earlier ones by, or null. */
export function joinPair(expr: Expr, id: SourceId, earlier: ReadonlySet<SourceId>): Pair | null {
  if (expr.kind !== 'compare' || expr.op !== '=') return null;
  const { left, right } = expr;
  if (left.kind !== 'column' || right.kind !== 'column') return null;
  if (left.name === 'rowid' || right.name === 'rowid') return null;
  if (right.source === id && earlier.has(left.source)) return { earlier: left, later: right };
  if (left.source === id && earlier.has(right.source)) return { earlier: right, later: left };
  return null;
}

const JOIN_TYPES = { left: 'LEFT', right: 'RIGHT', full: 'FULL' } as const;

function unused(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map((other) => other.toLowerCase()));
  let result = name;
  for (let n = 2; known.has(result.toLowerCase()); n++) result = `${name}_${n}`;
  return result;
}
