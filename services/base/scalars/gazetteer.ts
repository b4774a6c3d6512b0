import { createHash } from 'node:crypto';
import type { Catalog, CatalogTable } from '../../../contracts/catalog.ts';
import type { GazetteerMark } from '../../../contracts/farm.ts';
import { getOrInsert } from '../concurrency.ts';
import { type Connection, quoted, type SqlValue } from '../sqlite/driver.ts';
import lines from './world-places.json' with { type: 'json' };

/** Attributes of a place; null if unknown. */
export interface Place {
  readonly names: readonly string[];
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly country: string | null;
  readonly province: string | null;
  readonly county: string | null;
  readonly locality: string | null;
  readonly street: string | null;
  readonly street_number: string | null;
  readonly postal_code: string | null;
}

export type PlaceField = Exclude<keyof Place, 'names'>;
export type PlacePart = PlaceField | 'address';

export function partOf(place: Place, part: PlacePart): string | number | null {
  return part === 'address' ? addressOf(place) : place[part];
}

/** The known parts of `street number, postal code locality, province, country`. */
function addressOf(place: Place): string | null {
  const { street, street_number, postal_code, locality, province, country } = place;
  const together = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(' ');
  const lines = [together(street, street_number), together(postal_code, locality), province, country];
  const known = lines.filter((line) => line !== null && line !== '');
  return known.length === 0 ? null : known.join(', ');
}

export function spellings({ names, province, country }: Place): string[] {
  const around = [province, country].filter((name) => name !== null);
  return names.flatMap((name) => [name, ...around.map((more) => `${name}, ${more}`)]);
}

/** Normalizes a name, ignoring case, accents and spaces. */
export function placeKey(name: string): string {
  return withoutMarks(name).toLowerCase().replace(/\s+/g, ' ').replace(/ ?, ?/g, ', ').trim();
}

export type GazetteerEntry = WorldPlacePart | { readonly unknown: 'no_place' | 'several_places' };

/**
 * Places by name: the given ones, then those of the world. A name that several given places share is an error, unless
 * they agree on the attribute. A name that several places of the world share means the largest, and the answer is marked.
 */
export class Gazetteer {
  readonly #byName = new Map<string, Place[]>();

  constructor(places: Iterable<Place>) {
    for (const place of places) for (const name of spellings(place)) this.#add(name, place);
  }

  /** Finds `name`, `name, province` or `name, country`, ignoring case and accents. */
  find(name: string, part: PlacePart): GazetteerEntry {
    const key = placeKey(name);
    const places = this.#byName.get(key);
    if (!places) return world().find(key, part) ?? { unknown: 'no_place' };
    // An unknown attribute contradicts none.
    const values = new Set(places.map((place) => partOf(place, part)).filter((value) => value !== null));
    if (values.size > 1) return { unknown: 'several_places' };
    const [value] = values;
    // Fills gaps from the places of the world, if it is the same place.
    if (value !== undefined) return { value, isAmbiguous: false };
    return world().find(key, part, places) ?? { value: null, isAmbiguous: false };
  }

  #add(name: string, place: Place): void {
    const places = getOrInsert(this.#byName, placeKey(name), (): Place[] => []);
    // Rows that agree on a town count once.
    const isSame = (other: Place) => PLACE_FIELDS.every((field) => other[field] === place[field]);
    if (!places.some(isSame)) places.push(place);
  }
}

/** An attribute of the place that a name means; null if unknown. */
export interface WorldPlacePart {
  readonly value: string | number | null;
  /** Whether other places of that name have another value. */
  readonly isAmbiguous: boolean;
}

/**
 * The larger towns of the world, with their provinces and countries, from Natural Earth (public domain). A name means a
 * country before a town, a town before a province, and the larger of two towns: London is in the United Kingdom, and
 * “London, Ontario” in Canada.
 */
class World {
  readonly #byName = new Map<string, Place[]>();

