import { isLosslessNumber } from 'lossless-json';
import { parameterText } from './exact-json.ts';

/**
 * The path of a domain, `/v1/<split>/<db>`. A database's name may contain any character that is valid in a file name.
 */
export function domainPath(split: string, db: string): string {
  return `/v1/${encodeURIComponent(split)}/${encodeURIComponent(db)}`;
}

/**
 * A sample's id as four segments of an address: split, database, question and formulation. Only a question's id may
 * hold slashes, and they are encoded.
 */
export function samplePath(sampleId: string): string {
  const [split = '', db = '', ...rest] = sampleId.split('/');
  const formulation = rest.pop() ?? '';
  return [split, db, rest.join('/'), formulation].map(encodeURIComponent).join('/');
}

/** A service's router refuses longer segments. */
const MOST_CHARACTERS = 1000;

/** Where the segments of `/v1/<split>/<db>/…` begin that are a domain's own. */
const FIRST = 4;

/** The parameters in a path such as `/v1/films/actors/{actor_name}/roles_by_actor_name`. */
export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/**
 * Whether a text can be a segment of a path. An empty one gets lost on the way, and to whatever reads URLs `.` and `..`
 * mean another address, however they are encoded.
 */
export function fitsInPath(text: string): boolean {
  if (text === '' || text === '.' || text === '..' || text.includes('\0')) return false;
  return !/\p{Surrogate}/u.test(text) && encodeURIComponent(text).length <= MOST_CHARACTERS;
}

/** The path with the arguments in it; null where one of them is missing, is no single value, or does not fit. */
export function fillPath(template: string, args: Readonly<Record<string, unknown>>): string | null {
  let path = template;
  for (const name of pathParameters(template)) {
    const text = textOf(args[name]);
    if (text === null || !fitsInPath(text)) return null;
    path = path.replace(`{${name}}`, () => encodeURIComponent(text));
  }
  return path;
}

/**
 * The values in a path by the names of their parameters; null where it is no path of the template. `segments` are those
 * after the domain's, decoded.
 */
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
