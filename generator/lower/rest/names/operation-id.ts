export const LONGEST_TOOL_NAME = 64;
/** `get_<name>` has to fit. */
export const LONGEST_ENDPOINT_NAME = LONGEST_TOOL_NAME - 'get_'.length;

/**
 * The tool's name for agents: `get_<name>_v1_<split>_<db>_<name>_get`, or as much of it as fits in 64
 * characters. What goes first is the second `<name>`, then the split, then the database:
 * `get_<name>_v1_<split>_<db>_get`, `get_<name>_v1_<db>_get`, `get_<name>_get`, `get_<name>`.
 */
export function operationId(name: string, split: string, db: string): string {
  const [s, d] = [safe(split), safe(db)];
  const forms = [
    `get_${name}_v1_${s}_${d}_${name}_get`,
    `get_${name}_v1_${s}_${d}_get`,
    `get_${name}_v1_${d}_get`,
    `get_${name}_get`,
  ];
  return forms.find((form) => form.length <= LONGEST_TOOL_NAME) ?? `get_${name}`;
}

function safe(part: string): string {
  return part.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
}
