import type { Cte, Query, Select } from './nodes.ts';
import { innerQueries } from './parts.ts';

/** A SELECT somewhere in a query, and the CTEs it can read. */
export interface Block {
  readonly select: Select;
  readonly ctes: readonly Cte[];
}

/** Every SELECT in the query, outermost first. */
export function selectBlocks(query: Query, ctes: readonly Cte[] = []): readonly Block[] {
  const visible = [...ctes, ...query.with];
  const blocks = innerQueries(query).flatMap((inner) => selectBlocks(inner, visible));
  return query.kind === 'select' ? [{ select: query, ctes: visible }, ...blocks] : blocks;
}
