import type { FieldError } from '../../../contracts/problem.ts';

/** Arguments that cannot be used as given: one entry a field at fault. */
export class ArgumentError extends Error {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(errors.map((error) => `${error.field}: ${error.message}`).join('; '));
    this.name = 'ArgumentError';
    this.errors = errors;
  }
}

/** Arguments with one field at fault. */
export function fieldError(
  field: string,
  code: string,
  message: string,
  suggestions?: readonly string[],
): ArgumentError {
  return new ArgumentError([
    { field, code, message, ...(suggestions ? { suggestions: [...suggestions] } : {}) },
  ]);
}
