import { z } from 'zod';
import { printExactJson } from './exact-json.ts';
import { type Formulation, formulation } from './sample.ts';

/** The file name of a domain's OpenAPI document, in a farm's `openapi/` folder and under `/openapi/`. */
export function openapiFile(db: string, kind: Formulation): string {
  return `${db}.${kind}.json`;
}

/** The document that a file name refers to; `db` is null for `rest.json`, all domains. Null for other files. */
export function readOpenapiFile(
  file: string,
): { readonly db: string | null; readonly formulation: Formulation } | null {
  const [, db = null, kind] = FILE.exec(file) ?? [];
  const known = formulation.safeParse(kind);
  return known.success ? { db, formulation: known.data } : null;
}

const FILE = /^(?:(.+)\.)?([a-z]+)\.json$/;

/** Serializes an OpenAPI document with one line per path, component and other field, for readable diffs. */
export function printOpenapi(document: object): string {
  return `${printObject(document, (key, value) => {
    if (key === 'paths') return printObject(value, print);
    if (key === 'components') return printObject(value, (_section, entries) => printObject(entries, print));
    return printExactJson(value);
  })}\n`;
}

const print = (_key: string, value: unknown): string => printExactJson(value);

function printObject(value: unknown, printValue: (key: string, value: unknown) => string): string {
  const entries = Object.entries(value as object);
  if (entries.length === 0) return '{}';
  return `{\n${entries.map(([key, each]) => `${JSON.stringify(key)}:${printValue(key, each)}`).join(',\n')}\n}`;
}

/** The licence of data without a declared licence. */
export const UNKNOWN_LICENCE = 'unknown';

export interface LicenceObject {
  readonly name: string;
  /** An SPDX expression; `LicenseRef-…` for a licence without an SPDX id. */
  readonly identifier: string;
}

/** The licence object for documents about a farm's data. */
export function licenceObject(licence: string = UNKNOWN_LICENCE): LicenceObject {
  return { name: licence, identifier: spdxExpression(licence) };
}

function spdxExpression(licence: string): string {
  const creativeCommons = /^CC[ -]?(0|BY(?:[ -](?:NC|SA|ND))*)[ -](\d\.\d)$/i.exec(licence);
  if (creativeCommons) {
    const [, kind = '', version] = creativeCommons;
    const id = kind === '0' ? 'CC0' : `CC-${kind.replaceAll(' ', '-')}`;
    return `${id}-${version}`.toUpperCase();
  }
  if (licence !== UNKNOWN_LICENCE && /^[A-Za-z0-9.+-]+$/.test(licence)) return licence;
  return `LicenseRef-${licence.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-|-$/g, '') || UNKNOWN_LICENCE}`;
}

/**
 * How zod schemas are converted to JSON Schema. JSON has only numbers, so a number or bigint becomes a
 * number. A tuple becomes an array of fixed length, since few consumers of tool schemas support tuples.
 */
export const JSON_SCHEMA_FORM = {
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    const { def } = zodSchema._zod;
    if (def.type === 'tuple') asArray(jsonSchema);
    if (def.type !== 'union' || jsonSchema.anyOf === undefined) return;
    const options = (def as z.core.$ZodUnionDef).options;
    const known = jsonSchema.anyOf.filter((_, i) => options[i]?._zod.def.type !== 'bigint');
    // An alternative without a JSON Schema form, such as a text parsed into another value, would allow
    // anything.
    const described = known.filter((each) => Object.keys(each).length > 0);
    jsonSchema.anyOf = described.length > 0 ? described : known;
  },
} as const satisfies z.core.ToJSONSchemaParams;

/** Converts a zod schema to JSON Schema, in that form. */
export function toJsonSchema(schema: z.ZodType, params: { io?: 'input' | 'output' } = {}) {
  return z.toJSONSchema(schema, { ...params, ...JSON_SCHEMA_FORM });
}

/** Rewrites `[a, b]` as two items of either type. */
function asArray(schema: z.core.JSONSchema.BaseSchema): void {
  const items = schema.prefixItems ?? [];
  const types = [...new Set(items.flatMap((item) => (typeof item === 'object' ? (item.type ?? []) : [])))];
  const [only] = types;
  delete schema.prefixItems;
  Object.assign(schema, {
    items: types.length === 1 ? { type: only } : { anyOf: items },
    minItems: items.length,
    maxItems: items.length,
  });
}
