import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';

export interface Judge {
  judgeId: number;
  name: string;
  rank: string;
  chamber: number;
  appointed: string;
  retired: string | null;
}

export interface Person {
  personId: number;
  name: string | null;
  kind: string;
  born: number | null;
  town: string | null;
  barNo: string | null;
}

/** The registers that each of the twelve chambers keeps. */
export const chamberRegisters = ['C', 'C', 'C', 'T', 'T', 'F', 'F', 'S', 'S', 'E', 'H', 'X'];

const towns = ['Marwick', 'Marwick', 'Lower Tarn', 'Aldersby', 'Fenhaven', 'Port Elsin', 'marwick'];

/** The judges of each chamber, one of whom presides; some retired and were followed by others. */
export function growJudges(source: Source): Judge[] {
  const random = createRandom('court_registry/judge');
  const judges: Judge[] = [];
  chamberRegisters.forEach((_, index) => {
    for (let seat = 0; seat < 2 + (index % 2); seat++) {
      const judge = {
        judgeId: 11 + judges.length,
        name: nameOf(random, source),
        rank: seat === 0 ? 'PJ' : 'J',
        chamber: index + 1,
        appointed: addDays('1989-04-01', random.int(0, 10_500)),
        retired: random.chance(0.25) ? addDays('2020-06-30', random.int(0, 50) * 30) : null,
      };
      judges.push(judge);
      if (judge.retired !== null) {
        const appointed = addDays(judge.retired, 1);
        judges.push({
          ...judge,
          judgeId: judge.judgeId + 1,
          name: nameOf(random, source),
          rank: seat === 0 ? 'PJ' : 'PR',
          appointed,
          retired: null,
        });
      }
    }
  });
  return judges;
}

/** The people of the registry: lawyers first, some of whom go to court for themselves, then the rest and the companies. */
export function growPersons(source: Source): Person[] {
  const random = createRandom('court_registry/person');
  const companies = source.words('companies.txt');
  const authorities = ['City of Marwick', 'Youth Office', 'Tax Office Aldersby'];
  const person = (i: number): Omit<Person, 'personId'> => {
    if (i < 48) {
      return {
        name: nameOf(random, source),
        kind: 'N',
        born: random.int(1952, 1994),
        town: random.pick(towns),
        barNo: `M-${String(i * 37 + 112).padStart(4, '0')}`,
      };
    }
    const company = companies[i - 48] ?? authorities[i - 48 - companies.length];
    if (company !== undefined) {
      return {
        name: company,
        kind: i - 48 < companies.length ? 'C' : 'A',
        born: null,
        town: random.pick(towns),
        barNo: null,
      };
    }
    return {
      name: nameOf(random, source),
      kind: 'N',
      born: random.chance(0.05) ? null : random.int(1935, 2004),
      town: random.chance(0.04) ? null : random.pick(towns),
      barNo: null,
    };
  };
  return Array.from({ length: 900 }, (_, i) => ({ personId: 2001 + i, ...person(i) }));
}

function nameOf(random: Random, source: Source): string {
  return `${random.pick(source.words('last-names.txt'))}, ${random.pick(source.words('first-names.txt'))}`;
}
