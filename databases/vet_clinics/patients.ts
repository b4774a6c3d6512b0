import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Patient {
  patientId: number;
  ownerId: number;
  name: string;
  species: string;
  breed: string | null;
  sex: string;
  born: string | null;
  weight: number | null;
  character: string | null;
  deceased: string | null;
  damId: number | null;
}

/** The animals; a breeder's young have their mother among the patients. */
export function growPatients(source: Source, ownerIds: readonly number[]): Patient[] {
  const random = createRandom('vet_clinics/patient');
  const names = source.words('pet-names.txt');
  const breeds = source.rows('breeds.csv');
  const weights = Object.fromEntries(breeds.map((row, i) => [`#${i}`, Number(row('weight'))]));
  const patients: Patient[] = [];
  for (let i = 0; i < 930; i++) {
    const row = breeds[Number(random.weighted(weights).slice(1))];
    if (row === undefined) throw new Error('breeds.csv is empty');
    const species = row('species');
    const breed = row('breed') || null;
    const born = addDays('2008-01-01', Math.floor(6100 * Math.max(random.next(), random.next())));
    const mothers = patients.filter(
      (other) => other.breed === breed && other.sex === 'F' && (other.born ?? '9') < addDays(born, -400),
    );
    const dies = random.chance(born < '2013' ? 0.5 : 0.05);
    patients.push({
      patientId: 20001 + i,
      ownerId: i < ownerIds.length - 25 ? (ownerIds[i] ?? 5001) : random.pick(ownerIds.slice(0, -25)),
      name: random.pickSkewed(names),
      species: random.chance(0.03) ? species.toLowerCase() : species,
      breed: random.chance(0.05) ? null : breed,
      sex: species === 'Tortoise' ? 'U' : random.weighted({ MN: 6, FS: 6, M: 3, F: 4 }),
      born: random.chance(0.04) ? null : random.chance(0.08) ? born.slice(0, 4) : born,
      weight: random.chance(0.06)
        ? null
        : random.near(
            (Number(row('low')) + Number(row('high'))) / 2,
            (Number(row('high')) - Number(row('low'))) / 2,
            1,
          ),
      character: random.weighted({ none: 9, calm: 8, friendly: 7, nervous: 5, 'bites!': 2, Calm: 1 }),
      deceased: dies ? addDays('2022-02-01', random.int(0, 1050)) : null,
      damId: mothers.length > 0 && random.chance(0.12) ? random.pick(mothers).patientId : null,
    });
  }
  return patients.map((patient) => ({
    ...patient,
    character: patient.character === 'none' ? null : patient.character,
  }));
}
