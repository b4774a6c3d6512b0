import type { Catalog, CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { HiddenShare } from '../../../contracts/share.ts';
import { SCALAR_APIS } from '../../base/scalars/registry.ts';
import type { ScalarApi } from '../../base/scalars/scalar-api.ts';
import { hiddenTables, visibleCatalog } from '../hidden/hidden-tables.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';

/** What a statement with APIs in it may name. */
export interface PlanScope {
  /** Visible tables, hidden ones as virtual tables, and the scalar APIs as virtual tables. */
  readonly catalog: Catalog;
  /** Tables that are read by API. */
  readonly hidden: ReadonlySet<string>;
  /** Scalar APIs that are tables: they have rows for given inputs only. */
  readonly virtual: ReadonlySet<string>;
}

/** The scalar APIs as functions of SQL. */
export const SCALAR_FUNCTIONS: ReadonlySet<string> = new Set(SCALAR_APIS.map(({ name }) => name));

/** What a statement may name at a share. */
export function planScope(domain: ServedDomain, share: HiddenShare): PlanScope {
  const hidden = hiddenTables(domain.service.catalog, share);
  const catalog = visibleCatalog(domain.service.catalog, hidden);
  const behind = new Set(hidden);
  const byApi = domain.service.catalog.tables
    .filter(({ name }) => behind.has(name))
    // An API tells no row ids.
    .map((table) => ({ ...table, has_rowid: false }));
  const tables = [...catalog.tables, ...byApi];
  const taken = new Set(domain.service.catalog.tables.map(({ name }) => name.toLowerCase()));
  const scalars = SCALAR_APIS.filter(({ name }) => !taken.has(name)).map(scalarTable);
  return {
    catalog: { ...catalog, tables: [...tables, ...scalars] },
    hidden: behind,
    virtual: new Set(scalars.map(({ name }) => name)),
  };
}

/** An API as a table of its inputs and its value. */
function scalarTable({ name, description, inputs, output }: ScalarApi): CatalogTable {
  return {
    name,
    friendly_name: null,
    description,
    rows: 0,
    columns: [...inputs, output].map((each) => scalarColumn(each.name, each.type)),
    foreign_keys: [],
    has_rowid: false,
    view: false,
  };
}

function scalarColumn(name: string, type: ScalarApi['output']['type']): CatalogColumn {
  return {
    name,
    declared_type: '',
    type: type === 'boolean' ? 'integer' : type,
    not_null: false,
    primary_key: 0,
    collation: 'BINARY',
    friendly_name: null,
    description: null,
    value_description: null,
    statistics: {
      rows: 0,
      nulls: 0,
      distinct: 0,
      min: null,
      max: null,
      storage: { integer: 0, real: 0, text: 0, blob: 0 },
    },
  };
}
