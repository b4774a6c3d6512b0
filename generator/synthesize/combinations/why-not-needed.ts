import { QueryError } from '../../../contracts/errors.ts';
import type { QueryArguments } from '../../../contracts/query-tool.ts';
import { sameRows } from '../../../contracts/same-rows.ts';
import type { Row } from '../../../contracts/value.ts';
import type { Collection } from '../../../services/domain/query-tool/collections.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import type { DrawnCall } from './draw-arguments.ts';
import { toolSql } from './tool-sql.ts';

/** Nobody checks a longer answer. */
const MAX_ROWS = 100;

interface Place {
  readonly collection: Collection;
  readonly oracle: Oracle;
  readonly file: string;
}

const OPERATORS = [
  ['search_query', 'search'],
  ['integer_property_filter', 'filter'],
  ['text_property_filter', 'filter'],
  ['boolean_property_filter', 'filter'],
  ['integer_property_aggregation', 'aggregation'],
  ['text_property_aggregation', 'aggregation'],
  ['boolean_property_aggregation', 'aggregation'],
  ['groupby_property', 'group'],
] as const;

/**
 * Why a call makes no good question, or null when it does: its answer is neither empty nor trivial, no tie decides it, and
 * it is another one without any one of the operators.
 */
export async function whyNotNeeded({ args, search }: DrawnCall, place: Place): Promise<string | null> {
  const rows = await run(toolSql(args, place.collection, { search }), place);
  if (rows === null) return 'does not run';
  const trivial = whyTrivial(rows, args);
  if (trivial !== null) return trivial;
  const otherTies = await run(toolSql(args, place.collection, { search, ties: 'DESC' }), place);
  if (
    otherTies === null ||
    !sameRows(
      rows,
      otherTies,
      rows.map((_, i) => i),
    )
  )
    return 'a tie decides its answer';
  for (const [name, operator] of OPERATORS) {
    if (args[name] === undefined) continue;
    const { [name]: _, ...without } = args;
    const left = name === 'search_query' ? null : search;
    const others = await run(toolSql(without as QueryArguments, place.collection, { search: left }), place);
    if (others !== null && sameRows(rows, others, null)) return `the ${operator} changes nothing`;
  }
  return null;
}

async function run(sql: string, { oracle, file }: Place): Promise<readonly Row[] | null> {
  try {
    return (await oracle.run(file, sql)).rows;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

function whyTrivial(rows: readonly Row[], args: QueryArguments): string | null {
  const group = args.groupby_property;
  if (rows.length === 0) return 'finds nothing';
  const { metrics } = args.boolean_property_aggregation ?? {};
  if (metrics?.startsWith('PERCENTAGE') && rows.every((row) => row.at(-1) === 0 || row.at(-1) === 1)) {
    return 'finds all or nothing';
  }
  if (rows.length > MAX_ROWS) return 'finds too much';
  if (group !== undefined && new Set(rows.map(([key]) => String(key))).size < 2)
    return 'finds one group only';
  const values = group === undefined ? rows : rows.map((row) => row.slice(1));
  const cells = values.flat();
  if (cells.every((cell) => cell === null)) return 'finds only NULL';
  if (cells.every((cell) => cell !== null && Number(cell) === 0)) return 'finds only zeros';
  if (group !== undefined && cells.every((cell) => Number(cell) === 1)) return 'has groups of one item each';
  return null;
}
