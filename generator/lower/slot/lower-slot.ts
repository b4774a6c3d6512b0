import type { Catalog } from '../../../contracts/catalog.ts';
import type { Query, Select } from '../../../sql/index.ts';
import { filterRows } from './conditions/filter-rows.ts';
import { evaluate } from './expressions/evaluate.ts';
import { limitOf, lowerRows, registerCtes } from './rows/lower-rows.ts';
import type { LowerContext } from './sequence/context.ts';
import { Sequence, type SlotSequence } from './sequence/sequence.ts';
import { lowerTable, retrieve, wholeTableValues } from './subqueries/lower-subquery.ts';

/**
 * A query as a sequence of SLOT calls. Throws QueryError UNSUPPORTED_CONSTRUCT, with the construct as its clause, for
 * constructs that the tools cannot express.
 */
export function lowerSlot(query: Query, catalog: Catalog): SlotSequence {
  const context = newContext(catalog);
  return context.sequence.finish(lowerOutputs(query, context));
}

function newContext(catalog: Catalog): LowerContext {
  const context: LowerContext = {
    sequence: new Sequence(catalog),
    ctes: new Map(),
    scalars: new Map(),
    evaluate: (expr, frame) => evaluate(expr, frame, context),
    filter: (condition, frame) => filterRows(condition, frame, context),
    table: (query, ordered) => lowerTable(query, context, ordered),
  };
  return context;
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
  const { frame, keys, distinct } = lowerRows(select, context, { ordered: true, distinct: 'values' });
  const cut = { distinct, ...limitOf(select) };
  return keys.map((key) => retrieve(frame.label, key, cut, context));
}
