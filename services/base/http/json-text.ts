import { LosslessNumber, parse, stringify } from 'lossless-json';
import { HttpProblem } from './problem.ts';
import { requireShallow } from './require-shallow.ts';

/**
 * JSON in which a number that JavaScript would write differently (`5.0`, `9007199254740993`) keeps its text.
 * Throws BAD_REQUEST.
 */
export function readJson(text: string): unknown {
  requireShallow(text);
  try {
    return parse(text, null, (number) =>
      String(Number(number)) === number ? Number(number) : new LosslessNumber(number),
    );
  } catch (error) {
    throw new HttpProblem('BAD_REQUEST', `The body is not JSON: ${(error as Error).message}`);
  }
}

/** The arguments of a call, as an object; nothing at all stands for none. Throws BAD_REQUEST. */
export function readArguments(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined || text.trim() === '') return {};
  const value = readJson(text);
  if (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof LosslessNumber)
  ) {
    return value as Record<string, unknown>;
  }
  throw new HttpProblem('BAD_REQUEST', 'The body must be a JSON object with the arguments of the call.');
}

/** The JSON text of a value read by `readJson`. */
export function writeJson(value: unknown): string {
  return stringify(value, null, undefined, [{ test: isInfinite, stringify: beyondDoubles }]) ?? 'null';
}

function isInfinite(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

/** A number that was too large for a double when it was read, such as `1e400`. */
function beyondDoubles(value: unknown): string {
  return (value as number) > 0 ? '1e400' : '-1e400';
}
