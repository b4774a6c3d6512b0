import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { JsonObject } from '../../json/lossless.ts';
import { importInvalid } from '../imported.ts';
import { findQuirks, type Quirk } from './find-quirks.ts';
import { collectionsIn, publishedRecord, toArguments } from './published-query.ts';

/** A published question with its gold query. There are no rows to it, so that it is no question of a split. */
export interface ImportedQuery {
  /** Place in the file, from 0. */
  readonly id: number;
  readonly question: string;
  /** Names of its schema's collections. */
  readonly collections: readonly string[];
  /** Arguments of the `query` tool. */
  readonly query: JsonObject;
  readonly quirks: readonly Quirk[];
}

/** Reads DBGorilla's published questions, in either of the two forms in use. Throws IMPORT_INVALID. */
export function importDbGorilla(file: string): ImportedQuery[] {
  const read = z.array(publishedRecord).min(1).safeParse(readJson(file));
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.length ? `record ${issue.path.join('.')}: ` : '';
    throw importInvalid(file, `is no list of questions with their queries (${where}${issue?.message})`);
  }
  return read.data.map(({ schema, question, query: given }, id) => {
    const query = toArguments(given);
    const collections = collectionsIn(schema);
    const quirks = findQuirks(query, collections);
    return { id, question, collections: collections.map(({ name }) => name), query, quirks };
  });
}

/** A JSON file's content. Throws IMPORT_INVALID. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw importInvalid(file, 'is no JSON file', error);
  }
}
