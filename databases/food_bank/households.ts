import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import { textDate } from './text-date.ts';
import { isHelping, type Volunteer } from './volunteers.ts';

interface Household {
  householdId: number;
  registered: string;
  adults: number;
  children: number;
  ward: string | null;
  diet: string | null;
  checked: string | null;
  ended: string | null;
}

const wards = ['Canalside', 'Eastfield', 'Moorside', 'Hilltop', 'Old Town'];
const firstDay = (index: number) => addDays('2022-02-01', Math.floor((index * 1050) / 460));

/** The households, in the order in which they registered. */
export function growHouseholds(): Household[] {
  const random = createRandom('food_bank/household');
  return Array.from({ length: 460 }, (_, i) => {
    const checked = addDays(firstDay(i), random.int(0, 200));
    return {
      householdId: 3001 + i,
      registered: textDate(firstDay(i)),
      adults: random.pick([1, 1, 2, 2, 3, 4]),
      children: random.pickSkewed([0, 1, 2, 3, 4, 5, 7]),
      ward: random.chance(0.04) ? null : random.pickSkewed(wards),
      diet: random.weighted({ any: 14, halal: 4, vegetarian: 3, 'no gluten': 1 }),
      checked: random.chance(0.1) || checked > '2024-12-31' ? null : textDate(checked),
      ended: random.chance(0.3)
        ? random.pick(['found work', 'found work', 'moved away', 'not heard from'])
        : null,
    };
  }).map((household) => ({ ...household, diet: household.diet === 'any' ? null : household.diet }));
}

interface Parcel {
  parcelId: number;
  householdId: number;
  siteId: number;
  packedBy: number;
  day: string;
  size: string;
  collected: number;
}

interface ParcelLine {
  parcelId: number;
  code: string;
  kg: number;
}

const sitesOfWard: Readonly<Record<string, number>> = {
  Canalside: 3,
  Eastfield: 4,
  Moorside: 7,
  Hilltop: 2,
  'Old Town': 5,
};

/** The parcels of two years with what was in them: more before Christmas, bigger ones for families. */
export function growParcels(
  source: Source,
  households: readonly Household[],
  volunteers: readonly Volunteer[],
) {
  const random = createRandom('food_bank/parcel');
  const foods = source.rows('foods.csv');
  const parcels: Parcel[] = [];
  const lines: ParcelLine[] = [];
  for (let i = 0; i < 3100; i++) {
    const day = addDays('2023-01-04', Math.floor((i * 726) / 3100));
    const index = Math.floor(random.next() * households.length);
    const household = households[index];
    if (household === undefined || firstDay(index) > day) continue;
    const heads = household.adults + household.children;
    const size = heads <= 2 ? 'S' : heads <= 4 ? 'M' : 'L';
    const usual = sitesOfWard[household.ward ?? ''] ?? 6;
    const packers = volunteers.filter(({ role }, place) => role === 'packer' && isHelping(place, day));
    const parcel = {
      parcelId: 40_001 + parcels.length,
      householdId: household.householdId,
      siteId: (usual === 7 && day < '2023-05') || random.chance(0.1) ? 6 : usual,
      packedBy: random.pickSkewed(packers).volunteerId,
      day,
      size,
      collected: random.chance(0.05) ? 0 : 1,
    };
    parcels.push(parcel);
    const allowed = foods.filter(
      (food) =>
        (food('group') !== 'baby' || household.children > 0) &&
        !(household.diet === 'vegetarian' && food('code') === 'FIS') &&
        !(household.diet === 'no gluten' && ['PAS', 'LOA', 'ROL', 'FLO', 'PIZ'].includes(food('code'))),
    );
    const codes = new Set(
      Array.from({ length: { S: 2, M: 3, L: 5 }[size] }, () => random.pick(allowed)('code')),
    );
    for (const code of codes) {
      lines.push({
        parcelId: parcel.parcelId,
        code,
        kg: random.near({ S: 1, M: 1.8, L: 2.6 }[size], 0.7, 1),
      });
    }
  }
  return { parcels, lines };
}
