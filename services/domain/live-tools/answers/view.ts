import type { FieldError } from '../../../../contracts/problem.ts';
import { didYouMean, nearestNames } from '../../../../contracts/wording.ts';
import { HttpProblem } from '../../../base/http/problem.ts';

/** The part of a result that a call requests, from its query string. */
export interface View {
  /** Rows shown of a table; 0: none, and they are not counted either. */
  readonly preview: number;
  /** Values of a column to skip. */
  readonly offset: number;
  /** Values of a column to show. */
  readonly limit: number;
}

export const MAX_PREVIEW_ROWS = 100;
const DEFAULT_PREVIEW_ROWS = 3;
/** Values of a column that an answer shows unless more are asked for: more than most agents read. */
export const DEFAULT_VALUES = 100;
const NAMES = ['preview', 'offset', 'limit'] as const;

/** Reads `?preview=3&offset=0&limit=100`; a limit above `maxRows` is `maxRows`. Throws INVALID_PARAMETERS, one entry a field. */
export function readView(query: Readonly<Record<string, unknown>>, maxRows: number): View {
  const most = Number.MAX_SAFE_INTEGER;
  const max = { preview: MAX_PREVIEW_ROWS, offset: most, limit: most };
  const view = { preview: DEFAULT_PREVIEW_ROWS, offset: 0, limit: Math.min(DEFAULT_VALUES, maxRows) };
  const errors: FieldError[] = [];
  for (const name of Object.keys(query)) {
    if (!isName(name)) errors.push(unknown(name));
  }
  for (const name of NAMES) {
    const given = query[name];
    if (given === undefined) continue;
    const min = name === 'limit' ? 1 : 0;
    const value = typeof given === 'string' && /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max[name]) view[name] = value;
    else
      errors.push({
        field: name,
        code: 'wrong_type',
        message: `${name} must be a whole number from ${min} to ${max[name]}`,
      });
  }
  // Whoever wants all that an answer can hold need not know how much that is.
  if (errors.length === 0) return { ...view, limit: Math.min(view.limit, maxRows) };
  throw new HttpProblem('INVALID_PARAMETERS', errors.map(({ message }) => message).join('; '), { errors });
}

function isName(name: string): name is (typeof NAMES)[number] {
  return NAMES.some((each) => each === name);
}

function unknown(name: string): FieldError {
  const suggestions = nearestNames(name, NAMES);
  const message = `there is no query parameter ${name.slice(0, 64)}${didYouMean(suggestions)}; arguments go into the body`;
  return { field: name.slice(0, 64), code: 'unknown_parameter', message, suggestions };
}
