import { ArgumentError } from '../arguments/argument-error.ts';
import { HttpProblem } from './problem.ts';

/** A call that cannot be carried out, as a problem; any other error as it is. */
export function argumentProblem(error: unknown): unknown {
  return error instanceof ArgumentError ? problemOfArguments(error) : error;
}

/** UNKNOWN_HANDLE when that is all there is to it, else INVALID_PARAMETERS. */
export function problemOfArguments(error: ArgumentError): HttpProblem {
  const { errors } = error;
  const code = errors.every((each) => each.code === 'unknown_handle')
    ? 'UNKNOWN_HANDLE'
    : 'INVALID_PARAMETERS';
  return new HttpProblem(code, errors.map(({ message }) => message).join('; '), { errors, cause: error });
}
