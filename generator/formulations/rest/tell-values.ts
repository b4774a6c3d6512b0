import type { Endpoint, EndpointParameter } from '../../../contracts/service.ts';
import type { RestCandidate } from '../../lower/candidate.ts';
import { asSendable, type ColumnValues, type SendableValue } from '../../verify/rest/column-values.ts';

type Column = NonNullable<EndpointParameter['column']>;

/** With fewer values than these that no question uses, an example would tell which ones are used. */
const LEAST_OTHERS = 10;
const MOST_CHARACTERS = 40;

/**
 * The endpoints with what is known of the values of their parameters: the column that each is compared with, and a value
 * of it that no gold call of the domain uses.
 */
export function tellValues(
  endpoints: readonly Endpoint[],
  candidates: readonly RestCandidate[],
  values: ColumnValues,
): Endpoint[] {
  const columns = new Map<string, Column>();
  const used = new Map<string, Set<string>>();
  for (const { endpoint, bindings, output } of candidates) {
    for (const { parameter, column } of bindings) {
      if (!column) continue;
      columns.set(JSON.stringify([endpoint, parameter]), column);
      const given = used.get(keyOf(column)) ?? new Set();
      for (const { arguments: args } of output) {
        for (const value of [args[parameter]].flat()) given.add(String(value).toLowerCase());
      }
      used.set(keyOf(column), given);
    }
  }
  return endpoints.map((endpoint) => ({
    ...endpoint,
    parameters: endpoint.parameters.map((parameter) => {
      const column = columns.get(JSON.stringify([endpoint.name, parameter.name]));
      if (!column) return parameter;
      const example = exampleOf(column, parameter, used.get(keyOf(column)) ?? new Set(), values);
      return { ...parameter, column, ...(example === undefined ? {} : { example }) };
    }),
  }));
}

function exampleOf(
  { table, column }: Column,
  { type }: EndpointParameter,
  used: ReadonlySet<string>,
  values: ColumnValues,
): SendableValue | undefined {
  const others = new Set<SendableValue>();
  for (const row of values.rowsOf(table)) {
    const value = asSendable(row[column], type);
    if (value === undefined || value === '' || String(value).length > MOST_CHARACTERS) continue;
    if (!used.has(String(value).toLowerCase())) others.add(value);
  }
  const sorted = [...others].sort((a, b) => (String(a) < String(b) ? -1 : 1));
  // From the middle: the first and the last are what questions of extremes are answered with.
  return sorted.length < LEAST_OTHERS ? undefined : sorted[Math.floor(sorted.length / 2)];
}

function keyOf({ table, column }: Column): string {
  return JSON.stringify([table, column]);
}
