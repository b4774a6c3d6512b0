import { type Place, type PlacePart, partOf, placeKey, spellings } from './place.ts';
import { type WorldPlacePart, world } from './world.ts';

/** A part of a place, or why there is none. */
export type GazetteerEntry =
  | { readonly value: string | number | null; readonly isAmbiguous?: true }
  | { readonly unknown: 'no_place' | 'several_places' };

/**
 * Places by name: those given, and behind them those of the world. A name that several of the given places have means
 * none of them, unless what is asked is the same for all; one that several of the world have means the largest, and the
 * answer says so.
 */
export class Gazetteer {
  readonly #byName = new Map<string, Place[]>();

  constructor(places: Iterable<Place>) {
    for (const place of places) for (const name of spellings(place)) this.#add(name, place);
  }

  /** `name`, `name, province` or `name, country`; case and accents do not matter. */
  find(name: string, part: PlacePart): GazetteerEntry {
    const key = placeKey(name);
    const places = this.#byName.get(key);
    if (!places) {
      const meant = world().find(key, part);
      return meant === undefined ? { unknown: 'no_place' } : asFound(meant);
    }
    // One that does not say contradicts no other.
    const values = new Set(places.map((place) => partOf(place, part)).filter((value) => value !== null));
    if (values.size > 1) return { unknown: 'several_places' };
    const [value] = values;
    // What the own tables leave open is taken from the world where it is the same place.
    if (value !== undefined) return { value };
    const meant = world().find(key, part, places);
    return meant === undefined ? { value: null } : asFound(meant);
  }

  #add(name: string, place: Place): void {
    const key = placeKey(name);
    const others = this.#byName.get(key);
    if (!others) this.#byName.set(key, [place]);
    // Every customer of a town tells the same of it.
    else if (!others.some((other) => isSame(other, place))) others.push(place);
  }
}

function asFound({ value, isAmbiguous }: WorldPlacePart): GazetteerEntry {
  return isAmbiguous ? { value, isAmbiguous } : { value };
}

function isSame(a: Place, b: Place): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}

const FIELDS = [
  'latitude',
  'longitude',
  'country',
  'province',
  'county',
  'locality',
  'street',
  'street_number',
  'postal_code',
] as const;
