import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Branch } from './house.ts';

interface Librarian {
  staffNo: number;
  branchId: number | null;
  name: string;
  role: string;
  hours: number;
  since: string;
  reportsTo: number | null;
}

/** The staff: the head office first, then every branch under its head. */
export function growLibrarians(source: Source, branches: readonly Branch[]): Librarian[] {
  const random = createRandom('city_library/librarian');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const staff: Librarian[] = [];
  const add = (branchId: number | null, role: string, reportsTo: number | null) => {
    staff.push({
      staffNo: 11 + staff.length,
      branchId,
      name: `${random.pick(lastNames)}, ${random.pick(firstNames)}`,
      role,
      hours: random.pick([39, 39, 30, 25.5, 19.5]),
      since: addDays('1991-04-01', random.int(0, 12_100)),
      reportsTo,
    });
    return 10 + staff.length;
  };
  const director = add(null, 'HEAD', null);
  for (let i = 0; i < 3; i++) add(null, 'IT', director);
  for (const { branchId, size } of branches) {
    const head = add(branchId, 'HEAD', director);
    for (let i = 0; i < size / 2.5; i++) {
      add(branchId, random.weighted({ LIB: 5, ASST: 6, CHILD: 3 }), head);
    }
  }
  return staff;
}

export interface Reader {
  readerId: number;
  name: string;
  oldCard: string | null;
  card: string | null;
  category: string;
  born: number | null;
  quarter: string | null;
  joined: string;
  blocked: string | null;
}

/** The day the library moved to the new cards. */
export const MOVE = '2022-06-01';

const institutions = ['Kindergarten Regenbogen', 'Linden Street School', 'Seamen’s Mission', 'City Prison'];

/** The readers; those from before the move have an old card, and most of them a new one as well. */
export function growReaders(source: Source, branches: readonly Branch[]): Reader[] {
  const random = createRandom('city_library/reader');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const quarters = [...branches.map((branch) => branch.quarter), 'Weststadt', 'out of town'];
  return Array.from({ length: 640 }, (_, i) => {
    const joined = addDays('2008-02-04', Math.floor(6150 * Math.sqrt((i + 1) / 640)));
    const number = 4000 + i * 3 + random.int(0, 2);
    const institution = institutions[Math.floor(i / 150)];
    const isInstitution = i % 150 === 77 && institution !== undefined;
    const category = isInstitution ? 'I' : random.weighted({ A: 10, C: 7, S: 4, P: 4 });
    const youngest = { A: 1990, C: 2018, S: 2004, P: 1956, I: 0 }[category];
    return {
      readerId: 1001 + i,
      name: isInstitution ? institution : `${random.pick(firstNames)} ${random.pick(lastNames)}`,
      oldCard: joined < MOVE ? `K-${String(number).padStart(5, '0')}` : null,
      card:
        joined < MOVE && random.chance(0.16)
          ? null
          : `${joined < MOVE ? 2022 : joined.slice(0, 4)}/${String(number).padStart(6, '0')}/${(number * 7) % 10}`,
      category,
      born: isInstitution ? null : youngest - random.int(0, category === 'A' ? 30 : 9),
      quarter: random.chance(0.04) ? null : random.pickSkewed(quarters),
      joined,
      blocked: random.chance(0.05) ? random.pick(['unpaid fines', 'moved away', 'card stolen']) : null,
    };
  });
}
