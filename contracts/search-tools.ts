import { z } from 'zod';

/** The tool that finds tools. */
export const SEARCH_TOOLS = 'search_tools';
/** The tool that calls one that has been found. */
export const CALL_TOOL = 'call_tool';

/** What `call_tool` takes. */
export const wrappedCall = z.strictObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
export type WrappedCall = z.infer<typeof wrappedCall>;

/** The call that a call of `call_tool` asks for; null where it asks for none. */
export function unwrapCall(args: unknown): WrappedCall | null {
  const read = wrappedCall.safeParse(args);
  return read.success ? read.data : null;
}
