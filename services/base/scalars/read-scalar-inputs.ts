import type { ScalarApi, ScalarInput } from './scalar-api.ts';

/** Values that an API can take; null where one of them is missing, so that the answer is NULL. */
export type ScalarInputs = readonly (string | bigint)[] | null;

/** What is wrong with a value. */
export interface InputFault {
  readonly input: ScalarInput;
  readonly code: 'missing' | 'wrong_type' | 'not_one_of';
}

/**
 * The inputs of an API, given by position. Numbers are cut to whole ones; a text that is written like a number is one,
 * and a number is a text where one is wanted. An optional input that is null or left out has its usual value.
 */
export function readScalarInputs(
  api: ScalarApi,
  given: readonly unknown[],
): { readonly inputs: ScalarInputs } | { readonly faults: readonly InputFault[] } {
  const faults: InputFault[] = [];
  let isNull = false;
  const inputs = api.inputs.map((input, i) => {
    const value = given[i] ?? input.usual;
    if (value === undefined || value === null) {
      if (value === undefined && i >= given.length) faults.push({ input, code: 'missing' });
      isNull = true;
      return '';
    }
    const read = input.type === 'number' ? wholeNumber(value) : textOf(value);
    if (read === null) faults.push({ input, code: 'wrong_type' });
    else if (input.values && !input.values.includes(String(read))) faults.push({ input, code: 'not_one_of' });
    return read ?? '';
  });
  if (faults.length > 0) return { faults };
  return { inputs: isNull ? null : inputs };
}

function textOf(value: unknown): string | null {
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : null;
}

function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null;
  if (typeof value !== 'string' || !NUMBER.test(value)) return null;
  return INTEGER.test(value) ? BigInt(value.trim()) : wholeNumber(Number(value));
}

const NUMBER = /^\s*[-+]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][-+]?\d{1,3})?\s*$/;
const INTEGER = /^\s*-?\d+\s*$/;
