import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Technician {
  staffNo: string;
  firstName: string;
  lastName: string;
  licence: string | null;
  station: string;
  supervisor: string | null;
  joined: string;
  left: string | null;
}

/** The technicians; the first at each station leads the others. */
export function growTechnicians(source: Source): Technician[] {
  const random = createRandom('airline_maintenance/technician');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const crews = { BVX: 30, KLD: 18, SFM: 5, OQA: 16, TIV: 4, RHO: 4, WND: 10, GUL: 3, ZED: 3 };
  const numbers = new Set<string>();
  return Object.entries(crews).flatMap(([station, size]) => {
    const crew: Technician[] = [];
    for (let i = 0; i < size; i++) {
      let staffNo = '';
      do staffNo = String(random.int(90, 4200)).padStart(5, '0');
      while (numbers.has(staffNo));
      numbers.add(staffNo);
      const joined = addDays('1998-03-02', random.int(0, 9300));
      const licence = i === 0 ? 'C' : random.weighted({ B1: 7, B2: 4, C: 1, none: 2 });
      const closed = station === 'WND' ? '2022-03-31' : '2024-11-30';
      crew.push({
        staffNo,
        firstName: random.pick(firstNames),
        lastName: random.pick(lastNames),
        licence: licence === 'none' ? null : licence,
        station,
        supervisor: crew[0]?.staffNo ?? null,
        joined: joined < '2019-06-01' || station !== 'WND' ? joined : '2018-09-01',
        left: station === 'WND' || random.chance(0.08) ? closed : null,
      });
    }
    return crew;
  });
}

/** The parts of each chapter, several numbers of each name, and where they lie. */
export function growParts(source: Source) {
  const random = createRandom('airline_maintenance/part');
  const parts = source.rows('chapters.csv').flatMap((row, chapter) =>
    row('parts')
      .split('|')
      .flatMap((name, i) =>
        Array.from({ length: random.int(2, 4) }, (_, dash) => {
          const dollars = random.near(1, 0.7, 3) ** 4 * 6000 + random.int(8, 90);
          const price = dollars.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',');
          return {
            partNo: `${String(chapter * 37 + i * 11 + 4).padStart(5, '0')}-${String(dash + 1).padStart(2, '0')}`,
            name,
            chapter: row('chapter'),
            price: random.chance(0.04) ? null : `${random.chance(0.1) ? 'EUR' : 'USD'} ${price}`,
            lifeLimit: ['32', '72'].includes(row('chapter')) ? random.int(8, 40) * 500 : null,
          };
        }),
      ),
  );
  const stations = ['BVX', 'KLD', 'OQA', 'SFM', 'TIV', 'GUL'];
  const stock = parts.flatMap(({ partNo }) =>
    stations
      .filter((_, i) => random.chance(0.8 - i * 0.12))
      .map((station) => ({
        partNo,
        station,
        bin: random.chance(0.06) ? null : `${random.pick(['A', 'B', 'C', 'D'])}-${random.int(1, 24)}`,
        quantity: Math.max(0, random.near(4, 6)),
        minimum: random.pick([0, 1, 1, 2, 4]),
      })),
  );
  return { parts, stock };
}
