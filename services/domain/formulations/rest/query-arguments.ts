import { LosslessNumber } from 'lossless-json';
import type { Endpoint, EndpointParameter } from '../../../../contracts/service.ts';

/** The arguments of a call from a query string, with the types that the parameters have where the text allows it. */
export function queryArguments(
  endpoint: Pick<Endpoint, 'parameters'>,
  query: URLSearchParams,
): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const parameter = endpoint.parameters.find((each) => each.name === name);
    const values = query.getAll(name).map((text) => typedValue(text, parameter));
    args[name] = parameter?.array || values.length > 1 ? values : values[0];
  }
  return args;
}

function typedValue(text: string, parameter: EndpointParameter | undefined): unknown {
  if (parameter === undefined || parameter.type === 'string') return text;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return text;
  return String(Number(text)) === text ? Number(text) : new LosslessNumber(text);
}
