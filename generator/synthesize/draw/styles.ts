import { KIND_NAMES, type KindName } from './kinds/index.ts';

/** How often each kind of question is drawn, and how many joins it has. */
export interface Style {
  readonly weights: Readonly<Record<KindName, number>>;
  /** Weights of no join, one and two. */
  readonly joins: readonly [number, number, number];
}

/** The mixes that a split can be drawn in: roughly those of the two best known collections, or all kinds alike. */
export const STYLES = {
  bird: {
    weights: {
      rows: 16,
      top: 14,
      distinct: 3,
      count: 14,
      count_distinct: 3,
      aggregate: 9,
      percentage: 9,
      difference: 4,
      count_per_group: 3,
      aggregate_per_group: 3,
      top_group: 7,
      per_year: 2,
      bands: 1,
      mean_per_parent: 2,
      count_with_none: 1,
      beyond_average: 4,
      beyond_own_average: 1,
      ranked: 1,
      exists: 1,
      without: 1,
      among: 1,
      combined: 1,
    },
    joins: [3, 5, 3],
  },
  spider: {
    weights: {
      rows: 18,
      top: 10,
      distinct: 4,
      count: 12,
      count_distinct: 4,
      aggregate: 10,
      percentage: 0,
      difference: 0,
      count_per_group: 12,
      aggregate_per_group: 6,
      top_group: 10,
      per_year: 0,
      bands: 0,
      mean_per_parent: 0,
      count_with_none: 0,
      beyond_average: 3,
      beyond_own_average: 0,
      ranked: 0,
      exists: 0,
      without: 2,
      among: 4,
      combined: 7,
    },
    joins: [6, 4, 1],
  },
  coverage: {
    weights: Object.fromEntries(KIND_NAMES.map((name) => [name, 1])) as Record<KindName, number>,
    joins: [2, 2, 1],
  },
} as const satisfies Readonly<Record<string, Style>>;

export type StyleName = keyof typeof STYLES;

export const STYLE_NAMES = Object.keys(STYLES) as StyleName[];
