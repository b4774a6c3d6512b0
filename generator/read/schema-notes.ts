import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { quoteIdentifier } from '../../sql/print.ts';
import { listTables } from './catalog.ts';
import { type Confines, matchName, parseYaml, readText } from './files.ts';
import { withReadonly } from './open-database.ts';

/** Notes on tables and columns found beside a schema, by name, with the table's own text. */
export type SchemaNotes = ReadonlyMap<string, TableNotes>;

interface TableNotes {
  readonly text: string;
  readonly columns: ReadonlyMap<string, string>;
}

/** The comments in the `CREATE TABLE` statements of a database. */
export function readComments(databaseFile: string): SchemaNotes {
  const tables = withReadonly(databaseFile, listTables).filter(({ view }) => !view);
  return new Map(tables.map(({ name, sql }) => [name, commentsOf(sql)]));
}

/** Different values of the first rows, by table and column: at most `most` of each, and of a long text its beginning. */
export function readSampleValues(
  databaseFile: string,
  { tables }: Catalog,
  most: number,
): ReadonlyMap<string, Readonly<Record<string, readonly string[]>>> {
  return withReadonly(databaseFile, (connection) => {
    const valuesOf = ({ name, columns }: CatalogTable) => {
      const rows = connection
        .prepare<[], Record<string, unknown>>(`SELECT * FROM ${quoteIdentifier(name)} LIMIT 200`)
        .safeIntegers()
        .all();
      const of = (column: string) => {
        const found = rows
          .map((row) => row[column])
          .filter((value) => value !== null && !Buffer.isBuffer(value));
        return [...new Set(found.map((value) => String(value).slice(0, 60)))].slice(0, most);
      };
      return [name, Object.fromEntries(columns.map((column) => [column.name, of(column.name)]))] as const;
    };
    return new Map(tables.map(valuesOf));
  });
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[^\s(),'"`[\]/-]+|[^ \t]/g;

/** Comments belong to the column whose line they end, or that follows them. */
export function commentsOf(sql: string): TableNotes {
  const columns = new Map<string, string>();
  const table: string[] = [];
  let depth = 0;
  let current: string | null = null;
  let ended: string | null = null;
  let ahead: string[] = [];
  const add = (column: string, texts: readonly string[]) =>
    columns.set(column, [columns.get(column) ?? '', ...texts].filter((text) => text !== '').join(' '));
  for (const [token] of sql.matchAll(TOKEN)) {
    const comment = /^--|^\/\*/.test(token);
    const text = token
      .replace(/^--+|^\/\*+|\*+\/$/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (comment && depth === 0) table.push(text);
    else if (comment && (current ?? ended) !== null) add(current ?? ended ?? '', [text]);
    else if (comment) ahead.push(text);
    else if (token === '\n') ended = null;
    else if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (token === ',' && depth === 1) [ended, current] = [current, null];
    else if (depth === 1 && current === null) {
      current = token.replace(/^["'`[]|["'`\]]$/g, '');
      ended = null;
      add(current, ahead);
      ahead = [];
    }
  }
  return { text: table.join(' '), columns };
}

const described = { name: z.string(), description: z.string().nullish() };
const model = z.object({ ...described, columns: z.array(z.object(described)).nullish() });
const dbtSchema = z.object({
  models: z.array(model).nullish(),
  sources: z.array(z.object({ tables: z.array(model).nullish() })).nullish(),
});

/** The descriptions in the `schema.yml` of dbt in the first of some folders that has one. */
export function readDbtSchema(folders: readonly string[], confines: Confines): SchemaNotes {
  const files = folders.flatMap((folder) => ['schema.yml', 'schema.yaml'].map((name) => join(folder, name)));
  const file = files.find((one) => existsSync(one));
  if (file === undefined) return new Map();
  const { models, sources } = parseYaml(file, readText(file, confines), dbtSchema);
  const tables = [...(models ?? []), ...(sources ?? []).flatMap((source) => source.tables ?? [])];
  return new Map(
    tables.map(({ name, description, columns }) => [
      name,
      {
        text: description ?? '',
        columns: new Map((columns ?? []).map((column) => [column.name, column.description ?? ''])),
      },
    ]),
  );
}

/** Adds notes to a catalog where it has no descriptions; names are matched leniently, unknown ones ignored. */
export function withNotes(catalog: Catalog, notes: SchemaNotes): Catalog {
  const tables = catalog.tables.map(({ name }) => name);
  const found = new Map([...notes].map(([name, own]) => [matchName(tables, name), own]));
  return {
    ...catalog,
    tables: catalog.tables.map((table) => {
      const own = found.get(table.name);
      return own === undefined ? table : tableWithNotes(table, own);
    }),
  };
}

function tableWithNotes(table: CatalogTable, { text, columns }: TableNotes): CatalogTable {
  const names = table.columns.map(({ name }) => name);
  const found = new Map([...columns].map(([name, note]) => [matchName(names, name), note]));
  return {
    ...table,
    description: table.description ?? (text === '' ? null : text),
    columns: table.columns.map((column) => columnWithNote(column, found.get(column.name) ?? '')),
  };
}

function columnWithNote(column: CatalogColumn, note: string): CatalogColumn {
  if (note === '' || column.friendly_name !== null || column.description !== null) return column;
  const legend = /^(.*?)[:;,(]?\s*([^\s(:;,]{1,12}\s*=.*?)\)?$/.exec(note);
  const [first = ''] = (legend?.[1] ?? note).split(/[.;:,(]|\s(?:which|that|when|where)\s/);
  const noun = first.replace(/^(the|a|an) /i, '').trim();
  const isNoun = /^\p{L}[\p{L}\p{N} '-]*$/u.test(noun) && noun.split(' ').length <= 5;
  return {
    ...column,
    friendly_name: isNoun ? noun : null,
    description: note,
    value_description: column.value_description ?? legend?.[2] ?? null,
  };
}
