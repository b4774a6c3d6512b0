import { z } from 'zod';
import { problem } from '../../../contracts/api.ts';
import { bareColumn, bareTable, type Catalog, type CatalogTable } from '../../../contracts/catalog.ts';
import { EXECUTE_SQL, GET_TABLE, hybrid, RUN_SQL } from '../../../contracts/formulations.ts';
import { atShare, type HiddenShare, printShare, type TableApiStyle } from '../../../contracts/hybrid.ts';
import type { Service } from '../../../contracts/service.ts';
import type { ToolVariant } from '../../../contracts/toolset-options.ts';
import { freeName } from '../../../contracts/wording.ts';
import { mapValues } from '../../base/arguments.ts';
import { domainDocument, errorCodes, schemaOf, toolOperation } from '../../base/http/api-document.ts';
import { type Api, isList, outputsOf, SCALAR_APIS, SCALARS_BY_NAME } from '../../base/scalars/scalars.ts';
import { seededOrder } from '../../base/seeded-order.ts';
import type { ServedDomain } from '../runtime.ts';
import {
  answerOf,
  COLUMNS,
  closedObject,
  type JsonSchema,
  MOST_CHARACTERS,
  type ObjectSchema,
  ROWS,
  type ToolSpec,
} from '../tools/tool-spec.ts';
import { answerItem, listSchema, MOST_ITEMS } from './scalar-routes.ts';
import { type TableApi, tableApis } from './table-call.ts';
import { PAGES, parameterSchemas } from './table-routes.ts';

/** What the tools of hidden tables can do: equality and paging. Combining their rows is up to the agent. */
export const HYBRID_STYLE: TableApiStyle = 'plain';

const MOST_LETTERS = 64;

const WHOLE =
  'Run one SELECT of SQLite over all tables of the database, those behind APIs too: rows are fetched from the APIs as the statement needs them.';
const SCALARS =
  ' The APIs of single values are functions in it (count_syllables(name)), and tables of their inputs and their value (JOIN count_syllables AS s ON s.string = name). Those of lists are tables only.';

/** The tools of the tables that a domain's first share hides, in catalog order; none if nothing is hidden. */
export function hiddenTools(service: Service) {
  const [share] = service.hidden ?? [];
  if (!share) return [];
  const hidden = new Set(hiddenTables(service.catalog, share));
  const taken = new Set(SCALAR_APIS.map(({ name }) => name));
  return tableApis(service, HYBRID_STYLE)
    .filter(({ table }) => hidden.has(table.name))
    .map((api) => ({ name: freeName(`${GET_TABLE}${api.name}`.slice(0, MOST_LETTERS - 3), taken), api }));
}

/** The tools of a domain at its first share; none if the farm hides nothing. */
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
            PAGES,
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
    parameters: closedObject({ sql: { type: 'string', description }, ...more }, ['sql']),
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
    parameters: closedObject(parameterSchemas(api, HYBRID_STYLE), []),
  };
}

/** A scalar API as a tool that takes many inputs at once and returns rows of inputs and value or list. */
export function scalarTool(api: Api): ToolSpec {
  const { name, description, inputs } = api;
  const told = inputs.map((input) => `${input.name} ${input.type}`).join(', ');
  return {
    name,
    description: `${description} ${name}(${told}) → ${answerText(api)}`,
    parameters: closedObject({
      inputs: {
        type: 'array',
        minItems: 1,
        maxItems: MOST_ITEMS,
        description: 'What is asked about, each by itself.',
        items: closedObject(
          Object.fromEntries(
            inputs.map(({ name, type, description, values }) => [
              name,
              { type, description, ...(values ? { enum: [...values] } : {}) },
            ]),
          ),
          inputs.flatMap((input) => (input.usual === undefined ? [input.name] : [])),
        ),
      },
    }),
  };
}

function answerText(api: Api): string {
  if (isList(api))
    return `${api.list}, a list of ${api.columns.map((column) => `${column.name} ${column.type}`).join(', ')}.`;
  const { name, type } = api.output;
  return `${name} ${type === 'boolean' ? 'integer, 1 or 0' : type}, null where there is none.`;
}

export const scalarArguments = z.strictObject({
  inputs: z.array(z.record(z.string(), z.unknown())).min(1).max(MOST_ITEMS),
});

/** One row per input, in order; a row without a value states the reason. Booleans are 1 and 0, as in SQL. */
export function scalarRows(
  api: Api,
  { inputs }: z.infer<typeof scalarArguments>,
  domain: ServedDomain,
): unknown {
  const data = inputs.map((given) => {
    const { error, ...item } = answerItem(api, given, domain);
    const cells = mapValues(item, (value) => (typeof value === 'boolean' ? Number(value) : value));
    return { ...cells, ...(error ? { error: `${error.code}: ${error.detail}` } : {}) };
  });
  return { data, row_count: data.length, truncated: false };
}

const CODES = errorCodes(
  'INVALID_PARAMETERS BAD_REQUEST UNKNOWN_TOOL UNKNOWN_DOMAIN UNBOUND_API_INPUT PLAN_TOO_LARGE',
  'QUERY_FAILED QUERY_TOO_COMPLEX API_FAILED OVERLOADED QUERY_TIMEOUT INTERNAL',
);

export function hybridOpenapi(service: Service) {
  const { title, hidden = [] } = service;
  const info = {
    title: `${title}: ${hybrid.title} tools`,
    summary: hybrid.summary,
    description:
      'A share of the tables is behind APIs; SQL sees the others, or all. The share stands in the path.',
  };
  return domainDocument(service, info, {
    tags: [{ name: hybrid.title, description: hybrid.summary }],
    paths: Object.fromEntries(
      hidden.flatMap((share) => {
        const own = atShare(service, share);
        return hybridToolSpecs(own).map((tool) => [
          hybrid.routeOf(own, tool.name).path,
          { post: operation(tool, hidden.length > 1 ? share : null) },
        ]);
      }),
    ),
    components: { schemas: { Problem: schemaOf(problem) } },
  });
}

