import type { ServedEndpoint } from '../../client/index.ts';

/** Names of arguments in the console's own addresses: what an endpoint calls its parameters never collides with others. */
export type GivenArguments = Pick<URLSearchParams, 'getAll'>;

/** Where an endpoint is called with these arguments; a path, with placeholders for those that are missing. */
export function pathOfCall({ path, parameters }: ServedEndpoint, given: GivenArguments): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place } of parameters) {
    const values = given.getAll(name);
    if (place === 'path') {
      const [value] = values;
      if (value !== undefined) filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    } else for (const value of values) query.append(name, value);
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** The arguments as a tool takes them: numbers as numbers, lists as lists. Digits beyond 2^53 stay text. */
export function argumentsOf({ parameters }: ServedEndpoint, given: GivenArguments): Record<string, unknown> {
  return Object.fromEntries(
    parameters.flatMap(({ name, type, array }) => {
      const values = given.getAll(name).map((text) => typed(text, type));
      if (values.length === 0) return [];
      return [[name, array ? values : values[0]]];
    }),
  );
}

function typed(text: string, type: ServedEndpoint['parameters'][number]['type']): string | number {
  if (type === 'string' || text.trim() === '') return text;
  const number = Number(text);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? number : text;
}
