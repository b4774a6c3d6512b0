import type { CatalogTable } from '../../../contracts/catalog.ts';
import { EXECUTE_SQL, GET_TABLE, RUN_SQL } from '../../../contracts/formulations/hybrid.ts';
import type { Service } from '../../../contracts/service.ts';
import { PAGE_ROWS, type TableApiStyle } from '../../../contracts/table-api.ts';
import type { ToolVariant } from '../../../contracts/tool-variants.ts';
import { SCALAR_APIS } from '../../base/scalars/registry.ts';
import { hiddenTables } from '../hidden/hidden-tables.ts';
import type { ObjectSchema } from '../live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../live-tools/toolset/tool-spec.ts';
import { parameterSchemas } from '../tables/parameter-schemas.ts';
import { type TableApi, tableApis } from '../tables/table-apis.ts';
import { scalarTool } from './scalar-tool.ts';

/** How much the tools of hidden tables can do: equality, and pages. What combines their rows is up to the agent. */
export const HYBRID_STYLE: TableApiStyle = 'plain';

/** What the description of a tool may hold for every provider, in characters. */
const MOST_CHARACTERS = 1024;
const MOST_LETTERS = 64;

const WHOLE =
  'Run one SELECT of SQLite over all tables of the database, those behind APIs too: rows are fetched from the APIs as the statement needs them.';
const SCALARS =
  ' The APIs of single values are functions in it (count_syllables(name)), and tables of their inputs and their value (JOIN count_syllables AS s ON s.string = name).';

/** A hidden table and its tool. */
export interface HiddenTool {
  readonly name: string;
  readonly api: TableApi;
}

/** The tools of the tables that a domain's first share hides, in the catalog's order; none where nothing is hidden. */
export function hiddenTools(service: Service): readonly HiddenTool[] {
  const [share] = service.hidden ?? [];
  if (!share) return [];
  const hidden = new Set(hiddenTables(service.catalog, share));
  const taken = new Set(SCALAR_APIS.map(({ name }) => name));
  return tableApis(service, HYBRID_STYLE)
    .filter(({ table }) => hidden.has(table.name))
    .map((api) => {
      const whole = `${GET_TABLE}${api.name}`.slice(0, MOST_LETTERS - 3);
      let name = whole;
      for (let n = 2; taken.has(name); n++) name = `${whole}_${n}`;
      taken.add(name);
      return { name, api };
    });
}

/** The tools of a domain at its first share; none where the farm hides nothing. */
export function hybridToolSpecs(service: Service, variant: ToolVariant = 'base'): ToolSpec[] {
  const [share] = service.hidden ?? [];
  if (!share) return [];
  const { tables } = service.catalog;
  const hidden = new Set(hiddenTables(service.catalog, share));
  const visible = tables.filter(({ name }) => !hidden.has(name));
  return [
    ...(variant === 'apart'
      ? []
      : [sqlTool(RUN_SQL, `${WHOLE}${service.scalars ? SCALARS : ''}`, tables, {})]),
    ...(visible.length > 0
      ? [
          sqlTool(
            EXECUTE_SQL,
            'Run one SELECT of SQLite over the tables that are in the database itself. The other tables are behind APIs, and do not exist here.',
            visible,
            {
              limit: {
                type: 'integer',
                minimum: 1,
                maximum: PAGE_ROWS.most,
                description: `Rows of a page; ${PAGE_ROWS.default} unless given.`,
              },
              offset: {
                type: 'integer',
                minimum: 0,
                description: 'Rows to pass over: next_offset of the page before.',
              },
            },
          ),
        ]
      : []),
    ...hiddenTools(service).map(({ name, api }) => tableTool(name, api, service.title)),
    ...(service.scalars ? SCALAR_APIS.map(scalarTool) : []),
  ];
}

function sqlTool(
  name: string,
  purpose: string,
  tables: readonly CatalogTable[],
  more: ObjectSchema['properties'],
): ToolSpec {
  const told = `Tables:\n${tables.map(describe).join('\n')}`;
  const whole = `${purpose}\n${told}`;
  const fits = whole.length <= MOST_CHARACTERS;
  const description = fits ? 'One SELECT statement of SQLite.' : `One SELECT statement of SQLite. ${told}`;
  return {
    name,
    description: fits ? whole : purpose,
    parameters: {
      type: 'object',
      properties: { sql: { type: 'string', description }, ...more },
      required: ['sql'],
      additionalProperties: false,
    },
  };
}

function describe({ name, columns, foreign_keys }: CatalogTable): string {
  const parts = columns.map((column) => `${quoted(column.name)} ${column.type}`);
  const keys = foreign_keys.map(
    (key) =>
      `${key.columns.map(quoted).join(', ')} → ${quoted(key.references_table)}(${key.references_columns.map(quoted).join(', ')})`,
  );
  return `${quoted(name)}(${[...parts, ...keys].join(', ')})`;
}

function quoted(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function tableTool(name: string, api: TableApi, title: string): ToolSpec {
  const columns = api.columns.map((column) => column.name).join(', ');
  return {
    name,
    description:
      `Rows of ${api.table.friendly_name ?? api.table.name}: ${columns}, in the context of ${title}.`.slice(
        0,
        MOST_CHARACTERS,
      ),
    parameters: {
      type: 'object',
      properties: parameterSchemas(api, HYBRID_STYLE),
      required: [],
      additionalProperties: false,
    },
  };
}
