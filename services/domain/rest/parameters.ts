import type { FieldError } from '../../../contracts/api.ts';
import { readInteger, readNumber } from '../../../contracts/exact-json.ts';
import { readPath } from '../../../contracts/paths.ts';
import {
  type Endpoint,
  type EndpointParameter,
  listSql,
  type ParameterType,
} from '../../../contracts/service.ts';
import { didYouMean, namesOf, nearestNames } from '../../../contracts/wording.ts';
import { invalidFields } from '../../base/http/problem.ts';
import type { SqlParameters, SqlValue } from '../../base/sqlite/driver.ts';

/** A query string as fastify parses it; a repeated name has an array. */
export type QueryString = Readonly<Record<string, string | readonly string[]>>;

/**
 * The values to bind for an endpoint's parameters. Throws INVALID_PARAMETERS with one entry per field that is unknown,
 * missing, repeated, of the wrong type or out of range.
 */
export function bindParameters(
  parameters: readonly EndpointParameter[],
  given: QueryString,
): BoundParameters {
  const values: Record<string, SqlValue> = {};
  const lists: Record<string, readonly SqlValue[]> = {};
  const errors: FieldError[] = [];
  for (const parameter of parameters) {
    const value = bindOne(parameter, given[parameter.name]);
    if (Array.isArray(value)) {
      lists[parameter.name] = value;
      values[parameter.name] = `[${value.map(asJson).join(',')}]`;
    } else if (typeof value === 'object') errors.push((value as Fault).error);
    else values[parameter.name] = value;
  }
  for (const name in given) {
    if (!parameters.some((parameter) => parameter.name === name)) errors.push(unknown(name, parameters));
  }
  if (errors.length === 0) return { values, lists };
  throw invalidFields(errors);
}

type Value = bigint | number | string;
type Fault = { readonly error: FieldError };
type Bound = Value | Fault;

function bindOne(
  parameter: EndpointParameter,
  given: string | readonly string[] | undefined,
): Bound | readonly Value[] {
  const { name, type } = parameter;
  if (given === undefined) return fault(name, 'missing', `${name} is missing`);
  if (!parameter.array) {
    if (typeof given !== 'string') return fault(name, 'repeated', `${name} is given ${given.length} times`);
    return READERS[type](given, name);
  }
  const elements: Value[] = [];
  for (const text of typeof given === 'string' ? [given] : given) {
    const value = READERS[type](text, name);
    if (typeof value === 'object') return value;
    elements.push(value);
  }
  return elements;
}

const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

const READERS: Readonly<Record<ParameterType, (text: string, name: string) => Bound>> = {
  string: (text) => text,
  integer(text, name) {
    const value = readInteger(text);
    if (value === null) return fault(name, 'wrong_type', `${name} must be an integer`);
    if (value >= MIN_INTEGER && value <= MAX_INTEGER) return value;
    return fault(name, 'out_of_range', `${name} must be between ${MIN_INTEGER} and ${MAX_INTEGER}`);
  },
  number(text, name) {
    const value = readNumber(text);
    if (value === null) return fault(name, 'wrong_type', `${name} must be a number`);
    return Number.isFinite(value) ? value : fault(name, 'out_of_range', `${name} is too large a number`);
  },
};

/** An element for json_each, which must keep its type: a real needs its point. */
function asJson(value: Value): string {
  if (typeof value === 'number' && Number.isInteger(value))
    return `${JSON.stringify(value).replace(/^(-?\d+)(?=e|$)/, '$1.0')}`;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

function unknown(name: string, parameters: readonly EndpointParameter[]): FieldError {
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  const suggestions = nearestNames(name, namesOf(parameters));
  const message = `there is no parameter ${shown}${didYouMean(suggestions)}`;
  return {
    field: shown,
    code: 'unknown_parameter',
    message,
    ...(suggestions.length > 0 ? { suggestions } : {}),
  };
}

function fault(field: string, code: string, message: string): Fault {
  return { error: { field, code, message } };
}

/** Non-empty lists by parameter name. */
export type SqlLists = Readonly<Record<string, readonly SqlValue[]>>;

/** The values of an endpoint's parameters, both as bound and, for lists, value by value. */
export interface BoundParameters {
  /** A list is the JSON text of an array. */
  readonly values: SqlParameters;
  readonly lists: SqlLists;
}

/** Up to this length, every length has its own statement. */
const EXACT = 8;
/** Longer lists stay JSON: a subquery then costs SQLite no more than this many comparisons. */
const LONGEST = 512;

/**
 * The statement and its parameters with a placeholder for each value of a list. SQLite plans `x IN (?, ?)` like the
 * literal list in the gold SQL; for `x IN (SELECT …)` it may choose a plan that takes a thousand times as long. A list
 * is padded with its last value to one of a few lengths, which does not affect IN and NOT IN, so that there are few
 * statements to prepare.
 */
export function spellOutLists(
  sql: string,
  { values, lists }: BoundParameters,
): { readonly sql: string; readonly parameters: SqlParameters } {
  const named = Object.entries(lists);
  if (named.length === 0) return { sql, parameters: values };
  const parameters: Record<string, SqlValue> = { ...values };
  let spelled = sql;
  for (const [name, items] of named) {
    if (items.length > LONGEST) continue;
    const length = items.length <= EXACT ? items.length : 2 ** Math.ceil(Math.log2(items.length));
    delete parameters[name];
    // SQLite allows `$` in names, and no parameter name contains it.
    const names = Array.from({ length }, (_, i) => `${name}$${i}`);
    names.forEach((each, i) => {
      parameters[each] = items[Math.min(i, items.length - 1)] as SqlValue;
    });
    spelled = spelled.replaceAll(listSql(name), () => names.map((each) => `:${each}`).join(', '));
  }
  return { sql: spelled, parameters };
}

/**
 * Reads an endpoint's parameters from the path of a request; null if the path is not one of the endpoint's. Every
 * endpoint also answers at its bare name, with all parameters in the query string. `segments` are the decoded ones
 * after the domain's.
 */
export function readEndpointPath(
  endpoint: Pick<Endpoint, 'path'> | undefined,
  segments: readonly string[],
): Readonly<Record<string, string>> | null {
  if (segments.length === 1) return {};
  return endpoint ? readPath(endpoint.path, segments) : null;
}
