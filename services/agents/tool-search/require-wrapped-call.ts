import { type WrappedCall, wrappedCall } from '../../../contracts/search-tools.ts';
import { invalidArguments } from './invalid-arguments.ts';

/** The call that a call of `call_tool` asks for. Throws INVALID_PARAMETERS. */
export function requireWrappedCall(args: unknown): WrappedCall {
  const read = wrappedCall.safeParse(args);
  if (read.success) return read.data;
  throw invalidArguments(read.error);
}
