import type { JsonObject } from '../../json/lossless.ts';

/** Arguments by name, `''` for one without; null where a name occurs twice, which BFCL's decoders refuse. */
export function namedArguments(entries: readonly (readonly [string, string])[]): JsonObject | null {
  const names = new Set(entries.map(([name]) => name));
  return names.size === entries.length ? Object.fromEntries(entries) : null;
}
