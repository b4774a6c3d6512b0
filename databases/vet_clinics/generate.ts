import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growPatients } from './patients.ts';
import { growOwners, growStaff } from './people.ts';
import { growVisits } from './visits.ts';

/** Grows the clinic chain's rows. */
export function generateVetClinics(source: Source): TableRows[] {
  const staff = growStaff(source);
  const owners = growOwners(source);
  const patients = growPatients(
    source,
    owners.map((owner) => owner.ownerId),
  );
  const { visits, lines, results, vaccinations } = growVisits(source, patients, staff);
  return [
    {
      table: 'clinic',
      rows: source.copy('clinics.csv', ['id', 'name', 'city', 'opened', 'beds', 'open24h', 'group']),
    },
    { table: 'staff', rows: rowsOf(staff) },
    { table: 'owner', rows: rowsOf(owners) },
    { table: 'patient', rows: rowsOf(patients) },
    { table: 'visit', rows: rowsOf(visits) },
    { table: 'procedure', rows: source.copy('procedures.csv', ['code', 'name', 'category', 'price']) },
    { table: 'visit_procedure', rows: rowsOf(lines) },
    { table: 'lab_result', rows: rowsOf(results) },
    { table: 'vaccination', rows: rowsOf(vaccinations) },
  ];
}
