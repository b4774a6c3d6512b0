/** Arguments under other names, those of nested ones too; what has no other name keeps its own. */
export function renameArguments(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renameArguments(item, names));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [names.get(key) ?? key, renameArguments(inner, names)]),
  );
}
