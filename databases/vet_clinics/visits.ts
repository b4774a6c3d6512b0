import { addDays, dayFirst, daysBetween } from '../dates.ts';
import { createRandom, type Random, round } from '../random.ts';
import type { Source, SourceRow } from '../source.ts';
import type { Patient } from './patients.ts';
import type { Staff } from './people.ts';

interface Visit {
  visitId: number;
  patientId: number;
  clinicId: number;
  staffId: number | null;
  date: string;
  time: string | null;
  type: string;
  reason: string | null;
  paidBy: string | null;
}

interface BillLine {
  visitId: number;
  order: number;
  procCode: string;
  qty: number;
  discount: number | null;
  amount: number;
}

interface LabResult {
  visitId: number;
  test: string;
  value: string | null;
  unit: string | null;
  low: number | null;
  high: number | null;
  taken: string;
}

interface Vaccination {
  patientId: number;
  vaccine: string;
  given: string;
  due: string | null;
  batch: string | null;
}

const clinicWeights = { 1: 9, 2: 6, 3: 5, 4: 12, 5: 4, 6: 3, 7: 3, 8: 0, 9: 9, 10: 0, 11: 1 };

/** Three years of visits, with what was done, measured and injected on each. */
export function growVisits(source: Source, patients: readonly Patient[], staff: readonly Staff[]) {
  const random = createRandom('vet_clinics/visit');
  const procedures = source.rows('procedures.csv');
  const tests = source.rows('lab-tests.csv');
  const reasons = source.words('reasons.txt');
  const visits: Visit[] = [];
  const lines: BillLine[] = [];
  const results: LabResult[] = [];
  const vaccinations: Vaccination[] = [];
  for (const date of visitDates(random)) {
    const patient = random.pickSkewed(patients);
    if ((patient.born ?? '') > date || (patient.deceased ?? '9') < date) continue;
    const type = random.weighted({ C: 9, V: 8, F: 4, E: 3, S: 2 });
    const clinicId = chooseClinic(random, patient);
    const vets = staff.filter((person) => person.clinicId === clinicId && /vet/i.test(person.role));
    const visit: Visit = {
      visitId: 300_001 + visits.length,
      patientId: patient.patientId,
      clinicId,
      staffId: random.chance(0.03) ? null : random.pickSkewed(vets).staffId,
      date,
      time: random.chance(0.05)
        ? null
        : `${String(visitHour(random, type)).padStart(2, '0')}:${random.pick(['00', '15', '30', '45'])}`,
      type,
      reason: random.chance(0.08)
        ? null
        : random.pick(reasons.filter((reason) => reason.startsWith(type))).slice(2),
      paidBy: random.weighted({ card: 10, cash: 3, insurance: 4, Card: 1, '': 1 }),
    };
    visits.push(visit);
    lines.push(...growBill(random, procedures, visit, patient));
    if (type !== 'V' && random.chance(0.35)) results.push(...growResults(random, tests, visit));
    if (type === 'V') vaccinations.push(growVaccination(random, patient, date));
  }
  return { visits, lines, results, vaccinations: withoutRepeats(vaccinations) };
}

function visitDates(random: Random): string[] {
  const days = daysBetween('2022-01-03', '2024-12-21');
  return Array.from({ length: 3100 }, () => random.int(0, days))
    .sort((a, b) => a - b)
    .map((day) => addDays('2022-01-03', day));
}

function chooseClinic(random: Random, { species }: Patient): number {
  if (species.toLowerCase() === 'horse') return 8;
  if (species === 'Cat' && random.chance(0.2)) return 10;
  return Number(random.weighted(clinicWeights));
}

function visitHour(random: Random, type: string): number {
  return type === 'E' ? random.int(0, 23) : random.int(8, 18);
}

function growBill(
  random: Random,
  procedures: readonly SourceRow[],
  visit: Visit,
  patient: Patient,
): BillLine[] {
  const offered = procedures.filter(
    (row) =>
      row('kinds').includes(visit.type) && (row('species') === '' || row('species') === patient.species),
  );
  const weights = Object.fromEntries(offered.map((row) => [row('code'), Number(row('weight'))]));
  const codes = new Set(Array.from({ length: random.int(1, 4) }, () => random.weighted(weights)));
  return [...codes].map((procCode, i) => {
    const price =
      Number(
        offered
          .find((row) => row('code') === procCode)?.('price')
          .replace('GBP ', ''),
      ) || 0;
    const qty = /^(HOS|ANA|MED04)/.test(procCode) ? random.int(1, 4) : 1;
    const discount = random.weighted({ none: 30, '#0': 20, '#5': 4, '#10': 5, '#12.5': 1, '#100': 0.3 });
    const off = discount === 'none' ? null : Number(discount.slice(1));
    return {
      visitId: visit.visitId,
      order: i + 1,
      procCode,
      qty,
      discount: off,
      amount: round(price * qty * (1 - (off ?? 0) / 100), 2),
    };
  });
}

function growResults(random: Random, tests: readonly SourceRow[], visit: Visit): LabResult[] {
  const names = new Set(Array.from({ length: random.int(1, 4) }, () => random.pick(tests)));
  return [...names].map((row) => {
    const low = row('low') === '' ? null : Number(row('low'));
    const high = row('high') === '' ? null : Number(row('high'));
    const isText = low === null || high === null || (row('text') !== '' && random.chance(0.12));
    const text = random.chance(0.12) && low === null ? random.pick(['pos', 'POS']) : row('text');
    const number = isText ? '' : random.near((low + high) / 2, (high - low) * 0.85, 1).toString();
    return {
      // A mistyped visit number points at nothing.
      visitId: random.chance(0.01) ? visit.visitId + 900_000 : visit.visitId,
      test: row('test'),
      value: random.chance(0.02) ? null : isText ? text : number,
      unit: row('unit') || null,
      low,
      high,
      taken: dayFirst(visit.date, '/'),
    };
  });
}

const vaccines: Readonly<Record<string, readonly string[]>> = {
  dog: ['DHP', 'Lepto', 'Kennel cough', 'Rabies'],
  cat: ['FVRCP', 'FeLV', 'Rabies'],
  horse: ['Equine flu', 'Tetanus'],
  rabbit: ['Myxo-RHD'],
};

function growVaccination(random: Random, patient: Patient, date: string): Vaccination {
  return {
    patientId: patient.patientId,
    vaccine: random.pickSkewed(vaccines[patient.species.toLowerCase()] ?? ['other']),
    given: date,
    due: random.chance(0.06) ? null : addDays(date, random.pick([365, 365, 365, 1095, 28])),
    batch: random.chance(0.05)
      ? null
      : `${random.pick(['A', 'B', 'K'])}${date.slice(2, 4)}-${random.int(1, 40)}`,
  };
}

function withoutRepeats(vaccinations: readonly Vaccination[]): Vaccination[] {
  const byKey = new Map(
    vaccinations.map((shot) => [`${shot.patientId} ${shot.vaccine} ${shot.given}`, shot]),
  );
  return [...byKey.values()];
}
