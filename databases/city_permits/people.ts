import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Applicant {
  applicantId: number;
  name: string;
  kind: string;
  phone: string | null;
  registerNo: string | null;
}

export interface Officer {
  officerId: number;
  name: string;
  desk: string;
  since: string;
  until: string | null;
}

/** The applicants: the city itself, the businesses, who come often, and many people, who come once. */
export function growApplicants(source: Source): Applicant[] {
  const random = createRandom('city_permits/applicant');
  const surnames = source.words('surnames.txt');
  const businesses = source.words('businesses.txt');
  return Array.from({ length: 420 }, (_, i) => {
    const kind = i === 0 ? 'C' : i <= businesses.length * 2 ? 'B' : 'P';
    const business = `${businesses[(i - 1) % businesses.length]}${i > businesses.length ? ` (${random.pick(surnames)})` : ''}`;
    const person = `${random.pick([...'ABCDEFGHJKLMNPRSTVW'])}. ${random.pick(surnames)}`;
    return {
      applicantId: 2001 + i,
      name: kind === 'C' ? 'Town Council, Parks and Streets' : kind === 'B' ? business : person,
      kind,
      phone: random.chance(0.1) ? null : `0${random.int(4000, 4999)}-${random.int(10_000, 99_999)}`,
      registerNo:
        kind === 'B' && random.chance(0.9) ? `HR ${random.int(100, 999)}/${random.int(1, 9)}` : null,
    };
  });
}

export function growOfficers(source: Source): Officer[] {
  const random = createRandom('city_permits/officer');
  const surnames = source.words('surnames.txt');
  return Array.from({ length: 13 }, (_, i) => ({
    officerId: 11 + i,
    name: `${random.pick([...'ADEHIJKLMOPRS'])}. ${surnames[(i * 7 + 3) % surnames.length]}`,
    desk: random.pick(['Works', 'Works', 'Street', 'Trade']),
    since: addDays(i < 8 ? '2009-04-01' : '2022-06-01', random.int(0, i < 8 ? 4000 : 500)),
    until: i % 5 === 2 ? addDays('2023-05-01', i * 30) : null,
  }));
}
