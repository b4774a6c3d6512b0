import type { Connection, SqlValue } from '../sqlite/driver.ts';
import type { Place } from './place.ts';
import type { PlaceField, PlaceSource } from './place-sources.ts';

/** More rows of a table are not read: a table so large lists no places. */
const MOST_ROWS = 200_000;

/** The places that a domain's tables tell of. Throws SqliteError. */
export function* readPlaces(
  connection: Pick<Connection, 'prepareAdHoc'>,
  sources: readonly PlaceSource[],
): Generator<Place> {
  for (const { table, names, fields } of sources) {
    const columns = [...names, ...Object.values(fields)];
    const list = columns.map(quoted).join(', ');
    const rows = connection.prepareAdHoc(`SELECT ${list} FROM ${quoted(table)} LIMIT ${MOST_ROWS}`).all();
    for (const row of rows)
      yield* placesOf(new Map(columns.map((column, i) => [column, row[i] ?? null])), names, fields);
  }
}

/** The place of a row, and its town: no more is said of a town than what it is in. */
function* placesOf(
  row: ReadonlyMap<string, SqlValue>,
  nameColumns: readonly string[],
  fields: PlaceSource['fields'],
): Generator<Place> {
  const text = (field: PlaceField) => textOf(row.get(fields[field] ?? '') ?? null);
  const around = { country: text('country'), province: text('province'), county: text('county') };
  const locality = text('locality');
  const names = nameColumns.flatMap((column) => textOf(row.get(column) ?? null) ?? []);
  if (names.length > 0) {
    yield {
      names,
      ...around,
      locality,
      latitude: degreesOf(row.get(fields.latitude ?? '')),
      longitude: degreesOf(row.get(fields.longitude ?? '')),
      street: text('street'),
      street_number: text('street_number'),
      postal_code: text('postal_code'),
    };
  }
  if (locality === null) return;
  const nowhere = { latitude: null, longitude: null, street: null, street_number: null, postal_code: null };
  yield { names: [locality], ...around, locality, ...nowhere };
}

function textOf(value: SqlValue): string | null {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function degreesOf(value: SqlValue | undefined): number | null {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
