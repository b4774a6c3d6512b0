export const LONGEST_TOOL_NAME = 64;
/** `get_<name>` has to fit. */
export const LONGEST_ENDPOINT_NAME = LONGEST_TOOL_NAME - 'get_'.length;

/**
 * The tools' names for agents, one an endpoint: `get_<name>_v1_<split>_<db>_<name>_get`, or as much of it as
 * fits in 64 characters. What goes first is the second `<name>`, then the split, then the database:
 * `get_<name>_v1_<split>_<db>_get`, `get_<name>_v1_<db>_get`, `get_<name>_get`, `get_<name>`.
 */
export function operationIds(names: readonly string[], split: string, db: string): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const forms = formsOf(name, safe(split), safe(db)).filter((form) => form.length <= LONGEST_TOOL_NAME);
    const id = forms.find((form) => !taken.has(form)) ?? name;
    taken.add(id);
    return id;
  });
}

function formsOf(name: string, split: string, db: string): readonly string[] {
  return [
    `get_${name}_v1_${split}_${db}_${name}_get`,
    `get_${name}_v1_${split}_${db}_get`,
    `get_${name}_v1_${db}_get`,
    `get_${name}_get`,
    `get_${name}`,
  ];
}

function safe(part: string): string {
  return part.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
}
