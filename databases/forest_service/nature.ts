import { addDays, addMinutes } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Source } from '../source.ts';
import type { Parcel, Stand } from './land.ts';

const months = [
  'januari',
  'februari',
  'mars',
  'april',
  'maj',
  'juni',
  'juli',
  'augusti',
  'september',
  'oktober',
  'november',
  'december',
];

/** Fires of April to August, most of them small; 2018 had the large ones. */
export function growFires(parcels: readonly Parcel[]) {
  const random = createRandom('forest_service/brand');
  return Array.from({ length: 210 }, () => {
    const year = random.chance(0.25) ? 2018 : random.int(2005, 2024);
    return addDays(`${year}-04-10`, random.near(75, 74));
  })
    .sort()
    .map((day, i) => {
      const { number, unit } = random.pick(parcels);
      const alarm = addMinutes(`${day} 09:00:00`, random.int(0, 720)).slice(0, 16);
      const hectares = random.next() ** 4 * (day.startsWith('2018') ? 420 : 14) + 0.1;
      return {
        id: i + 1,
        parcel: number,
        alarm,
        out: random.chance(0.04)
          ? null
          : addMinutes(`${alarm}:00`, Math.round(60 + hectares * random.int(20, 90))).slice(0, 16),
        area: round(unit === 'ac' ? hectares * 2.4711 : hectares, 1),
        unit,
        cause: random.weighted({ B: 5, E: 6, T: 2, M: 2, none: 3 }),
      };
    })
    .map((fire) => ({ ...fire, cause: fire.cause === 'none' ? null : fire.cause }));
}

/** Beetles in the traps of spruce stands, week by week; they swarm in the summers after storm and drought. */
export function growCatches(stands: readonly Stand[]) {
  const random = createRandom('forest_service/barkborrefångst');
  const parcels = [...new Set(stands.filter(({ species }) => species === 'G').map(({ parcel }) => parcel))];
  const traps = Array.from({ length: 34 }, (_, i) => ({ name: `F${i + 1}`, parcel: random.pick(parcels) }));
  return traps.flatMap(({ name, parcel }) =>
    [2014, 2015, 2016, 2017, 2018, 2019, 2020, 2021].flatMap((year) =>
      [18, 20, 22, 24, 26, 28, 30, 32].flatMap((week) => {
        if (random.chance(0.08)) return [];
        const swarm = ({ 2016: 3, 2018: 2, 2019: 5, 2020: 3 } as Record<number, number>)[year] ?? 1;
        const season = week === 22 || week === 24 ? 4 : week < 20 || week > 30 ? 0.4 : 1;
        const count = random.chance(0.04) ? null : Math.round(random.near(900, 800) * swarm * season);
        const line = [name, parcel, year, `v. ${week}`, count];
        return random.chance(0.02) ? [line, line] : [line];
      }),
    ),
  );
}

/** Rare species, the date as the observers write it and the rest as JSON. */
export function growFinds(source: Source, parcels: readonly Parcel[]) {
  const random = createRandom('forest_service/artfynd');
  const species = source.words('arter.txt').map((line) => line.split('|'));
  const observers = source.words('efternamn.txt').slice(4, 16);
  return Array.from({ length: 880 }, (_, i) => {
    const [name = '', group = ''] = random.pickSkewed(species);
    const [year, month, day] = addDays(`${random.int(2006, 2024)}-04-10`, random.int(0, 175))
      .split('-')
      .map(Number);
    const details = {
      rapportör: random.pick(observers),
      metod: random.pick(['inventering', 'tillfällig', 'kamera']),
      säker: random.chance(0.85),
    };
    return {
      id: i + 1,
      parcel: random.pickSkewed(parcels).number,
      name: random.chance(0.04) ? name.toLowerCase() : name,
      group,
      date: `${day} ${months[(month ?? 1) - 1]} ${year}`,
      count: random.chance(0.1) ? null : random.int(1, 1 + Math.round(random.next() ** 3 * 60)),
      details: JSON.stringify(details),
    };
  });
}
