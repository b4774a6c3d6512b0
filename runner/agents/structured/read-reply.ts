import { z } from 'zod';
import { lastJson } from '../../attempt/last-json.ts';

const reply = z.object({
  use_tools: z.boolean(),
  tool_calls: z.array(z.object({ function_name: z.string(), arguments: z.unknown() })).nullish(),
});

/**
 * The calls of a structured reply, without the arguments that are null: these were left out. None where it wants no
 * tool; null where it cannot be read.
 */
export function readReply(
  text: string,
): readonly { readonly name: string; readonly arguments: unknown }[] | null {
  const read = reply.safeParse(lastJson(text));
  if (!read.success) return null;
  const calls = read.data.use_tools ? (read.data.tool_calls ?? []) : [];
  return calls.map((call) => ({ name: call.function_name, arguments: withoutNulls(call.arguments) }));
}

/** Numbers are objects too, with the digits they came with. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, withoutNulls(inner)]),
  );
}
