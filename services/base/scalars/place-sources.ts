import type { Catalog, CatalogTable } from '../../../contracts/catalog.ts';
import type { Place } from './place.ts';

export type PlaceField = Exclude<keyof Place, 'names'>;

/** A table with places in it: which of its columns say what. */
export interface PlaceSource {
  readonly table: string;
  /** Columns that name the place of a row; none where only its town is a place. */
  readonly names: readonly string[];
  readonly fields: Readonly<Partial<Record<PlaceField, string>>>;
}

/** What columns with parts of an address are called, without case and separators. */
const COLUMNS: Readonly<Record<PlaceField, readonly string[]>> = {
  latitude: ['latitude', 'lat'],
  longitude: ['longitude', 'lng', 'lon', 'long'],
  country: ['country', 'countryname', 'nation'],
  province: ['province', 'state', 'region', 'provincename', 'statename'],
  county: ['county', 'district', 'countyname'],
  locality: ['locality', 'city', 'town', 'municipality', 'village', 'cityname', 'townname', 'location'],
  street: ['street', 'streetname', 'road'],
  street_number: ['streetnumber', 'housenumber'],
  postal_code: ['postalcode', 'zip', 'zipcode', 'postcode'],
};

/**
 * The tables of a domain that tell of places: those with coordinates and a name, and those with a town and what it is in.
 * A row without coordinates is no place itself, only its town is: a customer has a city, too.
 */
export function placeSources({ tables }: Catalog): PlaceSource[] {
  return tables.flatMap((table) => {
    const fields = fieldsOf(table);
    const isMapped = fields.latitude !== undefined && fields.longitude !== undefined;
    const names = isMapped ? nameColumns(table) : [];
    const tells =
      fields.locality !== undefined && (fields.country ?? fields.province ?? fields.county) !== undefined;
    return names.length > 0 || tells ? [{ table: table.name, names, fields }] : [];
  });
}

function fieldsOf({ columns }: CatalogTable): PlaceSource['fields'] {
  const fields: Partial<Record<PlaceField, string>> = {};
  for (const [field, called] of Object.entries(COLUMNS) as [PlaceField, readonly string[]][]) {
    const isDegrees = field === 'latitude' || field === 'longitude';
    const found = called.flatMap(
      (name) =>
        columns.find((column) => plain(column.name) === name && (!isDegrees || column.type !== 'string')) ??
        [],
    );
    if (found[0]) fields[field] = found[0].name;
  }
  return fields;
}

function nameColumns({ name: table, columns }: CatalogTable): string[] {
  const called = new Set([
    'name',
    'place',
    'placename',
    `${plain(table)}name`,
    `${plain(table).replace(/s$/, '')}name`,
  ]);
  return columns
    .filter(({ name, type }) => type === 'string' && called.has(plain(name)))
    .map(({ name }) => name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
