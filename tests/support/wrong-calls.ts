import type { Call, Sample } from '../../contracts/sample.ts';

/**
 * The gold calls of a SLOT sample without one of its filters that others follow, one list for each such filter: what an
 * agent does that overlooks a condition. What referred to the filter refers to what it was applied to.
 */
export function withoutOneFilter({ output }: Sample): Call[][] {
  const filters = output.filter(({ name }) => name === 'filter_data');
  return filters.slice(0, -1).map((dropped) => {
    const from = `$${dropped.label}$`;
    const to = dropped.arguments.data_source;
    return output
      .filter((call) => call !== dropped)
      .map((call) => ({ ...call, arguments: replaced(call.arguments, from, to) as Call['arguments'] }));
  });
}

function replaced(value: unknown, from: string, to: unknown): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((each) => replaced(each, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, from, to)]));
}

/** The gold calls of a SLOT sample with one comparison that takes the bound in, or leaves it out, against the question. */
export function withOtherBound({ output }: Sample): Call[][] {
  return output.flatMap((slip, at) => {
    const { condition } = slip.arguments;
    const other = typeof condition === 'string' ? OTHER_BOUND[condition] : undefined;
    if (other === undefined) return [];
    const calls = output.map((call, i) =>
      i === at ? { ...call, arguments: { ...call.arguments, condition: other } } : call,
    );
    return [calls];
  });
}

const OTHER_BOUND: Readonly<Record<string, string>> = {
  greater_than: 'greater_than_equal_to',
  greater_than_equal_to: 'greater_than',
  less_than: 'less_than_equal_to',
  less_than_equal_to: 'less_than',
};
