import { z } from 'zod';
import { printExactJson } from './exact-json.ts';
import { type Formulation, formulation } from './sample.ts';

/** The name of a domain's OpenAPI document, in a farm's folder `openapi/` and under `/openapi/`. */
export function openapiFile(db: string, kind: Formulation): string {
  return `${db}.${kind}.json`;
}

/** The document of a file name; `db` is null for the document of all domains (`rest.json`). Null for other files. */
export function readOpenapiFile(
  file: string,
): { readonly db: string | null; readonly formulation: Formulation } | null {
  const [, db = null, kind] = FILE.exec(file) ?? [];
  const known = formulation.safeParse(kind);
  return known.success ? { db, formulation: known.data } : null;
}

const FILE = /^(?:(.+)\.)?([a-z]+)\.json$/;

/**
 * JSON text of an OpenAPI document: one line for each path, component and other field, so that the file is small and two
 * versions of it can be compared. Ends with a newline.
 */
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

/** The licence of data that nobody has told. */
export const UNKNOWN_LICENCE = 'unknown';

/** A licence as an OpenAPI document names it. */
export interface LicenceObject {
  readonly name: string;
  /** An SPDX expression: of a licence that SPDX has no id for, a `LicenseRef-`. */
  readonly identifier: string;
}

/** The licence of a farm's data, for the documents that describe them. */
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
 * How a zod schema is written as JSON Schema. JSON has numbers only, so where a schema takes a number or a bigint, the
 * JSON Schema says number. A tuple is an array of its length, since hardly any tool's schema language knows more.
 */
export const JSON_SCHEMA_FORM = {
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    const { def } = zodSchema._zod;
    if (def.type === 'tuple') asArray(jsonSchema);
    if (def.type !== 'union' || jsonSchema.anyOf === undefined) return;
    const options = (def as z.core.$ZodUnionDef).options;
    const known = jsonSchema.anyOf.filter((_, i) => options[i]?._zod.def.type !== 'bigint');
    // What has no form in JSON Schema, as a text that stands for another value, would allow anything.
    const told = known.filter((each) => Object.keys(each).length > 0);
    jsonSchema.anyOf = told.length > 0 ? told : known;
  },
} as const satisfies z.core.ToJSONSchemaParams;

/** A zod schema as JSON Schema, in that form. */
export function toJsonSchema(schema: z.ZodType, params: { io?: 'input' | 'output' } = {}) {
  return z.toJSONSchema(schema, { ...params, ...JSON_SCHEMA_FORM });
}

/** `[a, b]` as two items that are each one of the types of either. */
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
