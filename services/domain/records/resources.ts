import type { Catalog } from '../../../contracts/catalog.ts';
import { TABLE_ARGUMENTS, TABLE_OPERATORS } from '../../../contracts/hybrid.ts';
import { keyOf, LONGEST_RESOURCE, RECORD_KEY, RECORD_OPERATORS } from '../../../contracts/records.ts';
import { namesOf } from '../../../contracts/wording.ts';
import { cached } from '../../base/concurrency.ts';
import { unknownTable } from '../../base/http/problem.ts';
import type { ApiColumn, TableApi } from '../hybrid/table-call.ts';
import { uniqueKey } from '../tools/plan.ts';

/** A table whose rows are records: they can be named by a key. */
export interface RecordApi extends TableApi {
  readonly key: readonly ApiColumn[];
}

type Described = { readonly catalog: Catalog; readonly db: string };

const apisOf = cached(makeApis);

/** The record APIs of a domain, in catalog order: a table each that has a key. */
export function recordApis({ catalog }: Pick<Described, 'catalog'>): readonly RecordApi[] {
  return apisOf(catalog);
}

/** Throws UNKNOWN_TABLE. */
export function findRecordApi(service: Described, resource: string): RecordApi {
  const apis = recordApis(service);
  const found = apis.find(({ name }) => name === resource);
  if (found) return found;
  throw unknownTable(service.db, resource, namesOf(apis));
}

function makeApis({ tables }: Catalog): RecordApi[] {
  const names = new Set<string>();
  return tables.flatMap((table) => {
    const key = keyOf(table);
    if (!key) return [];
    const taken = new Set<string>([...TABLE_ARGUMENTS, RECORD_KEY, 'sort', 'cursor']);
    const columns = table.columns.map((column) => {
      const name = uniqueKey(column.name, taken);
      for (const operator of [...TABLE_OPERATORS, ...RECORD_OPERATORS])
        taken.add(`${name}__${operator}`.toLowerCase());
      return { name, column };
    });
    // Names are cut before they are made unique; four characters are left for a number.
    const name = uniqueKey(table.name.slice(0, LONGEST_RESOURCE - 4), names);
    const named = key.map((column) => columns.find((each) => each.column === column) as ApiColumn);
    return [{ name: name.slice(0, LONGEST_RESOURCE), table, columns, key: named }];
  });
}
