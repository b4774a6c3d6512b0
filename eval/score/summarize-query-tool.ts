import { QUERY_COMPONENTS } from '../../contracts/query-components.ts';
import type { QueryScore } from '../../contracts/query-score.ts';
import type { QueryGroup, Report, SampleScore } from '../../contracts/report.ts';
import { computeFigures, meanOf, type Resampling, type SampleTest } from './figures.ts';

type Scored = SampleScore & { readonly query: QueryScore };

/** The figures of the `query` tool; null where no task of it was answered by calls that are known. */
export function summarizeQueryTool(
  samples: readonly SampleScore[],
  resampling: Resampling,
): Report['metrics']['query'] {
  const scored = samples.filter((sample): sample is Scored => sample.query !== null);
  if (scored.length === 0) return null;
  const { shares } = computeFigures(scored, SHARES, {}, resampling);
  const domains = [...new Set(scored.map(({ db }) => db))].sort();
  const groups = <Key extends string>(keys: readonly Key[], has: (sample: Scored, key: Key) => boolean) =>
    keys.flatMap((key) =>
      groupOf(
        key,
        scored.filter((sample) => has(sample, key)),
      ),
    );
  return {
    ...shares,
    ast: meanOf(scored, ({ query }) => query?.ast ?? null),
    ast_legacy: meanOf(scored, ({ query }) => query?.ast_legacy ?? null),
    by_component: groups(QUERY_COMPONENTS, ({ query }, key) => query.components.includes(key)),
    by_complexity: groups(['simple', 'moderate', 'complex'], ({ query }, key) => query.complexity === key),
    by_use_case: groups(domains, ({ db }, key) => db === key),
  };
}

function groupOf(key: string, samples: readonly Scored[]): QueryGroup[] {
  const count = (of: (sample: Scored) => boolean) => samples.filter(of).length;
  if (samples.length === 0) return [];
  return [
    {
      key,
      n: samples.length,
      passed: count(({ outcome }) => outcome === 'pass'),
      exact: count(({ query }) => query.exact),
      exact_strict: count(({ query }) => query.exact_strict),
      exact_legacy: count(({ query }) => query.exact_legacy),
      ast: meanOf(samples, ({ query }) => query?.ast ?? null).value,
      ast_legacy: meanOf(samples, ({ query }) => query?.ast_legacy ?? null).value,
      routed: count(({ query }) => query.routed),
    },
  ];
}

const SHARES = {
  completion: ({ outcome }) => outcome === 'pass',
  exact: ({ query }) => query?.exact ?? null,
  exact_strict: ({ query }) => query?.exact_strict ?? null,
  exact_legacy: ({ query }) => query?.exact_legacy ?? null,
  routing: ({ query }) => query?.routed ?? null,
  tool_selection: ({ query }) => query && query.call !== 'none',
  invalid_calls: ({ query }) => query && query.call === 'invalid',
} satisfies Record<string, SampleTest>;
