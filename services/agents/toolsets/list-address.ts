import { createHash } from 'node:crypto';
import { z } from 'zod';
import { shareText } from '../../../contracts/hybrid.ts';
import { formulation } from '../../../contracts/sample.ts';
import { DEFAULT_LIST, type ListOptions, listOptions } from '../../../contracts/toolset-options.ts';
import { cached } from '../../base/concurrency.ts';
import type { ToolSpec } from '../../domain/tools/tool-spec.ts';

export const listSubject = z.union([
  z.strictObject({ task: z.string() }),
  z.strictObject({
    db: z.string(),
    formulation,
    start_tables: z.array(z.string()),
    /** For `hybrid`: one of the farm's hidden shares; defaults to the first. */
    share: shareText.optional(),
  }),
]);
export type ListSubject = z.infer<typeof listSubject>;

export interface ListAddress {
  readonly subject: ListSubject;
  readonly options: ListOptions;
}

const written = z.tuple([listSubject, listOptions]);

/** The address segment of a list. It has everything needed to make the list again, so nothing is stored. */
export function printListAddress({ subject, options }: ListAddress): string {
  const different = Object.entries(options).filter(
    ([name, value]) => value !== DEFAULT_LIST[name as keyof ListOptions],
  );
  return Buffer.from(JSON.stringify([subject, Object.fromEntries(different)])).toString('base64url');
}

export function parseListAddress(text: string): ListAddress | undefined {
  try {
    const [subject, options] = written.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return { subject, options };
  } catch {
    return undefined;
  }
}

/**
 * sha256 of a tool list: of its JSON text with sorted keys and no whitespace, each tool as `{"description", "name",
 * "parameters"}`, in the list's order. It does not depend on the served format.
 */
export function checksumOf(tools: readonly ToolSpec[]): string {
  const hash = createHash('sha256').update('[');
  tools.forEach((tool, at) => {
    if (at > 0) hash.update(',');
    hash.update(canonicalTool(tool));
  });
  return hash.update(']').digest('hex');
}

/** Cached, since a tool is in many lists; as a Buffer, since V8 keeps concatenated strings in pieces. */
const canonicalTool = cached(({ name, description, parameters }: ToolSpec) =>
  Buffer.from(canonicalJson({ description, name, parameters })),
);

/** JSON text with sorted keys and no whitespace: equal for equal values. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`);
  return `{${entries.join(',')}}`;
}
