/** A tool as a list shows it. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
}
type Schema = { readonly [keyword: string]: unknown };

/** What a tool and its arguments are called in an obfuscated list. */
export interface ObfuscatedNames {
  readonly name: string;
  readonly args: ReadonlyMap<string, string>;
}

/**
 * Tells which obfuscated tool is which, as a person would who has both lists before them: by what the descriptions
 * and schemas say besides names, and by what they answer. Throws when nothing tells two tools apart.
 */
export function deobfuscate(
  plain: readonly Tool[],
  obfuscated: readonly Tool[],
  answers: { plain: (name: string) => string; obfuscated: (name: string) => string },
): ReadonlyMap<string, ObfuscatedNames> {
  const names = new Set(
    plain.flatMap((tool) => [tool.name, ...pairs(tool.parameters, tool.parameters).keys()]),
  );
  const blank = (value: unknown) =>
    JSON.stringify(value).replace(/[A-Za-z0-9_]+/g, (word) =>
      names.has(word) || /^(?:FUNC|ARG)_\d+$/.test(word) ? '_' : word,
    );
  const keyOf = (tool: Tool, more: string) =>
    [blank(tool.description), blank(inOrder(tool.parameters)), more].join('\n');
  const byKey = new Map<string, Tool>();
  for (const tool of obfuscated) {
    const key = keyOf(tool, answers.obfuscated(tool.name));
    const alike = byKey.get(key);
    if (alike) throw new Error(`nothing tells ${alike.name} and ${tool.name} apart: ${tool.description}`);
    byKey.set(key, tool);
  }
  return new Map(
    plain.map((tool) => {
      const shown = byKey.get(keyOf(tool, answers.plain(tool.name)));
      if (!shown) throw new Error(`${tool.name} is not among the obfuscated tools`);
      return [tool.name, { name: shown.name, args: pairs(tool.parameters, shown.parameters) }];
    }),
  );
}

/** The arguments of a call under the names of an obfuscated list. */
export function disguise(value: unknown, args: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => disguise(item, args));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [args.get(key) ?? key, disguise(inner, args)]),
  );
}

/** Names of properties that stand at the same place in two schemas. */
function pairs(one: Schema, other: Schema, found = new Map<string, string>()): Map<string, string> {
  const [mine, theirs] = [one.properties, other.properties] as [Schema?, Schema?];
  const names = Object.keys(theirs ?? {});
  Object.entries(mine ?? {}).forEach(([name, inner], i) => {
    found.set(name, names[i] as string);
    pairs(inner as Schema, theirs?.[names[i] as string] as Schema, found);
  });
  if (one.items) pairs(one.items as Schema, other.items as Schema, found);
  ((one.anyOf ?? []) as Schema[]).forEach((inner, i) => {
    pairs(inner, ((other.anyOf ?? []) as Schema[])[i] as Schema, found);
  });
  return found;
}

/** A schema without its properties' names, which stand in the same order in both lists. */
function inOrder({ properties, required, items, anyOf, ...rest }: Schema): unknown {
  return [
    Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)),
    Object.values((properties ?? {}) as Record<string, Schema>).map(inOrder),
    ((required ?? []) as string[]).length,
    items ? inOrder(items as Schema) : null,
    ((anyOf ?? []) as Schema[]).map(inOrder),
  ];
}
