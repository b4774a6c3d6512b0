import { DISTANCE_UNITS, type DistanceUnit, distanceBetween, rounded } from './distance.ts';
import type { PlacePart } from './place.ts';
import type { Gazetteer } from './places.ts';
import { NoPlace, type ScalarApi, type ScalarInput } from './scalar-api.ts';

const place: ScalarInput = {
  name: 'place',
  type: 'string',
  description: 'A place of this database: its name, or "name, province" or "name, country".',
};

const PARTS: readonly (readonly [part: PlacePart, type: 'number' | 'string', what: string])[] = [
  [
    'address',
    'string',
    'The address of a place: street and number, postal code and locality, province, country.',
  ],
  ['latitude', 'number', 'The latitude of a place, in degrees.'],
  ['longitude', 'number', 'The longitude of a place, in degrees.'],
  ['country', 'string', 'The country that a place is in.'],
  ['province', 'string', 'The province, state or region that a place is in.'],
  ['county', 'string', 'The county or district that a place is in.'],
  ['locality', 'string', 'The town, city or village that a place is in.'],
  ['street', 'string', 'The street of a place.'],
  ['street_number', 'string', 'The street number of a place.'],
  ['postal_code', 'string', 'The postal code of a place.'],
];

const parts = PARTS.map(
  ([part, type, description]): ScalarApi => ({
    name: `get_${part}_of_place`,
    description,
    inputs: [place],
    output: { name: part, type },
    compute: ([name = ''], places) => partOf(String(name), part, places),
  }),
);

const calculateDistance: ScalarApi = {
  name: 'calculate_distance',
  description: 'The distance between two places along a great circle.',
  inputs: [
    { ...place, name: 'place_1' },
    { ...place, name: 'place_2' },
    {
      name: 'unit',
      type: 'string',
      description: 'The unit of the distance.',
      values: DISTANCE_UNITS,
      usual: 'km',
    },
  ],
  output: { name: 'distance', type: 'number' },
  compute([from, to, unit], places) {
    const positions: { latitude: number; longitude: number }[] = [];
    for (const name of [String(from), String(to)]) {
      const latitude = partOf(name, 'latitude', places);
      const longitude = partOf(name, 'longitude', places);
      if (latitude instanceof NoPlace) return latitude;
      if (longitude instanceof NoPlace) return longitude;
      if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
      positions.push({ latitude, longitude });
    }
    const [a, b] = positions;
    return a && b ? distanceBetween(a, b, unit as DistanceUnit) : null;
  },
};

export const PLACE_APIS: readonly ScalarApi[] = [...parts, calculateDistance];

function partOf(name: string, part: PlacePart, places: Gazetteer): string | number | null | NoPlace {
  const found = places.find(name, part);
  if ('unknown' in found) return new NoPlace(name, found.unknown);
  return typeof found.value === 'number' ? rounded(found.value, 6) : found.value;
}
