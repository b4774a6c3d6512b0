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
