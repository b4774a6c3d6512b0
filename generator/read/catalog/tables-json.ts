import { basename } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../../contracts/errors.ts';
import { firstWord } from '../files/folder.ts';
import type { Confines } from '../files/own-file.ts';
import { parseJson } from '../files/parse-json.ts';
import { readText } from '../files/read-text.ts';
import type { Annotations, TableAnnotation } from './annotations.ts';

/**
 * The friendly names that Spider's and BIRD's `tables.json` give a database's tables and columns. Of several such
 * files, those that share the first word of the questions file (`dev_tables.json`) come first.
 */
export function readTablesJson(
  files: readonly string[],
  questionsFile: string,
  db: string,
  confines: Confines,
): Annotations {
  const candidates = files.filter((file) => /(^|_)tables\.json$/.test(basename(file)));
  const word = firstWord(questionsFile);
  const inOrder = [
    ...candidates.filter((file) => firstWord(file) === word),
    ...candidates.filter((file) => firstWord(file) !== word),
  ];
  for (const file of inOrder) {
    const schema = parseSchemas(file, confines).find((one) => one.db_id === db);
    if (schema !== undefined) return { files: [file], tables: toTables(schema) };
  }
  return { files: [], tables: [] };
}

const named = z.array(z.tuple([z.number().int(), z.string()]));
const schemas = z.array(
  z.object({
    db_id: z.string(),
    table_names_original: z.array(z.string()),
    table_names: z.array(z.string()).default([]),
    column_names_original: named,
    column_names: named.default([]),
  }),
);
type Schema = z.infer<typeof schemas>[number];

/** One file serves every database of a split; the last one read is kept. */
let lastRead: { readonly file: string; readonly text: string; readonly schemas: readonly Schema[] } | null =
  null;

function parseSchemas(file: string, confines: Confines): readonly Schema[] {
  const text = readText(file, confines);
  if (lastRead?.file === file && lastRead.text === text) return lastRead.schemas;
  const result = schemas.safeParse(parseJson(file, text));
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new UserError('SPLIT_INVALID', file, `${issue?.path.join('.')}: ${issue?.message}`);
  }
  lastRead = { file, text, schemas: result.data };
  return result.data;
}

function toTables(schema: Schema): TableAnnotation[] {
  return schema.table_names_original.map((table, index) => ({
    table,
    friendly_name: given(schema.table_names[index]),
    description: null,
    columns: schema.column_names_original.flatMap(([owner, column], position) =>
      owner === index
        ? [
            {
              column,
              friendly_name: given(schema.column_names[position]?.[1]),
              description: null,
              value_description: null,
            },
          ]
        : [],
    ),
  }));
}

function given(name: string | undefined): string | null {
  const trimmed = name?.trim();
  return trimmed === undefined || trimmed === '' ? null : trimmed;
}
