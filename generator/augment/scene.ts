import { QueryError } from '../../contracts/errors.ts';
import {
  exprsOf,
  holdsAggregate,
  type Query,
  queriesOf,
  type Select,
  type SourceId,
  type TableSource,
} from '../../sql/index.ts';

/** A query that can be augmented: one SELECT over tables, each mentioned once. */
export interface Scene {
  readonly select: Select;
  readonly sources: readonly TableSource[];
  /** Whose rows may be missing: those of an outer join. */
  readonly optional: ReadonlySet<SourceId>;
  /** Whether it answers with figures about all rows together. */
  readonly isFigure: boolean;
  /** Whether its rows are those of its tables. */
  readonly isList: boolean;
}

/**
 * Reads a query as a scene. Throws NOT_AUGMENTABLE with the construct that is in the way: what a condition on the rows
 * would mean for the rest of such a query could be told in more than one way.
 */
export function sceneOf(query: Query): Scene {
  if (query.kind !== 'select') throw refused(query.kind === 'values' ? 'VALUES' : 'a set operation');
  if (query.with.length > 0) throw refused('WITH');
  if (queriesOf(query).length > 1) throw refused('a subquery');
  if (exprsOf(query).some(({ kind }) => kind === 'window')) throw refused('a window function');
  const sources = query.from.flatMap(({ source }) => (source.kind === 'table' ? [source] : []));
  if (sources.length === 0) throw refused('no table');
  if (new Set(sources.map(({ table }) => table)).size < sources.length)
    throw refused('a table that is read twice');
  if (query.from.some(({ join }) => join === 'right' || join === 'full')) throw refused('RIGHT or FULL JOIN');
  const aggregates = query.columns.filter(({ expr }) => holdsAggregate(expr)).length;
  const isGrouped = query.groupBy.length > 0 || query.having !== null;
  return {
    select: query,
    sources,
    optional: new Set(query.from.flatMap(({ join, source }) => (join === 'left' ? [source.id] : []))),
    isFigure:
      !isGrouped && aggregates === query.columns.length && query.orderBy.length === 0 && query.limit === null,
    isList: !isGrouped && aggregates === 0,
  };
}

function refused(construct: string): QueryError {
  return new QueryError('NOT_AUGMENTABLE', `the query has ${construct}`, construct);
}
