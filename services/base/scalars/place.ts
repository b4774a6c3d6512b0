import { withoutMarks } from './without-marks.ts';

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

/** What is said of a place; null where it is not known. */
export function partOf(place: Place, part: PlacePart): string | number | null {
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

/** What a place may be called: its names, alone and with the province or the country behind a comma. */
export function spellings({ names, province, country }: Place): string[] {
  const around = [province, country].filter((name) => name !== null);
  return names.flatMap((name) => [name, ...around.map((more) => `${name}, ${more}`)]);
}

/** The same for names that differ in case, accents and spaces only. */
export function placeKey(name: string): string {
  return withoutMarks(name).toLowerCase().replace(/\s+/g, ' ').replace(/ ?, ?/g, ', ').trim();
}
