import { z } from 'zod';
import type { JsonObject } from '../../json/lossless.ts';

const property = z.object({ name: z.string(), data_type: z.array(z.string()) });
const schema = z.object({
  weaviate_collections: z.array(z.object({ name: z.string(), properties: z.array(property) })),
});
type PublishedSchema = z.infer<typeof schema>;

const given = z.record(z.string(), z.unknown());

/** The schema is JSON in a text, or the object itself. */
const schemaOrText = z.union([
  z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'is no JSON' });
      return z.NEVER;
    }
  }),
  z.unknown(),
]);

/** A record as the authors' code writes it, or as the paper shows it. */
export const publishedRecord = z.union([
  z
    .object({ database_schema: schemaOrText.pipe(schema), query: given })
    .transform(({ database_schema, query }) => ({
      schema: database_schema,
      question: String(query.corresponding_natural_language_query ?? ''),
      query,
    })),
  z
    .object({ schema: schemaOrText.pipe(schema), nl_command: z.string(), ground_truth_query: given })
    .transform(({ schema: database_schema, nl_command, ground_truth_query }) => ({
      schema: database_schema,
      question: nl_command,
      query: ground_truth_query,
    })),
]);

export interface PublishedCollection {
  readonly name: string;
  /** By property, in their order: `number`, `text`, `boolean`. */
  readonly properties: ReadonlyMap<string, string>;
}

export function collectionsIn({ weaviate_collections }: PublishedSchema): PublishedCollection[] {
  return weaviate_collections.map(({ name, properties }) => ({
    name,
    properties: new Map(
      properties.map((one) => [one.name, TYPES[one.data_type[0] ?? ''] ?? one.data_type[0] ?? 'unknown']),
    ),
  }));
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  text: 'text',
  number: 'number',
  int: 'number',
  boolean: 'boolean',
};

/** The arguments of a published query under their names in the tool, without those that are null. */
export function toArguments(query: Readonly<Record<string, unknown>>): JsonObject {
  const {
    target_collection,
    corresponding_natural_language_query: _,
    database_schema: __,
    ...others
  } = query;
  const named = { collection_name: query.collection_name ?? target_collection ?? null, ...others };
  return withoutNulls(named) as JsonObject;
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}