/** Tool names repeat across shares, but operation IDs must be unique within a document. */
function operation(tool: ToolSpec, share: HiddenShare | null) {
  const made = toolOperation(tool, hybrid.title, hybridAnswerSchema(tool.name), CODES);
  if (!share) return made;
  return {
    ...made,
    operationId: `${tool.name}_at_${printShare(share).replace('-', '_')}`,
    summary: `${made.summary}, ${share.share} % of the tables behind APIs`,
  };
}

const NEXT: Readonly<Record<string, JsonSchema>> = {
  next_offset: {
    type: ['integer', 'null'],
    description: 'Where the next page begins; null on the last one.',
  },
};

export function hybridAnswerSchema(tool: string): ObjectSchema {
  if (tool === RUN_SQL)
    return answerOf({
      ...COLUMNS,
      ...ROWS,
      executor: { type: 'string' },
      class: { type: 'string' },
      hidden: { type: 'array', items: { type: 'string' }, description: 'Tables behind APIs.' },
      plan: { type: 'array', items: { type: 'object' }, description: 'What was asked of which API.' },
      calls: { type: 'integer' },
      rows_moved: { type: 'integer' },
    });
  if (tool === EXECUTE_SQL) return answerOf({ ...COLUMNS, ...ROWS, ...NEXT });
  const api = SCALARS_BY_NAME.get(tool);
  if (api && isList(api)) {
    const items = { type: 'object', properties: { [api.list]: listSchema(api) } };
    return answerOf({ ...ROWS, data: { ...ROWS.data, items } });
  }
  if (api) return answerOf(ROWS);
  return answerOf({
    ...ROWS,
    total: { type: 'integer', description: 'Number of rows on all pages.' },
    ...NEXT,
  });
}

/**
 * The hidden tables, in the order drawn; a smaller share hides a prefix of what a larger one hides. A share strictly
 * between 0 and 100 hides at least one table and leaves at least one. After them come the views that may read one; they
 * do not count towards the share.
 */
export function hiddenTables({ db, tables }: Catalog, { share, seed }: HiddenShare): readonly string[] {
  const names = tables.filter(({ view }) => !view).map(({ name }) => name);
  const drawn = seededOrder(names, seed, `hidden tables of ${db}`, (name) => name);
  const count = Math.round((share * drawn.length) / 100);
  const some = Math.max(Math.min(1, drawn.length - 1), Math.min(count, drawn.length - 1));
  const hidden = new Set(drawn.slice(0, share === 0 ? 0 : share === 100 ? drawn.length : some));
  if (hidden.size === 0) return [];
  const views = tables.filter(({ view }) => view);
  for (let before = -1; before < hidden.size; ) {
    before = hidden.size;
    for (const { name, reads } of views)
      if (!reads || reads.some((each) => hidden.has(each))) hidden.add(name);
  }
  return [...hidden];
}

export function visibleCatalog(catalog: Catalog, hidden: readonly string[]): Catalog {
  return { ...catalog, tables: catalog.tables.filter(({ name }) => !hidden.includes(name)) };
}

/** Names that a statement with APIs may use. */
export interface PlanScope {
  /** Visible tables, and hidden tables and scalar APIs as virtual tables. */
  readonly catalog: Catalog;
  /** Tables that are read by API. */
  readonly hidden: ReadonlySet<string>;
  /** Scalar APIs as tables, which need values for their inputs. */
  readonly virtual: ReadonlySet<string>;
}

export const SCALAR_FUNCTIONS: ReadonlySet<string> = new Set(
  SCALAR_APIS.filter((api) => !isList(api)).map(({ name }) => name),
);

export function planScope(domain: Pick<ServedDomain, 'service'>, share: HiddenShare): PlanScope {
  const hidden = hiddenTables(domain.service.catalog, share);
  const catalog = visibleCatalog(domain.service.catalog, hidden);
  const behind = new Set(hidden);
  const byApi = domain.service.catalog.tables
    .filter(({ name }) => behind.has(name))
    // Rows of an API have no row id.
    .map((table) => ({ ...table, has_rowid: false }));
  const tables = [...catalog.tables, ...byApi];
  const scalars = scalarTables(domain.service.catalog);
  return {
    catalog: { ...catalog, tables: [...tables, ...scalars] },
    hidden: behind,
    virtual: new Set(scalars.map(({ name }) => name)),
  };
}

/** The scalar APIs as tables, but for those whose name a table of the database has. */
function scalarTables({ tables }: Catalog): CatalogTable[] {
  const taken = new Set(tables.map(({ name }) => name.toLowerCase()));
  return SCALAR_APIS.filter(({ name }) => !taken.has(name)).map(scalarTable);
}

/** A catalog by which gold SQL binds: APIs of lists are tables in it, since no function answers a list. */
export function withListApis(catalog: Catalog): Catalog {
  const lists = scalarTables(catalog).filter(({ name }) => !SCALAR_FUNCTIONS.has(name));
  return { ...catalog, tables: [...catalog.tables, ...lists] };
}

/** A scalar API as a table of its inputs, and its value or the columns of its list. */
function scalarTable(api: Api): CatalogTable {
  const columns = [...api.inputs, ...outputsOf(api)].map(({ name, type }) =>
    bareColumn(name, { type: type === 'boolean' ? 'integer' : type }),
  );
  return bareTable(api.name, { description: api.description, columns, has_rowid: false });
}
