import type { CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import type { Service } from '../../../contracts/service.ts';
import { TABLE_ARGUMENTS, TABLE_OPERATORS, type TableApiStyle } from '../../../contracts/table-api.ts';
import { uniqueKey } from '../tools/plan/unique-key.ts';

/** A table as an API. */
export interface TableApi {
  /** Last part of its address: `^[A-Za-z0-9_]+$`, unique in the domain. */
  readonly name: string;
  readonly table: CatalogTable;
  readonly columns: readonly ApiColumn[];
}

/** A column as a parameter, and as a key of each row. */
export interface ApiColumn {
  readonly name: string;
  readonly column: CatalogColumn;
}

const known = new WeakMap<Service, Map<TableApiStyle, readonly TableApi[]>>();

/** The APIs of a domain's tables and views, in the catalog's order; made once. */
export function tableApis(service: Service, style: TableApiStyle): readonly TableApi[] {
  const styles = known.get(service) ?? new Map<TableApiStyle, readonly TableApi[]>();
  known.set(service, styles);
  const made = styles.get(style) ?? makeApis(service, style);
  styles.set(style, made);
  return made;
}

/** As in the paper, names are in lower case in its style. */
function makeApis({ catalog }: Service, style: TableApiStyle): TableApi[] {
  const cased = (name: string) => (style === 'paper' ? name.toLowerCase() : name);
  const names = new Set<string>();
  return catalog.tables.map((table) => {
    const taken = new Set<string>(TABLE_ARGUMENTS);
    const columns = table.columns.map((column) => {
      const name = cased(uniqueKey(column.name, taken));
      for (const operator of TABLE_OPERATORS) taken.add(`${name}__${operator}`.toLowerCase());
      return { name, column };
    });
    return { name: cased(uniqueKey(table.name, names)), table, columns };
  });
}
