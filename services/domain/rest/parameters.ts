import { readInteger, readNumber } from '../../../contracts/parameter-text.ts';
import type { FieldError } from '../../../contracts/problem.ts';
import type { EndpointParameter, ParameterType } from '../../../contracts/service.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { SqlValue } from '../../base/sqlite/driver.ts';
import type { BoundParameters } from './spell-out-lists.ts';

/** A query string as fastify parses it: a repeated name has an array. */
export type QueryString = Readonly<Record<string, string | readonly string[]>>;

/**
 * The values to bind for an endpoint's parameters. Throws INVALID_PARAMETERS with one entry a field that is
 * unknown, missing, given twice, of the wrong type or out of range.
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
  throw new HttpProblem('INVALID_PARAMETERS', errors.map(({ message }) => message).join('; '), { errors });
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

/** An element for json_each, which must come out with the type that went in: a real needs its point. */
function asJson(value: Value): string {
  if (typeof value === 'number' && Number.isInteger(value))
    return `${JSON.stringify(value).replace(/^(-?\d+)(?=e|$)/, '$1.0')}`;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

function unknown(name: string, parameters: readonly EndpointParameter[]): FieldError {
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  const suggestions = nearestNames(
    name,
    parameters.map((parameter) => parameter.name),
  );
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
