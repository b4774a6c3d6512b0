import { PROPERTY_TYPES, type PropertyType, type QueryArguments } from '../../../contracts/query-tool.ts';

/** Which operators a call of the `query` tool has: at most one filter and one aggregation. */
export interface Combination {
  /** Search, filter, aggregation and group, a letter each: `1ti0` searches, filters by a text, aggregates a number. */
  readonly code: string;
  readonly search: boolean;
  /** The type of the property that is filtered by. */
  readonly filter: PropertyType | null;
  /** The type of the property that is aggregated. */
  readonly aggregation: PropertyType | null;
  readonly group: boolean;
}

const TYPES = [...PROPERTY_TYPES, null] as const;

/**
 * The 63 combinations of operators, without the one that has none, in the order of the paper's data: with search first;
 * numbers, texts, booleans, none; with a group first.
 */
export const COMBINATIONS: readonly Combination[] = [true, false]
  .flatMap((search) =>
    TYPES.flatMap((filter) =>
      TYPES.flatMap((aggregation) =>
        [true, false].map((group) => combination(search, filter, aggregation, group)),
      ),
    ),
  )
  .filter((each) => operatorsIn(each) > 0);

/** The combination that a call has. Of several filters or aggregations, the first counts. */
export function combinationOf(args: QueryArguments): Combination {
  const typeOf = (what: 'filter' | 'aggregation') =>
    PROPERTY_TYPES.find((type) => args[`${type}_property_${what}`] !== undefined) ?? null;
  return combination(
    args.search_query !== undefined,
    typeOf('filter'),
    typeOf('aggregation'),
    args.groupby_property !== undefined,
  );
}

/** One operator is simple, two are moderate, more are complex. */
export function complexityOf(each: Combination): 'simple' | 'moderate' | 'complex' {
  const operators = operatorsIn(each);
  if (operators <= 1) return 'simple';
  return operators === 2 ? 'moderate' : 'complex';
}

function operatorsIn({ search, filter, aggregation, group }: Combination): number {
  return Number(search) + Number(filter !== null) + Number(aggregation !== null) + Number(group);
}

function combination(
  search: boolean,
  filter: PropertyType | null,
  aggregation: PropertyType | null,
  group: boolean,
): Combination {
  const letter = (type: PropertyType | null) => type?.charAt(0) ?? '-';
  const code = `${Number(search)}${letter(filter)}${letter(aggregation)}${Number(group)}`;
  return { code, search, filter, aggregation, group };
}
