import type { CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { HiddenShare, TableApiStyle } from '../../../contracts/hybrid.ts';
import { domainPath } from '../../../contracts/paths.ts';
import type { Service } from '../../../contracts/service.ts';
import { quoteIdentifier } from '../../../sql/index.ts';
import { SCALARS_BY_NAME } from '../../base/scalars/scalars.ts';
import { planScope } from './hybrid-tools.ts';
import { scalarsOpenapi } from './scalar-routes.ts';
import { tableApis } from './table-call.ts';
import { tablesOpenapi } from './table-routes.ts';

/** `sql`: all tables alike; `openapi`: the APIs; `text`: both, a line for each table. */
export const VIEW_FORMS = ['sql', 'openapi', 'text'] as const;
export type ViewForm = (typeof VIEW_FORMS)[number];

/** Something that statements may name: a table of the database, or an API as a table. */
interface Entity {
  readonly table: CatalogTable;
  /** The address of its API, and the API's names of its columns; null for a table of the database. */
  readonly api: { readonly path: string; readonly names: readonly string[] } | null;
  /** Columns that a statement must give a value for. */
  readonly inputs: ReadonlySet<string>;
}

/** What a domain's statements can name at a share, and which API stands for what. */
export function domainView(service: Service, share: HiddenShare, style: TableApiStyle, form: ViewForm) {
  const entities = entitiesOf(service, share, style);
  if (form === 'openapi') return `${JSON.stringify(mapping(service, style, entities), null, 2)}\n`;
  const lines = entities.map(form === 'sql' ? createTable : describe);
  return `${lines.join(form === 'sql' ? '\n\n' : '\n')}\n`;
}

function entitiesOf(service: Service, share: HiddenShare, style: TableApiStyle): Entity[] {
  const { catalog, hidden, virtual } = planScope({ service }, share);
  const root = domainPath(service.split, service.db);
  const apis = new Map(tableApis(service, style).map((api) => [api.table.name, api]));
  return catalog.tables.map((table): Entity => {
    const api = hidden.has(table.name) ? apis.get(table.name) : undefined;
    const scalar = virtual.has(table.name) ? SCALARS_BY_NAME.get(table.name) : undefined;
    const names = (api?.columns ?? table.columns).map(({ name }) => name);
    const path = scalar ? `scalars/${table.name}` : api ? `tables/${api.name}` : null;
    const needed = scalar?.inputs.filter(({ usual }) => usual === undefined) ?? [];
    return {
      table,
      api: path === null ? null : { path: `${root}/${path}`, names },
      inputs: new Set(needed.map(({ name }) => name)),
    };
  });
}

const TYPES: Readonly<Record<CatalogColumn['type'], string>> = {
  integer: 'INTEGER',
  number: 'REAL',
  string: 'TEXT',
};

function createTable({ table, api, inputs }: Entity): string {
  const key = table.columns
    .filter(({ primary_key }) => primary_key > 0)
    .sort((a, b) => a.primary_key - b.primary_key);
  const columns = table.columns.map(({ name, declared_type, type, not_null }) => ({
    text: `${quoteIdentifier(name)} ${declared_type || TYPES[type]}${not_null ? ' NOT NULL' : ''}`,
    note: inputs.has(name) ? ' -- input' : '',
  }));
  const constraints = [
    ...(key.length > 0 ? [`PRIMARY KEY (${listed(key.map(({ name }) => name))})`] : []),
    ...table.foreign_keys.map(
      (each) =>
        `FOREIGN KEY (${listed(each.columns)}) REFERENCES ${quoteIdentifier(each.references_table)} (${listed(each.references_columns)})`,
    ),
  ].map((text) => ({ text, note: '' }));
  const parts = [...columns, ...constraints];
  const body = parts.map(({ text, note }, i) => `  ${text}${i < parts.length - 1 ? ',' : ''}${note}`);
  const origin = api === null ? 'in the database' : `API: POST ${api.path}`;
  return `-- ${origin}\nCREATE TABLE ${quoteIdentifier(table.name)} (\n${body.join('\n')}\n);`;
}

function listed(names: readonly string[]): string {
  return names.map(quoteIdentifier).join(', ');
}

function describe({ table, api, inputs }: Entity): string {
  const columns = table.columns.map(({ name }, i) => {
    const own = api?.names[i] ?? name;
    return `${name}${own === name ? '' : ` (API: ${own})`}${inputs.has(name) ? ' (input)' : ''}`;
  });
  const keys = table.foreign_keys.map(
    (each) => `${each.columns.join(', ')} → ${each.references_table}(${each.references_columns.join(', ')})`,
  );
  const origin = api === null ? 'database' : `POST ${api.path}`;
  return [`${table.name}: ${origin}`, columns.join(', '), ...keys].join('; ');
}

/** One OpenAPI document of the APIs that stand for tables, and of the scalar ones. */
function mapping(service: Service, style: TableApiStyle, entities: readonly Entity[]) {
  const used = new Set(entities.flatMap(({ api }) => api?.path ?? []));
  const tables = tablesOpenapi(service, style);
  const paths = { ...tables.paths, ...scalarsOpenapi(service).paths };
  return {
    ...tables,
    info: { ...tables.info, title: `${service.title}: APIs behind tables` },
    paths: Object.fromEntries(Object.entries(paths).filter(([path]) => used.has(path))),
  };
}
