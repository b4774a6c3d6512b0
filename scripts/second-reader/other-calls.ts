import type { EndpointParameter } from '../../contracts/service.ts';
import type { Random } from '../../generator/variants/random.ts';
import type { ColumnValues } from '../../generator/verify/rest/column-values.ts';
import type { DealtEndpoint } from './dealt-endpoint.ts';

type Call = Readonly<Record<string, unknown>>;

/** A call of an endpoint with other values, one parameter at a time: numbers nearby, texts out of a column that holds the given one. */
export function otherCalls(
  { endpoint, service, calls }: DealtEndpoint,
  values: ColumnValues,
  random: Random,
): Call[] {
  const [given] = calls;
  if (given === undefined) return [];
  return endpoint.parameters.map((parameter) => {
    const own = [given[parameter.name]].flat();
    const changed = own.map((value) => another(value, parameter));
    return { ...given, [parameter.name]: parameter.array ? changed : changed[0] };
  });

  function another(value: unknown, { type }: EndpointParameter): unknown {
    if (type !== 'string') return Number(value) + (random.chance(0.5) ? 1 : -1);
    const texts = service.catalog.tables.flatMap(({ name, columns }) => {
      const rows = values.rowsOf(name);
      const held = columns.filter((column) => rows.some((row) => row[column.name] === value));
      return held.flatMap((column) =>
        rows.map((row) => row[column.name]).filter((text) => typeof text === 'string'),
      );
    });
    return random.pick(texts.filter((text) => text !== value)) ?? value;
  }
}
