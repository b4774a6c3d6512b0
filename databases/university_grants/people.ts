import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Researcher {
  id: string;
  firstName: string;
  surname: string;
  deptId: number;
  rank: string;
  born: number | null;
  joined: string;
  left: string | null;
}

export interface NameChange {
  researcherId: string;
  changed: string;
  oldSurname: string;
  newSurname: string;
}

/** The researchers as they are called today. */
export function growResearchers(source: Source): Researcher[] {
  const random = createRandom('university_grants/researcher');
  const firstNames = source.words('first-names.txt');
  const surnames = source.words('surnames.txt');
  return Array.from({ length: 260 }, (_, i) => {
    const rank = random.weighted({ PROF: 3, READ: 2, SEN: 4, LECT: 6, POST: 5 });
    const age = { PROF: 58, READ: 52, SEN: 47, LECT: 40, POST: 32 }[rank];
    const born = 2024 - random.near(age, 8);
    const deptId = random.int(1, 20);
    const joined = addDays(`${Math.max(1984, born + 27)}-09-01`, random.int(0, 1500));
    return {
      id: `R${String(i * 3 + 7).padStart(4, '0')}`,
      firstName: random.pick(firstNames),
      surname: random.pick(surnames),
      deptId: deptId === 5 && random.chance(0.7) ? 6 : deptId,
      rank,
      born: random.chance(0.04) ? null : born,
      joined,
      left: random.chance(0.14) ? addDays('2016-01-31', random.int(0, 3200)) : null,
    };
  }).map((person) => ({
    ...person,
    left: person.left !== null && person.left > person.joined ? person.left : null,
  }));
}

/** Names before today's: one in nine married, divorced or chose another; a few did so twice. */
export function growNameChanges(source: Source, researchers: readonly Researcher[]): NameChange[] {
  const random = createRandom('university_grants/name_change');
  const surnames = source.words('surnames.txt');
  return researchers.flatMap(({ id, surname }) => {
    if (!random.chance(0.11)) return [];
    const changed = addDays('2013-05-04', random.int(900, 3900));
    const before = random.pick(surnames.filter((name) => name !== surname));
    const last = { researcherId: id, changed, oldSurname: before, newSurname: surname };
    if (!random.chance(0.2)) return [last];
    const first = random.pick(surnames.filter((name) => name !== before));
    const earlier = addDays(changed, -random.int(300, 890));
    return [{ researcherId: id, changed: earlier, oldSurname: first, newSurname: before }, last];
  });
}

/** What somebody was called on a day. */
export function surnameOn({ id, surname }: Researcher, changes: readonly NameChange[], day: string): string {
  return changes.find((change) => change.researcherId === id && change.changed > day)?.oldSurname ?? surname;
}
