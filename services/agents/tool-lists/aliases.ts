import { seededOrder } from '../../base/seeded-order.ts';
import type { JsonSchema } from '../../domain/live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';

/** The names that stand for one tool's own in an obfuscated list. */
export interface Alias {
  /** `FUNC_7` */
  readonly name: string;
  /** `7` */
  readonly number: number;
  /** `ARG_0` by the argument's real name, those of nested arguments among them. */
  readonly args: ReadonlyMap<string, string>;
}

/**
 * `FUNC_n` for every tool of a toolset, by its real name, numbered by the seed and, in an exam, its key; `ARG_n` for its arguments, the outer
 * ones first. They depend on the whole toolset, so a tool has the same name in a shortlist and in the full list.
 */
export function makeAliases(
  toolset: readonly ToolSpec[],
  seed: number,
  scope: string,
  key: string | null,
): ReadonlyMap<string, Alias> {
  const order = seededOrder(toolset, seed, `obfuscate ${scope}`, ({ name }) => name, key);
  return new Map(
    order.map(({ name, parameters }, n) => [
      name,
      { name: `FUNC_${n}`, number: n, args: aliasArguments(parameters) },
    ]),
  );
}

function aliasArguments(parameters: JsonSchema): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  let level: JsonSchema[] = [parameters];
  while (level.length > 0) {
    const next: JsonSchema[] = [];
    for (const schema of level) {
      for (const [name, inner] of Object.entries(schema.properties ?? {})) {
        if (!aliases.has(name)) aliases.set(name, `ARG_${aliases.size}`);
        next.push(inner);
      }
      const { items, anyOf } = schema;
      if (typeof items === 'object' && items !== null) next.push(items as JsonSchema);
      if (Array.isArray(anyOf)) next.push(...(anyOf as JsonSchema[]));
    }
    level = next;
  }
  return aliases;
}
