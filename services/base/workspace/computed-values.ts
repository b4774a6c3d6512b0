import type { PlaceSource } from '../scalars/place-sources.ts';
import { Gazetteer } from '../scalars/places.ts';
import { readPlaces } from '../scalars/read-places.ts';
import { scalarInSql } from '../scalars/scalar-in-sql.ts';
import { betterSqlite3 } from '../sqlite/better-sqlite3.ts';
import type { ScalarValues } from './register-scalars.ts';

/** The values of scalar APIs as they are computed, with the places that these tables of a database tell of. */
export function computedValues(database: string, sources: readonly PlaceSource[]): ScalarValues {
  let places: Gazetteer | undefined;
  // Opened for itself: a statement cannot be begun on a connection while it calls a function.
  const readAll = () => {
    const connection = betterSqlite3.open(database);
    try {
      return new Gazetteer(readPlaces(connection, sources));
    } finally {
      connection.close();
    }
  };
  return (api, inputs) => {
    places ??= readAll();
    return scalarInSql(api, inputs, places);
  };
}
