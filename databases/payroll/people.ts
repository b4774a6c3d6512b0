import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source, SourceRow } from '../source.ts';

export interface Employee {
  employeeId: bigint;
  name: string;
  born: string;
  siteCode: string;
  hired: string;
  left: string | null;
  taxClass: number;
  payeeAccount: string | null;
  leadId: bigint | null;
}

export interface Contract {
  contractId: bigint;
  employeeId: bigint;
  kind: string;
  grade: string;
  hours: number;
  salaryCents: number;
  start: string;
  end: string | null;
}

/** Neighbouring numbers that are the same number as doubles. */
const firstEmployee = 7_205_759_403_792_793_601n;
const firstContract = 8_070_450_532_247_928_833n;

const returning = [131, 144, 152];
const siteWeights = { BRK: 9, SAW: 5, STA: 4, PNT: 3, DEP: 3, OFF: 3 };
const gradesOfSite: Readonly<Record<string, Record<string, number>>> = {
  OFF: { G5: 8, G7: 2, G1: 1 },
  DEP: { G2: 8, G5: 1, G6: 1 },
};
const gradesElsewhere = { G1: 2, G2: 4, G3: 8, G4: 3, G6: 1 };

/** The people on the payroll, with all their contracts; three of them left and came back under a new number. */
export function growPeople(source: Source): { employees: Employee[]; contracts: Contract[] } {
  const random = createRandom('payroll/employee');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const grades = source.rows('grades.csv');
  const employees: Employee[] = [];
  const contracts: Contract[] = [];
  for (let i = 0; i < 160; i++) {
    const former = returning.includes(i)
      ? random.pick(employees.filter(({ left }) => left !== null && left < '2023-09'))
      : undefined;
    const grade = (siteCode: string) => random.weighted(gradesOfSite[siteCode] ?? gradesElsewhere);
    const siteCode = former?.siteCode ?? random.weighted(siteWeights);
    const hired = former
      ? addDays(former.left ?? '2023-01-01', 120 + i)
      : addDays('2004-02-02', Math.floor(7330 * Math.sqrt(random.next())));
    const employee: Employee = {
      employeeId: firstEmployee + BigInt(i),
      name: former?.name ?? `${random.pick(firstNames)} ${random.pick(lastNames)}`,
      born: former?.born ?? addDays(hired, -random.int(17 * 366, 49 * 365)),
      siteCode,
      hired,
      left: leaving(random, hired, siteCode),
      taxClass: Number(random.weighted({ 1: 5, 2: 6, 3: 1 })),
      payeeAccount: random.chance(0.05) ? null : `${random.int(100, 999)}${random.pick([...'AFKX7'])}`,
      leadId: leadOf(employees, contracts, siteCode),
    };
    employees.push(employee);
    contracts.push(...growContracts(random, employee, contracts.length, gradeRow(grades, grade(siteCode))));
  }
  return { employees, contracts };
}

function leaving(random: Random, hired: string, siteCode: string): string | null {
  const earliest = hired > '2023-01-31' ? addDays(hired, 40) : '2023-01-31';
  const left = addDays(earliest, random.int(0, 480));
  if (siteCode === 'DEP' && random.chance(0.6)) return '2024-03-31';
  return random.chance(0.17) && left < '2024-06-30' ? left : null;
}

function leadOf(employees: readonly Employee[], contracts: readonly Contract[], site: string): bigint | null {
  const lead = employees.find(
    ({ siteCode, employeeId }) =>
      siteCode === site &&
      contracts.some((contract) => contract.employeeId === employeeId && /G[67]/.test(contract.grade)),
  );
  return lead?.employeeId ?? null;
}

function gradeRow(grades: readonly SourceRow[], grade: string): SourceRow {
  const row = grades.find((candidate) => candidate('grade') === grade);
  if (row === undefined) throw new Error(`grades.csv has no ${grade}`);
  return row;
}

/** One contract after another, each with a rise in pay, the last of them in force unless its employee left. */
function growContracts(random: Random, employee: Employee, before: number, grade: SourceRow): Contract[] {
  const { employeeId, hired, left } = employee;
  const rises = ['2021-04-01', '2023-04-01', '2024-04-01'].filter(
    (date) => date > addDays(hired, 200) && date < (left ?? '9') && random.chance(0.7),
  );
  const hours = random.chance(0.18) ? random.pick([18.5, 20, 30]) : Number(grade('default'));
  const top = (Number(grade('max')) * hours) / Number(grade('default'));
  const bottom = (Number(grade('min')) * hours) / Number(grade('default'));
  let salary = Math.round((bottom + (top - bottom) * 0.7 * random.next()) / 500) * 500;
  return [hired, ...rises].map((start, index, starts) => {
    const next = starts[index + 1];
    if (index > 0) salary = Math.round((salary * (1.02 + 0.05 * random.next())) / 100) * 100;
    return {
      contractId: firstContract + BigInt(before + index),
      employeeId,
      kind: grade('grade') === 'G1' ? 'A' : random.chance(0.12) ? 'T' : 'P',
      grade: grade('grade'),
      hours,
      salaryCents: salary,
      start,
      end: next ? addDays(next, -1) : left,
    };
  });
}
