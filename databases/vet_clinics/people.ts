import { addDays, dayFirst } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Staff {
  staffId: number;
  clinicId: number;
  firstName: string;
  lastName: string;
  role: string;
  salary: number | null;
  hired: string;
  licenseNo: string | null;
  managerId: number | null;
}

const salaries = { MGR: 58_000, VET: 51_000, NUR: 27_500, REC: 22_000 };
const staffPerClinic = [14, 9, 7, 20, 6, 5, 7, 8, 16, 5, 3];

/** The staff, everyone under the manager of their clinic, and the managers under the first of them. */
export function growStaff(source: Source): Staff[] {
  const random = createRandom('vet_clinics/staff');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const staff: Staff[] = [];
  staffPerClinic.forEach((size, clinic) => {
    const managerId = 101 + staff.length;
    for (let i = 0; i < size; i++) {
      const role = i === 0 ? 'MGR' : i === 1 ? 'VET' : random.weighted({ VET: 4, NUR: 5, REC: 3 });
      staff.push({
        staffId: 101 + staff.length,
        clinicId: clinic + 1,
        firstName: random.pick(firstNames),
        lastName: random.pick(lastNames),
        role: random.chance(0.04) ? role.toLowerCase() : role,
        salary: random.chance(0.04) ? null : random.near(salaries[role] / 500, salaries[role] / 2500) * 500,
        hired: addDays('2006-01-09', random.int(0, 6700)),
        licenseNo: role === 'VET' ? `V-${random.int(10_000, 99_999)}${random.chance(0.1) ? '/T' : ''}` : null,
        managerId: i > 0 ? managerId : staff.length === 0 ? null : 101,
      });
    }
  });
  return staff;
}

interface Owner {
  ownerId: number;
  name: string;
  phone: string | null;
  email: string | null;
  city: string | null;
  postcode: string | null;
  joined: string;
  notes: string | Buffer | null;
}

const cities = [
  'Saltmere',
  'Ashcombe',
  'Millbrook',
  'Fernhill',
  'Penwick',
  'Thornbury Lane',
  'Lower Eddle',
  'saltmere',
];

/** "cafe owner" and "nee Ferreira" with an accent in Latin-1: not valid UTF-8. */
const latin1Notes = [
  Buffer.from('caf\xe9 owner, comes late', 'latin1'),
  Buffer.from('n\xe9e Ferreira', 'latin1'),
];

/** The owners, a few of them registered twice. */
export function growOwners(source: Source): Owner[] {
  const random = createRandom('vet_clinics/owner');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const notes = source.words('owner-notes.txt');
  const owners: Owner[] = [];
  for (let i = 0; i < 620; i++) {
    const twin = random.chance(0.02) && i > 20 ? random.pick(owners) : undefined;
    const first = random.pick(firstNames);
    const last = random.pick(lastNames);
    const city = random.pickSkewed(cities);
    owners.push({
      ownerId: 5001 + i,
      name: twin
        ? `${twin.name} `
        : random.chance(0.04)
          ? `${last}, ${first}`.toUpperCase()
          : `${last}, ${first}`,
      phone:
        twin?.phone ??
        (random.chance(0.07) ? null : `0${random.int(70, 79)} ${random.int(100_000, 999_999)}`),
      email:
        random.weighted({ none: 3, blank: 1, given: 16 }) === 'given'
          ? mailbox(first, last, random.int(1, 99))
          : random.pick([null, '']),
      city: random.chance(0.03) ? null : city,
      postcode: random.chance(0.05) ? null : `0${1000 + cities.indexOf(city) * 700 + random.int(0, 9) * 10}`,
      joined: dayFirst(addDays('2015-03-02', random.int(0, 3560)), '/'),
      notes: i % 97 === 41 ? random.pick(latin1Notes) : random.chance(0.3) ? random.pick(notes) : null,
    });
  }
  return owners;
}

function mailbox(first: string, last: string, number: number): string {
  return `${first}.${last}${number}@post.example`.toLowerCase().replace("'", '');
}
