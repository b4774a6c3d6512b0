import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source, SourceRow } from '../source.ts';
import type { Applicant, Officer } from './people.ts';

export interface Permit {
  permitNo: string;
  typeCode: string;
  applicantId: number;
  officerId: number | null;
  address: string;
  wardNo: number | null;
  filedOn: string;
  decidedOn: string | null;
  status: number;
  worksValue: number | null;
  supersededBy: string | null;
}

const typeWeights = { BLD: 9, DEM: 1, TRE: 4, SCA: 6, TER: 4, EVT: 3, SGN: 4, STA: 3, ALC: 2 };

/** The applications: trees after the storm of November 2022, tables in spring, and all slow while the office moved in 2023. */
export function growPermits(source: Source, applicants: readonly Applicant[], officers: readonly Officer[]) {
  const random = createRandom('city_permits/permit');
  const streets = source.rows('streets.csv');
  const types = source.rows('permit-types.csv');
  const counters = new Map<string, number>();
  const permits: Permit[] = [];
  const numberOf = (type: string, filedOn: string) => {
    const series = `${type}-${filedOn.slice(0, 4)}`;
    counters.set(series, (counters.get(series) ?? 0) + 1);
    return `${series}-${String(counters.get(series)).padStart(4, '0')}`;
  };
  for (let day = 0; day < 1085; day++) {
    const filedOn = addDays('2022-01-03', day);
    const storm = filedOn > '2022-11-17' && filedOn < '2022-12-06';
    for (let i = random.int(0, storm ? 8 : 3); i > 0; i--) {
      const spring = /-0[345]-/.test(filedOn);
      const type =
        storm && random.chance(0.7)
          ? 'TRE'
          : spring && random.chance(0.2)
            ? 'TER'
            : random.weighted(typeWeights);
      const row = types.find((candidate) => candidate('code') === type);
      const street = random.pickSkewed(streets);
      const earlier = permits.length > 40 ? random.pick(permits) : undefined;
      const replaces =
        earlier?.typeCode === type && earlier.supersededBy === null && random.chance(0.45)
          ? earlier
          : undefined;
      const outcome = decide(random, filedOn, Number(row?.('days') || 60));
      const permit: Permit = {
        permitNo: numberOf(type, filedOn),
        typeCode: type,
        applicantId: replaces?.applicantId ?? random.pickSkewed(fitting(applicants, type)).applicantId,
        officerId: outcome.status === 10 ? null : officerOn(random, officers, filedOn).officerId,
        address: replaces && random.chance(0.5) ? replaces.address : addressOn(random, street, streets),
        wardNo: random.chance(0.07) ? null : Number(street('ward')),
        filedOn,
        ...outcome,
        worksValue: worksValueOf(random, type, filedOn),
        supersededBy: null,
      };
      permits.push(permit);
      if (replaces) Object.assign(replaces, { supersededBy: permit.permitNo, status: 70 });
    }
  }
  return permits;
}

function fitting(applicants: readonly Applicant[], type: string): Applicant[] {
  return applicants.filter(({ kind }) => (/TER|SGN|ALC|STA/.test(type) ? kind === 'B' : true));
}

function officerOn(random: Random, officers: readonly Officer[], day: string): Officer {
  return random.pickSkewed(officers.filter(({ since, until }) => since <= day && (until ?? '9') >= day));
}

function decide(random: Random, filedOn: string, days: number) {
  const slow = filedOn > '2023-03-01' && filedOn < '2023-08-31' ? 1.9 : 1;
  const decidedOn = addDays(filedOn, Math.max(1, Math.round(days * (0.15 + 0.95 * random.next()) * slow)));
  if (decidedOn > '2024-12-20')
    return { decidedOn: null, status: Number(random.weighted({ 10: 2, 15: 1, 20: 4 })) };
  const status = Number(random.weighted({ 30: 10, 35: 6, 40: 3, 50: 1 }));
  return { decidedOn, status };
}

/** Thousands until the end of 2022, euros since. */
function worksValueOf(random: Random, type: string, filedOn: string): number | null {
  if (!/BLD|DEM|SCA|SGN/.test(type) || random.chance(0.08)) return null;
  const thousands = type === 'BLD' ? 4 + 380 * random.next() ** 3 : 1 + 40 * random.next() ** 2;
  return filedOn < '2023' ? Math.round(thousands * 10) / 10 : Math.round(thousands * 10) * 100;
}

/** An address as people write them. */
function addressOn(random: Random, street: SourceRow, streets: readonly SourceRow[]): string {
  const name = street('name');
  const short = name.replace('Street', 'St').replace('Road', 'Rd.').replace('Avenue', 'Ave');
  const number = random.int(1, 88);
  return random.weighted({
    [`${number} ${name}`]: 10,
    [`${number}${random.pick(['a', 'b', ' rear'])} ${name}`]: 2,
    [`${short} ${number}`]: 3,
    [`${name.toUpperCase()} ${number}`]: 1,
    [`opposite ${number} ${name}`]: 1,
    [`corner of ${name} and ${random.pick(streets)('name')}`]: 1,
    [`${number} ${name}, 2nd floor`]: 1,
  });
}
