import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';
import type { Film } from './films.ts';

export interface Print {
  can: string;
  filmId: number | null;
  gauge: string;
  base: string;
  element: string;
  metres: number | null;
  feet: number | null;
  reels: number;
  vaultId: string | null;
  came: string;
  from: string;
}

interface Inspection {
  inspectionId: number;
  can: string;
  employeeId: number;
  day: string;
  grade: number;
  shrinkage: string | null;
  vinegar: number | null;
  remark: string | null;
}

const remarks = [
  'torn perforation',
  'smells',
  'edges curled',
  'splices open',
  'Bild schön, Ton schwach',
  'très sale',
];

/** The cans in the vaults, one in thirty not identified, and their inspections, which never find them getting better. */
export function growPrints(source: Source, films: readonly Film[]) {
  const random = createRandom('film_archive/print');
  const staff = source.rows('employees.csv').filter((row) => row('job') === 'inspector');
  const prints = Array.from({ length: 1100 }, (_, i) => growPrint(random, films, i));
  const inspections: Inspection[] = [];
  for (const print of prints) {
    let grade = random.weighted({ 1: 6, 2: 5, 3: 2, 4: 1 });
    let vinegar = 0;
    let day = addDays(print.came > '2012-01-01' ? print.came : '2012-01-01', random.int(20, 1400));
    while (day < '2025-01-01' && !random.chance(0.12)) {
      const on = day;
      const present = staff.filter((row) => row('since') <= on && (row('until') || '9') >= on);
      if (present.length > 0) {
        inspections.push({
          inspectionId: 0,
          can: print.can,
          employeeId: Number(random.pick(present)('id')),
          day,
          grade: Number(grade),
          shrinkage: random.chance(0.25)
            ? null
            : `${(Number(grade) * 0.3 + random.int(0, 6) / 10).toFixed(1)} %`.replace('.', ','),
          vinegar: print.base === 'A' ? vinegar : null,
          remark: random.chance(0.3) ? random.pick(remarks) : null,
        });
      }
      if (random.chance(0.3) && Number(grade) < 5) grade = String(Number(grade) + 1) as typeof grade;
      if (random.chance(print.vaultId === 'B3' ? 0.7 : 0.2)) vinegar = Math.min(3, vinegar + 1);
      day = addDays(day, random.int(500, 1600));
    }
  }
  inspections.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.can < b.can ? -1 : 1));
  inspections.forEach((inspection, i) => {
    inspection.inspectionId = 1001 + i;
  });
  return { prints, inspections };
}

function growPrint(random: Random, films: readonly Film[], i: number): Print {
  const film = random.pickSkewed(films);
  const early = Number(film.year?.match(/\d{4}/)?.[0] ?? 1925) < 1950;
  const base = early ? random.weighted({ N: 6, A: 4, P: 2 }) : random.weighted({ A: 4, P: 3 });
  const gauge =
    base === 'N' ? '35mm' : random.weighted({ '35mm': 6, '16mm': 4, '9.5mm': base === 'A' ? 1 : 0 });
  const metres = Math.round((film.minutes ?? 40) * (gauge === '35mm' ? 26 : 11) * random.near(0.93, 0.12, 3));
  const overseas = random.chance(0.07);
  return {
    can: `FA-${String(100 + i * 3).padStart(6, '0')}`,
    filmId: random.chance(0.035) ? null : film.filmId,
    gauge,
    base,
    element: random.weighted({ positive: 7, negative: 3, sound: film.silent ? 0 : 1 }),
    metres: overseas ? null : metres,
    feet: overseas ? Math.round(metres * 3.2808) : null,
    reels: Math.max(1, Math.round(metres / 300)),
    vaultId: random.chance(0.02)
      ? null
      : base === 'N'
        ? random.weighted({ A1: 10, A2: 9, B2: 0.2 })
        : random.weighted({ A2: 1, B1: 6, B2: 6, B3: 3, C1: 1 }),
    came: addDays('1962-03-01', Math.floor(random.next() * 22_800)),
    from: random.weighted({ gift: 5, purchase: 2, deposit: 4, found: 1 }),
  };
}
