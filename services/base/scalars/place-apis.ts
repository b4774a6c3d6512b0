import { DISTANCE_UNITS, type DistanceUnit, distanceBetween, type Position, rounded } from './distance.ts';
import type { PlacePart } from './place.ts';
import type { Gazetteer } from './places.ts';
import { ChosenPlace, NoPlace, type ScalarApi, type ScalarInput } from './scalar-api.ts';
import type { WorldPlacePart } from './world.ts';

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
    compute([name = ''], places) {
      const found = partOf(String(name), part, places);
      if (found instanceof NoPlace) return found;
      return found.isAmbiguous ? new ChosenPlace(found.value) : found.value;
    },
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
    const positions: Position[] = [];
    let isAmbiguous = false;
    for (const name of [String(from), String(to)]) {
      const latitude = partOf(name, 'latitude', places);
      const longitude = partOf(name, 'longitude', places);
      if (latitude instanceof NoPlace) return latitude;
      if (longitude instanceof NoPlace) return longitude;
      const position = { latitude: latitude.value, longitude: longitude.value };
      if (!isPosition(position)) return null;
      positions.push(position);
      isAmbiguous ||= latitude.isAmbiguous || longitude.isAmbiguous;
    }
    const [a, b] = positions;
    if (!a || !b) return null;
    const distance = distanceBetween(a, b, unit as DistanceUnit);
    return isAmbiguous ? new ChosenPlace(distance) : distance;
  },
};

export const PLACE_APIS: readonly ScalarApi[] = [...parts, calculateDistance];

function isPosition(given: Readonly<Record<keyof Position, unknown>>): given is Position {
  return typeof given.latitude === 'number' && typeof given.longitude === 'number';
}

function partOf(name: string, part: PlacePart, places: Gazetteer): WorldPlacePart | NoPlace {
  const found = places.find(name, part);
  if ('unknown' in found) return new NoPlace(name, found.unknown);
  const { value, isAmbiguous = false } = found;
  return { value: typeof value === 'number' ? rounded(value, 6) : value, isAmbiguous };
}
