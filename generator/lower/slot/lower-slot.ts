import type { Catalog } from '../../../contracts/catalog.ts';
import type { Query, Select } from '../../sql/index.ts';
import type { LowerContext } from './context.ts';
import { isAggregated, limitOf, lowerRows, registerCtes } from './lower-rows.ts';
import { keepDistinct, lowerTable, retrieve, wholeTableValues } from './lower-subquery.ts';
import { Sequence, type SlotSequence } from './sequence.ts';

/**
 * A query as a sequence of SLOT calls. Throws QueryError UNSUPPORTED_CONSTRUCT, with the construct as its
 * clause, for what the tools have no place for.
 */
export function lowerSlot(query: Query, catalog: Catalog): SlotSequence {
  const context: LowerContext = { sequence: new Sequence(catalog), ctes: new Map() };
  return context.sequence.finish(lowerOutputs(query, context));
}

/** The labels of the result columns, in order. */
function lowerOutputs(query: Query, context: LowerContext): string[] {
  registerCtes(query, context);
  if (query.kind === 'select') return lowerSelect(query, context);
  const { limit, offset } = query.kind === 'set_operation' ? limitOf(query) : limitOf({ limit: null });
  const bare = query.kind === 'set_operation' ? { ...query, limit: null } : query;
  const { label, keys } = lowerTable(bare, context);
  const isColumn = bare.kind === 'set_operation' && keys.length === 1 && bare.orderBy.length === 0;
  if (isColumn && limit < 0) return [label];
  return keys.map((key) => retrieve(label, key, { distinct: false, limit, offset }, context));
}

function lowerSelect(select: Select, context: LowerContext): string[] {
  const values = wholeTableValues(select, context);
  if (values) return values;
  const { frame, keys, ...rows } = lowerRows(select, context, true);
  const distinct = rows.distinct && !isDistinctAnyway(select);
  // One column is made distinct as it is read; several need a table of their own.
  if (distinct && keys.length > 1) keepDistinct(frame, keys, context);
  const cut = { distinct: distinct && keys.length === 1, ...limitOf(select) };
  return keys.map((key) => retrieve(frame.label, key, cut, context));
}

/** Groups differ in their keys: when all keys are shown, so do the rows. */
function isDistinctAnyway(select: Select): boolean {
  if (!isAggregated(select) || select.columns.length === 1) return false;
  const shown = new Set(select.columns.map(({ expr }) => JSON.stringify(expr, bigintAsText)));
  return select.groupBy.every((expr) => shown.has(JSON.stringify(expr, bigintAsText)));
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
