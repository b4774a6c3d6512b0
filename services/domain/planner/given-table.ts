import { declaredAffinity } from '../../../contracts/column-affinity.ts';
import type { GivenColumn, GivenTable } from '../../base/workspace/messages.ts';
import type { TableApi } from '../tables/table-apis.ts';
import type { ApiSource } from './api-sources.ts';
import { apiName } from './options.ts';
import { type ApiRow, toSqlValue } from './read-rows.ts';

/** The columns that a statement reads of a source; one at least, so that its rows can be counted. */
export function neededColumns({ table, columns }: ApiSource): readonly string[] {
  const needed = table.columns.map(({ name }) => name).filter((name) => columns.includes(name));
  return needed.length > 0 ? needed : table.columns.slice(0, 1).map(({ name }) => name);
}

/** The rows of a source as a table, with values stored and compared as in the one that they come from. */
export function givenTable(
  { source, table }: ApiSource,
  api: TableApi,
  columns: readonly string[],
  rows: readonly ApiRow[],
): GivenTable {
  const described = columns.flatMap((name) => table.columns.find((column) => column.name === name) ?? []);
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  const readers = described.map(({ name, statistics: { storage } }) => ({
    key: apiName(api, name),
    // Where texts stand beside blobs, nothing tells them apart.
    isBlob: storage.blob > 0 && storage.text === 0,
  }));
  return {
    // No table of a database is called so: no digit of an id is hidden by another name.
    name: `rows of ${source.id}`,
    columns: described.map(
      ({ name, declared_type, collation, primary_key }): GivenColumn => ({
        name,
        declaredType: declared_type,
        collation,
        isRowid:
          primary_key > 0 &&
          keys.length === 1 &&
          declared_type.toUpperCase() === 'INTEGER' &&
          declaredAffinity(declared_type) === 'integer',
      }),
    ),
    rows: rows.map((row) => readers.map(({ key, isBlob }) => toSqlValue(row[key], isBlob))),
  };
}
