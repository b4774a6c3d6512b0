import { createHash } from 'node:crypto';
import type { GazetteerMark } from '../../../contracts/farm.ts';
import { type Place, type PlacePart, partOf, placeKey, spellings } from './place.ts';
import lines from './world-places.json' with { type: 'json' };

/** A part of the place that a name means; null where it is not known. */
export interface WorldPlacePart {
  readonly value: string | number | null;
  /** Whether other places of that name would give another value. */
  readonly isAmbiguous: boolean;
}

/**
 * The larger towns of the world with the provinces and countries they are in, from Natural Earth, which is in the public
 * domain: see scripts/write-world-places.ts. A name means a country before a town and a town before a province, and
 * the larger of two towns: London is in the United Kingdom, and “London, Ontario” in Canada.
 */
class World {
  readonly #byName = new Map<string, Place[]>();

  constructor(places: Iterable<Place>) {
    for (const place of places) {
      for (const key of new Set(spellings(place).map(placeKey))) {
        const others = this.#byName.get(key);
        if (others) others.push(place);
        else this.#byName.set(key, [place]);
      }
    }
  }

  /**
   * A part of the place that a key (`placeKey`) means: null if it is not known, undefined if the place is not. With `likes`, only of a
   * place that is in the country or province of each of them, as far as these are told.
   */
  find(key: string, part: PlacePart, likes: readonly Place[] = []): WorldPlacePart | undefined {
    const places = (this.#byName.get(key) ?? []).filter((place) =>
      likes.every((like) => this.#isAround(like, place)),
    );
    const [first] = places;
    if (first === undefined) return undefined;
    // A country has no coordinates, but a city of the same name in it has: Singapore.
    const same = places.filter(({ country }) => country === first.country);
    const value = same.map((place) => partOf(place, part)).find((told) => told !== null) ?? null;
    // One that does not say contradicts no other.
    const others = places.map((place) => partOf(place, part)).filter((told) => told !== null);
    return { value, isAmbiguous: others.some((other) => other !== value) };
  }

  /** Whether what both say of the country and the province is the same, and is said at least once. */
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
    const country = this.#byName.get(key)?.find((place) => isCountry(place));
    return country ? placeKey(String(country.country)) : key;
  }
}

/** Other names of countries that data use. */
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

/** Counted up when places, or what names mean, change. */
const VERSION = 1;

/** Which places of the world these are: two gazetteers of one hash understand every name alike. */
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

/** The places of the world; read when first asked for. */
export function world(): World {
  made ??= new World(allPlaces(lines));
  return made;
}

/** Countries, towns from the largest, provinces: the order in which a name is understood. */
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
  return {
    latitude: null,
    longitude: null,
    country: null,
    province: null,
    county: null,
    locality: null,
    street: null,
    street_number: null,
    postal_code: null,
    ...known,
    names,
  };
}

function isCountry({ locality, province }: Place): boolean {
  return locality === null && province === null;
}
