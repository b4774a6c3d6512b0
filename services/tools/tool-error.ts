import type { FieldError } from '../../contracts/problem.ts';

/** A call that cannot be carried out as given: one entry a field at fault. */
export class ToolError extends Error {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(errors.map((error) => `${error.field}: ${error.message}`).join('; '));
    this.name = 'ToolError';
    this.errors = errors;
  }
}

/** A call with one field at fault. */
export function fieldError(
  field: string,
  code: string,
  message: string,
  suggestions?: readonly string[],
): ToolError {
  return new ToolError([{ field, code, message, ...(suggestions ? { suggestions: [...suggestions] } : {}) }]);
}
