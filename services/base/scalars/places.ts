import { withoutMarks } from './plain-words.ts';

/** What is known of a place; null: not known. */
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

export type PlacePart = Exclude<keyof Place, 'names'> | 'address';

/** A part of a place, or why there is none. */
export type Found =
  | { readonly value: string | number | null }
  | { readonly unknown: 'no_place' | 'several_places' };

/** Places by name. A name that several places have means none of them, unless what is asked is the same for all. */
export class Gazetteer {
  readonly #byName = new Map<string, Place[]>();

  constructor(places: Iterable<Place>) {
    for (const place of places) for (const name of spellings(place)) this.#add(name, place);
  }

  /** `name`, `name, province` or `name, country`; case and accents do not matter. */
  find(name: string, part: PlacePart): Found {
    const places = this.#byName.get(keyOf(name));
    if (!places) return { unknown: 'no_place' };
    // One that does not say contradicts no other.
    const values = new Set(places.map((place) => partOf(place, part)).filter((value) => value !== null));
    if (values.size > 1) return { unknown: 'several_places' };
    return { value: [...values][0] ?? null };
  }

  #add(name: string, place: Place): void {
    const key = keyOf(name);
    const others = this.#byName.get(key);
    if (!others) this.#byName.set(key, [place]);
    // Every customer of a town tells the same of it.
    else if (!others.some((other) => isSame(other, place))) others.push(place);
  }
}

function spellings({ names, province, country }: Place): string[] {
  const around = [province, country].filter((name) => name !== null);
  return names.flatMap((name) => [name, ...around.map((more) => `${name}, ${more}`)]);
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

function keyOf(name: string): string {
  return withoutMarks(name).toLowerCase().replace(/\s+/g, ' ').replace(/ ?, ?/g, ', ').trim();
}

function partOf(place: Place, part: PlacePart): string | number | null {
  return part === 'address' ? addressOf(place) : place[part];
}

/** `street number, postal code locality, province, country`, as far as it is known. */
function addressOf({
  street,
  street_number,
  postal_code,
  locality,
  province,
  country,
}: Place): string | null {
  const together = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(' ');
  const lines = [together(street, street_number), together(postal_code, locality), province, country];
  const known = lines.filter((line) => line !== null && line !== '');
  return known.length === 0 ? null : known.join(', ');
}
