import { aggregate, count, countDistinct, difference, percentage } from './aggregates.ts';
import {
  aggregatePerGroup,
  bands,
  countPerGroup,
  countWithNone,
  meanPerParent,
  perYear,
  topGroup,
} from './groups.ts';
import type { Kind } from './kind.ts';
import { beyondAverage, beyondOwnAverage, distinct, ranked, rows, top } from './rows.ts';
import { among, combined, exists, without } from './sets.ts';

/** Every kind of question, by name. To add one, write it beside the others and give it weights in `styles.ts`. */
export const KINDS = {
  rows,
  top,
  distinct,
  count,
  count_distinct: countDistinct,
  aggregate,
  percentage,
  difference,
  count_per_group: countPerGroup,
  aggregate_per_group: aggregatePerGroup,
  top_group: topGroup,
  per_year: perYear,
  bands,
  mean_per_parent: meanPerParent,
  count_with_none: countWithNone,
  beyond_average: beyondAverage,
  beyond_own_average: beyondOwnAverage,
  ranked,
  exists,
  without,
  among,
  combined,
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as KindName[];
