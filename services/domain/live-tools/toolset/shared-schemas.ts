import { type JsonSchema, mapSchema, type ObjectSchema } from './json-schema.ts';
import type { ToolSpec } from './tool-spec.ts';

/** What the tools of a document have in common, by the names of its components. */
export interface SharedSchemas {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly requestBodies: Readonly<Record<string, RequestBody>>;
  /** A tool's request body, or a reference to it. */
  bodyOf(tool: ToolSpec): RequestBody | { readonly $ref: string };
}

interface RequestBody {
  readonly required: true;
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
}

/** A reference is about this long; what is shorter stays where it is. */
const LEAST_CHARACTERS = 60;

/**
 * Finds what several tools say alike: whole bodies (those of getters are all the same), then arguments, then the schema of
 * a single value, which some tools have in twenty places.
 */
export function shareSchemas(tools: readonly ToolSpec[], operand: JsonSchema): SharedSchemas {
  const bodies = new Components<ObjectSchema>();
  // Some generators of clients have one room for the names of all components: no body is called as a schema is.
  for (const { parameters } of tools)
    bodies.count(parameters, [...Object.keys(parameters.properties), 'body'].join(' '));
  const distinct = bodies.distinct();
  const args = new Components<JsonSchema>();
  for (const { properties } of distinct) {
    for (const [name, schema] of Object.entries(properties)) args.count(schema, name);
  }
  const argument = (schema: JsonSchema): JsonSchema => {
    const name = args.nameOf(schema);
    return name === undefined ? withOperands(schema, operand) : { $ref: `#/components/schemas/${name}` };
  };
  const body = (schema: ObjectSchema): RequestBody => ({
    required: true,
    content: {
      'application/json': {
        schema: {
          ...schema,
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, each]) => [name, argument(each)]),
          ),
        },
      },
    },
  });
  return {
    schemas: {
      Operand: operand,
      ...args.named((schema) => withOperands(schema, operand)),
    },
    requestBodies: bodies.named(body),
    bodyOf({ parameters }) {
      const name = bodies.nameOf(parameters);
      return name === undefined ? body(parameters) : { $ref: `#/components/requestBodies/${name}` };
    },
  };
}

/** Schemas by their text; those that occur several times have a name. */
class Components<Schema extends JsonSchema> {
  readonly #found = new Map<string, { readonly schema: Schema; readonly words: string; times: number }>();
  #names: ReadonlyMap<string, string> | undefined;

  /** `words` are what the schema is named by. */
  count(schema: Schema, words: string): void {
    const text = JSON.stringify(schema);
    const known = this.#found.get(text);
    if (known) known.times++;
    else this.#found.set(text, { schema, words, times: 1 });
  }

  distinct(): Schema[] {
    return [...this.#found.values()].map(({ schema }) => schema);
  }

  nameOf(schema: Schema): string | undefined {
    this.#names ??= this.#makeNames();
    return this.#names.get(JSON.stringify(schema));
  }

  named<Shared>(share: (schema: Schema) => Shared): Record<string, Shared> {
    return Object.fromEntries(
      this.distinct().flatMap((schema) => {
        const name = this.nameOf(schema);
        return name === undefined ? [] : [[name, share(schema)]];
      }),
    );
  }

  #makeNames(): Map<string, string> {
    const names = new Map<string, string>();
    const taken = new Set(['Operand', 'ToolAnswer', 'Problem']);
    for (const [text, { words, times }] of this.#found) {
      if (times === 1 || text.length < LEAST_CHARACTERS) continue;
      const word = pascalCase(words);
      let name = word;
      for (let i = 2; taken.has(name); i++) name = `${word}${i}`;
      taken.add(name);
      names.set(text, name);
    }
    return names;
  }
}

/** `data_source key_name` → `DataSourceKeyName` */
function pascalCase(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The schema with a reference wherever a single value is allowed. */
function withOperands(schema: JsonSchema, operand: JsonSchema): JsonSchema {
  const wanted = JSON.stringify(operand.anyOf);
  const most = operand.anyOf?.length ?? 0;
  const reference = { $ref: '#/components/schemas/Operand' };
  return mapSchema(schema, ({ anyOf, ...rest }) => {
    if (!anyOf) return rest;
    if (JSON.stringify(anyOf.slice(0, most)) !== wanted) return { ...rest, anyOf };
    return anyOf.length === most
      ? { ...rest, ...reference }
      : { ...rest, anyOf: [reference, ...anyOf.slice(most)] };
  });
}
