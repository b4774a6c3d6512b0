import type { Formulation } from '../../contracts/sample.ts';
import { fromNativeCall } from '../calls/native-call.ts';
import { isObject, type Json } from '../json/lossless.ts';

/** Calls under our names of arguments; what is no call stays as it is, to be judged. */
export function nativeCalls(calls: readonly Json[], kind: Formulation): Json[] {
  return calls.map((call) => {
    if (!isObject(call)) return call;
    const { arguments: args } = call;
    return args !== undefined && isObject(args)
      ? { ...call, ...fromNativeCall({ arguments: args }, kind) }
      : call;
  });
}