  constructor(places: Iterable<Place>) {
    for (const place of places) {
      for (const key of new Set(spellings(place).map(placeKey)))
        getOrInsert(this.#byName, key, (): Place[] => []).push(place);
    }
  }

  /**
   * An attribute of the place with a key (`placeKey`): null if the attribute is unknown, undefined if the place is.
   * With `likes`, the place must match the known country and province of each of them.
   */
  find(key: string, part: PlacePart, likes: readonly Place[] = []): WorldPlacePart | undefined {
    const places = (this.#byName.get(key) ?? []).filter((place) =>
      likes.every((like) => this.#isAround(like, place)),
    );
    const [first] = places;
    if (first === undefined) return undefined;
    // A country has no coordinates, but its city of the same name does: Singapore.
    const same = places.filter(({ country }) => country === first.country);
    const value = same.map((place) => partOf(place, part)).find((told) => told !== null) ?? null;
    // An unknown attribute contradicts none.
    const others = places.map((place) => partOf(place, part)).filter((told) => told !== null);
    return { value, isAmbiguous: others.some((other) => other !== value) };
  }

  /** Whether country and province agree where both are known, and at least one is. */
  #isAround(like: Place, place: Place): boolean {
    const said = (['country', 'province'] as const).flatMap((field) => {
      const [a, b] = [like[field], place[field]];
      return a === null || b === null ? [] : [this.#calledAs(a, field) === this.#calledAs(b, field)];
    });
    return said.length > 0 && said.every((isEqual) => isEqual);
  }

  #calledAs(name: string, field: 'country' | 'province'): string {
    const key = placeKey(name);
    if (field === 'province') return key;
    const country = this.#byName
      .get(key)
      ?.find((place) => place.locality === null && place.province === null);
    return country ? placeKey(String(country.country)) : key;
  }
}

/** Other names of countries, as data use them. */
const COUNTRY_NAMES: Readonly<Record<string, readonly string[]>> = {
  'United States of America': ['United States', 'USA', 'U.S.A.', 'US', 'U.S.'],
  'United Kingdom': ['UK', 'U.K.', 'Great Britain'],
  'Czech Republic': ['Czechia'],
  'Congo (Kinshasa)': ['Democratic Republic of the Congo', 'DR Congo'],
  'Congo (Brazzaville)': ['Republic of the Congo'],
  'Ivory Coast': ["Côte d'Ivoire"],
  'East Timor': ['Timor-Leste'],
  Swaziland: ['Eswatini'],
  Macedonia: ['North Macedonia'],
  Myanmar: ['Burma'],
  'Cape Verde': ['Cabo Verde'],
  Turkey: ['Türkiye'],
  'The Bahamas': ['Bahamas'],
  'The Gambia': ['Gambia'],
  'Hong Kong S.A.R.': ['Hong Kong'],
  'Macau S.A.R': ['Macau', 'Macao'],
  'Vatican (Holy See)': ['Vatican', 'Holy See'],
  Russia: ['Russian Federation'],
};

/** Incremented when places, or the meaning of names, change. */
const VERSION = 1;

/** Identifies the places of the world: gazetteers with equal hashes understand every name alike. */
export function gazetteerMark(): GazetteerMark {
  mark ??= {
    version: VERSION,
    sha256: createHash('sha256')
      .update(JSON.stringify([VERSION, COUNTRY_NAMES, lines]))
      .digest('hex'),
  };
  return mark;
}

let mark: GazetteerMark | undefined;
let made: World | undefined;

export function world(): World {
  made ??= new World(allPlaces(lines));
  return made;
}

/** Countries, towns by size, provinces: the order in which names are looked up. */
function allPlaces(towns: readonly string[]): Place[] {
  const places = towns.map(readTown);
  const countries = new Set(places.flatMap(({ country }) => country ?? []));
  const provinces = new Map(
    places.flatMap(({ province, country }) =>
      province === null ? [] : [[`${province}\t${country}`, { province, country }] as const],
    ),
  );
  return [
    ...[...countries].map((country) => area([country, ...(COUNTRY_NAMES[country] ?? [])], { country })),
    ...places,
    ...[...provinces.values()].map((place) => area([place.province], place)),
  ];
}

function readTown(line: string): Place {
  const [names = '', province = '', country = '', latitude, longitude] = line.split('\t');
  const [locality = ''] = names.split('|');
  return area(names.split('|'), {
    locality,
    province: province === '' ? null : province,
    country,
    latitude: Number(latitude),
    longitude: Number(longitude),
  });
}

function area(names: readonly string[], known: Partial<Place>): Place {
  return { ...NOWHERE, ...known, names };
}

/** A table of places, and the meaning of its columns. */
export interface PlaceSource {
  readonly table: string;
  /** Columns that name the place of a row; none if only its town is a place. */
  readonly names: readonly string[];
  readonly fields: Readonly<Partial<Record<PlaceField, string>>>;
}

/** Column names of address parts, without case and separators. */
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

const PLACE_FIELDS = Object.keys(COLUMNS) as PlaceField[];
/** A place of which nothing is known. */
const NOWHERE = Object.fromEntries(PLACE_FIELDS.map((field) => [field, null])) as Record<PlaceField, null>;

/**
 * The tables of a domain with places: those with coordinates and a name, and those with a town and its province or
 * country. A row without coordinates is no place itself, only its town is: customers have a city, too.
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
    const fits = columns.filter(({ type }) => !isDegrees || type !== 'string');
    const [found] = called.flatMap((name) => fits.find((column) => plain(column.name) === name) ?? []);
    if (found) fields[field] = found.name;
  }
  return fields;
}

function nameColumns({ name: table, columns }: CatalogTable): string[] {
  const subject = plain(table);
  const called = ['name', 'place', 'placename', `${subject}name`, `${subject.replace(/s$/, '')}name`];
  return columns
    .filter(({ name, type }) => type === 'string' && called.includes(plain(name)))
    .map(({ name }) => name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Larger tables are skipped: they do not list places. */
const MOST_ROWS = 200_000;

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

/** The place of a row, and its town with province and country only. */
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
  yield area([locality], { ...around, locality });
}

function textOf(value: SqlValue): string | null {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function degreesOf(value: SqlValue | undefined): number | null {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
}

/** Removes accents and other marks: é gives e. */
export function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}
