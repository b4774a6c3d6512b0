import { isLosslessNumber } from 'lossless-json';
import { parameterText } from './exact-json.ts';

/** The path of a domain, `/v1/<split>/<db>`. A database's name may contain any character valid in a file name. */
export function domainPath(split: string, db: string): string {
  return `/v1/${encodeURIComponent(split)}/${encodeURIComponent(db)}`;
}

/** A sample's id as four path segments; the question's id may contain slashes, which are encoded. */
export function samplePath(sampleId: string): string {
  const [split = '', db = '', ...rest] = sampleId.split('/');
  const formulation = rest.pop() ?? '';
  return [split, db, rest.join('/'), formulation].map(encodeURIComponent).join('/');
}

/** Longer segments are refused by a service's router. */
const MOST_CHARACTERS = 1000;

/** Index of the first segment after `/v1/<split>/<db>/`. */
const FIRST = 4;

/** The parameters in a path such as `/v1/films/actors/{actor_name}/roles_by_actor_name`. */
export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** Whether a text can be a path segment. Empty ones get lost, and URL parsers resolve `.` and `..`, however encoded. */
export function fitsInPath(text: string): boolean {
  if (text === '' || text === '.' || text === '..' || text.includes('\0')) return false;
  return !/\p{Surrogate}/u.test(text) && encodeURIComponent(text).length <= MOST_CHARACTERS;
}

/** Fills a path with arguments; null if one is missing, not a scalar, or does not fit. */
export function fillPath(template: string, args: Readonly<Record<string, unknown>>): string | null {
  let path = template;
  for (const name of pathParameters(template)) {
    const text = textOf(args[name]);
    if (text === null || !fitsInPath(text)) return null;
    path = path.replace(`{${name}}`, () => encodeURIComponent(text));
  }
  return path;
}

/** The parameter values in a path; null if it does not match. `segments`: those after the domain's, decoded. */
export function readPath(
  template: string,
  segments: readonly string[],
): Readonly<Record<string, string>> | null {
  const parts = template.split('/').slice(FIRST);
  if (parts.length !== segments.length) return null;
  const values: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    const segment = segments[i] as string;
    const [name] = pathParameters(part);
    if (name !== undefined) values[name] = segment;
    else if (part !== segment) return null;
  }
  return values;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value !== 'object' || isLosslessNumber(value) ? parameterText(value) : null;
}
