import type { CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { Endpoint, Service } from '../../../contracts/service.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import type { Fields } from './bm25.ts';
import { computationsIn } from './intents.ts';
import { columnKey } from './value-index.ts';
import { stemsOf } from './words.ts';

/** A tool to be found. */
export interface IndexedTool {
  /** As it is shown. */
  readonly tool: ToolSpec;
  readonly service: Service;
  /** What the service calls it. */
  readonly name: string;
}

/** What is known of a tool for the search. */
export interface ToolDocument {
  /** As it is shown. */
  readonly name: string;
  readonly db: string;
  readonly words: Fields;
  readonly intents: readonly boolean[];
  /** Columns that its parameters are compared with, as mentions name them; those with listed values first counted. */
  readonly columns: readonly string[];
  /** How many of these have listed values. */
  readonly listed: number;
  /** How many of its parameters are numbers or dates. */
  readonly numbers: number;
}

/** Characters of a column's description, and of what it says of its values. */
const MOST_DESCRIPTION = 200;
const MOST_VALUE_CHARACTERS = 500;

/** What a list says of a tool, and what the catalog says of the columns that it reads. */
export function toolDocument({ tool, service, name }: IndexedTool): ToolDocument {
  const { description, parameters } = tool;
  const endpoint = service.endpoints.find(({ operation_id }) => operation_id === name);
  // Where a list tells nothing of its tools, a search knows their names only.
  const isDescribed = description !== '';
  const [summary = '', ...rest] = description.split(/(?<=[.;])\s/);
  const read = endpoint && isDescribed ? columnsIn(endpoint, service) : NO_COLUMNS;
  const compared = (endpoint && isDescribed ? endpoint.parameters : []).flatMap(({ column }) => column ?? []);
  const keys = [...new Set(compared.map(({ table, column }) => columnKey(service.db, table, column)))];
  const known = compared.flatMap(({ table, column }) => findColumn(service, table, column) ?? []);
  return {
    name: tool.name,
    db: service.db,
    words: {
      name: stemsOf(tool.name),
      summary: stemsOf(summary),
      description: stemsOf(rest.join(' ')),
      parameters: Object.entries(parameters.properties).flatMap(([key, schema]) =>
        stemsOf(`${key} ${(schema.description ?? '').replace(/\([^)]*\)/, '')}`),
      ),
      tables: read.tables.flatMap((table) => stemsOf(table.name)),
      columns: read.columns.flatMap(columnStems),
      values: known.flatMap(({ value_description }) =>
        stemsOf((value_description ?? '').slice(0, MOST_VALUE_CHARACTERS)),
      ),
    },
    intents: computationsIn(isRanked(description) ? `${summary} highest` : summary),
    columns: keys,
    listed: known.filter(({ values }) => values !== undefined).length,
    numbers: endpoint?.parameters.filter(isNumber).length ?? 0,
  };
}

/** What a catalog says of a column. */
export function columnStems({ name, friendly_name, description }: CatalogColumn): string[] {
  return stemsOf(`${name} ${friendly_name ?? ''} ${(description ?? '').slice(0, MOST_DESCRIPTION)}`);
}

/** Whether few of many rows are answered, in an order: the question says most or best. */
function isRanked(description: string): boolean {
  return /\bordered\b/i.test(description) && /\b(?:one row|rows) only\b/.test(description);
}

function isNumber({ type, name }: Endpoint['parameters'][number]): boolean {
  return type !== 'string' || /date|year|time|month|day/i.test(name);
}

interface ReadColumns {
  readonly tables: readonly CatalogTable[];
  readonly columns: readonly CatalogColumn[];
}

const NO_COLUMNS: ReadColumns = { tables: [], columns: [] };
const NAME = '"((?:[^"]|"")+)"';

/** The tables and columns that an endpoint's SQL names, which is printed as `FROM "table" AS "T1"` and `"T1"."column"`. */
function columnsIn({ sql }: Endpoint, { catalog }: Service): ReadColumns {
  const tables = new Map<string, CatalogTable>();
  for (const [, table = '', alias = ''] of sql.matchAll(
    new RegExp(`(?:FROM|JOIN|,) ${NAME} AS ${NAME}`, 'g'),
  )) {
    const found = catalog.tables.find(({ name }) => name === unquoted(table));
    if (found) tables.set(alias, found);
  }
  const columns = new Set<CatalogColumn>();
  for (const [, alias = '', column = ''] of sql.matchAll(new RegExp(`${NAME}\\.${NAME}`, 'g'))) {
    const found = tables.get(alias)?.columns.find(({ name }) => name === unquoted(column));
    if (found) columns.add(found);
  }
  return { tables: [...new Set(tables.values())], columns: [...columns] };
}

function findColumn({ catalog }: Service, table: string, column: string): CatalogColumn | undefined {
  return catalog.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
}

function unquoted(name: string): string {
  return name.replaceAll('""', '"');
}
