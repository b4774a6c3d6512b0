import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';
import type { Parcel, Stand } from './land.ts';

interface Damage {
  stormId: number;
  parcel: string;
  felled: number;
  cleared: string | null;
}

const prices = { T: 520, G: 490, B: 390, E: 1450, C: 430 };

/** What each storm blew down; Hjördis of 2015 took more than all the others together. */
export function growDamage(source: Source, parcels: readonly Parcel[]): Damage[] {
  const random = createRandom('forest_service/stormskada');
  return source.rows('stormar.csv').flatMap((row) => {
    const isGreat = row('namn') === 'Hjördis';
    const hit = new Set(Array.from({ length: Number(row('skiften')) }, () => random.pick(parcels)));
    return [...hit].map(({ number }) => {
      const volume = Math.round(random.next() ** 3 * (isGreat ? 24_000 : 900)) + 5;
      const cleared = addDays(row('datum'), random.int(30, isGreat ? 900 : 400));
      return {
        stormId: Number(row('id')),
        parcel: number,
        felled: volume,
        cleared: random.chance(0.06) || cleared > '2024-12-01' ? null : cleared,
      };
    });
  });
}

/** Thinnings in winter, final fellings, and clearing after storms; timber was cheap after Hjördis. */
export function growFellings(
  stands: readonly Stand[],
  parcels: readonly Parcel[],
  damages: readonly Damage[],
) {
  const random = createRandom('forest_service/avverkning');
  const open = new Set(parcels.filter(({ protection }) => protection === null).map(({ number }) => number));
  const standing = stands.filter(({ parcel }) => open.has(parcel));
  const planned = Array.from({ length: 1150 }, () => {
    const date = addDays(
      `${random.int(2005, 2024)}-${random.pick(['01', '01', '02', '02', '03', '06', '09', '11', '12'])}-01`,
      random.int(0, 27),
    );
    return { stand: random.pick(standing), kind: random.weighted({ G: 7, S: 3 }), date };
  });
  const afterStorms = damages.flatMap(({ parcel, cleared, felled }) => {
    const stand = stands.find((candidate) => candidate.parcel === parcel);
    return stand && cleared && random.chance(0.6)
      ? [{ stand, kind: 'U' as const, date: cleared, felled }]
      : [];
  });
  const numbers = new Map<string, number>();
  return [...planned, ...afterStorms]
    .filter(({ date }) => date < '2024-12-15')
    .sort((a, b) => (a.date < b.date ? -1 : 1))
    .map(({ stand, kind, date, ...rest }, i) => {
      const year = date.slice(0, 4);
      numbers.set(year, (numbers.get(year) ?? 0) + 1);
      const cheap = date >= '2015-02' && date < '2016-06' ? 0.6 : 1;
      const volume =
        'felled' in rest
          ? Number(rest.felled) * random.near(0.7, 0.1, 2)
          : random.near(kind === 'G' ? 260 : 1500, kind === 'G' ? 220 : 1400, 1);
      return {
        id: 60_001 + i,
        order: `${year}/${String(numbers.get(year)).padStart(4, '0')}`,
        standId: stand.id,
        contractorId: random.chance(0.04) ? null : random.pickSkewed([1, 4, 2, 6, 8, 3, 5, 9, 7]),
        kind,
        date,
        volume: Math.round(volume * 10) / 10,
        price: random.chance(0.05)
          ? null
          : Math.round(prices[stand.species] * cheap * random.near(1, 0.2, 2)),
        fine: random.chance(0.03) ? fineOf(random) : null,
      };
    });
}

function fineOf(random: Random): string {
  return `${random.int(2, 60)} ${random.pick(['000', '500'])} kr`;
}

/** Plantings of May and September; few plants outlived the drought of 2018. */
export function growPlantings(stands: readonly Stand[]) {
  const random = createRandom('forest_service/plantering');
  return stands
    .filter(({ planted }) => planted !== null && planted >= 2003)
    .concat(Array.from({ length: 260 }, () => random.pick(stands)))
    .map(({ id, planted }) => {
      const year = planted !== null && planted >= 2003 ? planted : random.int(2005, 2024);
      return { id, date: addDays(`${year}-${random.pick(['05', '05', '09'])}-01`, random.int(0, 29)) };
    })
    .sort((a, b) => (a.date < b.date ? -1 : 1))
    .map(({ id, date }, i) => ({
      plantingId: i + 1,
      standId: id,
      date,
      plants: random.int(4, 160) * 250,
      survival:
        date > '2022-06' || random.chance(0.1) ? null : random.near(date.startsWith('2018') ? 34 : 82, 15),
    }));
}
