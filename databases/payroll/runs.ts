import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Loan, OvertimeLine } from './extras.ts';
import type { Contract, Employee } from './people.ts';

interface PayRun {
  runId: bigint;
  period: string;
  type: string;
  paidOn: string | null;
  approvedBy: string | null;
}

export interface Payslip {
  slipId: bigint;
  runId: bigint;
  employeeId: bigint;
  grossCents: number;
  netCents: number;
  corrects: bigint | null;
}

interface Line {
  slipId: bigint;
  line: number;
  element: string;
  cents: number;
  forPeriod: string;
  remark: string | null;
}

type Amount = readonly [element: string, cents: number, forPeriod?: string, remark?: string];

const firstRun = 4_611_686_018_427_390_001n;
const firstSlip = 9_007_199_254_740_993_001n;

export const periods = Array.from(
  { length: 18 },
  (_, i) => `${2023 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
);

/** Eighteen regular runs, a bonus run each December, and two runs of corrections. */
export function growRuns(
  employees: readonly Employee[],
  contracts: readonly Contract[],
  overtime: readonly OvertimeLine[],
  loans: readonly Loan[],
) {
  const random = createRandom('payroll/payslip');
  const runs: PayRun[] = [];
  const slips: Payslip[] = [];
  const lines: Line[] = [];
  const addRun = (period: string, type: string): PayRun => {
    const day = type === 'R' ? '27' : type === 'B' ? '15' : '29';
    const open = period === '2024-06';
    const run: PayRun = {
      runId: firstRun + BigInt(runs.length),
      period,
      type,
      paidOn: open ? null : `${period}-${period.endsWith('-02') ? '26' : day}`,
      approvedBy: open ? null : random.weighted({ 'M. Sugden': 8, 'K. Jessop': 4, 'm. sugden': 1 }),
    };
    runs.push(run);
    return run;
  };
  const addSlip = (run: PayRun, employeeId: bigint, amounts: readonly Amount[], corrects?: Payslip) => {
    const slipId = firstSlip + BigInt(slips.length);
    const sum = (wanted: (cents: number, element: string) => boolean) =>
      amounts.reduce((total, [element, cents]) => total + (wanted(cents, element) ? cents : 0), 0);
    const earned = (element: string) => !/^(TAX|PEN|UNI|LOA|GAR|EPE|EHI)$/.test(element);
    slips.push({
      slipId,
      runId: run.runId,
      employeeId,
      grossCents: sum((_, element) => earned(element)),
      netCents: sum((_, element) => !/^(EPE|EHI)$/.test(element)) + (slipId % 431n === 7n ? 90 : 0), // a few typed by hand
      corrects: corrects?.slipId ?? null,
    });
    amounts.forEach(([element, cents, forPeriod, remark], index) => {
      lines.push({
        slipId,
        line: index + 1,
        element,
        cents,
        forPeriod: forPeriod ?? run.period,
        remark: remark ?? null,
      });
    });
  };
  for (const period of periods) {
    const regular = addRun(period, 'R');
    for (const employee of employees) {
      const salary = salaryIn(contracts, employee, period);
      if (salary === undefined) continue;
      const earned = earnings(random, employee, salary, period, overtime, contracts);
      addSlip(regular, employee.employeeId, [...earned, ...deductions(employee, earned, loans, period)]);
    }
    if (period.endsWith('-12')) {
      const bonus = addRun(period, 'B');
      for (const employee of employees) {
        const salary = salaryIn(contracts, employee, period);
        if (salary === undefined || employee.hired > '2023-06-30') continue;
        const cents = Math.round(salary * (employee.hired < '2013' ? 0.5 : 0.3));
        addSlip(bonus, employee.employeeId, [
          ['BON', cents],
          ['TAX', -Math.round(cents * 0.25)],
        ]);
      }
    }
    if (period === '2023-07' || period === '2024-02') addCorrections(addRun(period, 'K'));
  }
  return { runs, slips, lines };

  /** Somebody typed ten times the overtime, or forgot the tools: put right some months later, in a run of its own. */
  function addCorrections(run: PayRun): void {
    const before = runs.find(({ period, type }) => type === 'R' && period === monthsBefore(run.period, 2));
    for (const slip of slips.filter(({ runId }) => runId === before?.runId)) {
      if (!random.chance(0.09)) continue;
      const period = before?.period ?? run.period;
      const cents = random.pick([
        4_200,
        18_500,
        -9_900,
        random.int(20, 190) * 100,
        -random.int(20, 160) * 100,
      ]);
      const element = cents === 4_200 ? 'TLS' : cents === 18_500 ? 'SHF' : 'OVT';
      const remark = cents < 0 ? 'paid too much' : 'forgotten';
      const tax: Amount[] =
        element === 'OVT' ? [['TAX', -Math.round(cents * 0.25), period, 'correction']] : [];
      addSlip(run, slip.employeeId, [[element, cents, period, remark], ...tax], slip);
    }
  }
}

export function monthsBefore(period: string, months: number): string {
  const index = Number(period.slice(0, 4)) * 12 + Number(period.slice(5)) - 1 - months;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}

function salaryIn(contracts: readonly Contract[], employee: Employee, period: string): number | undefined {
  const first = `${period}-01`;
  const last = addDays(`${monthsBefore(period, -1)}-01`, -1);
  return contracts.findLast(
    ({ employeeId, start, end }) =>
      employeeId === employee.employeeId && start <= last && (end ?? '9') >= first,
  )?.salaryCents;
}

function earnings(
  random: Random,
  employee: Employee,
  salary: number,
  period: string,
  overtime: readonly OvertimeLine[],
  contracts: readonly Contract[],
): Amount[] {
  const { employeeId, siteCode } = employee;
  const amounts: Amount[] = [['SAL', salary]];
  // The rise of April 2023 was agreed in June: the joiners of the works got the difference then.
  if (period === '2023-06' && siteCode === 'BRK') {
    const before = salaryIn(contracts, employee, '2023-03');
    for (const month of ['2023-04', '2023-05']) {
      if (before !== undefined && before < salary)
        amounts.push(['SAL', Math.round((salary - before) * 0.4), month, 'back pay']);
    }
  }
  const hours = overtime
    .filter((line) => line.employeeId === employeeId && line.month === period)
    .reduce((sum, line) => sum + line.amount, 0);
  if (hours > 0) amounts.push(['OVT', Math.round(((salary * hours) / 165) * 1.25)]);
  if (siteCode === 'PNT' && random.chance(0.6)) amounts.push(['SHF', 18_500]);
  if (/BRK|STA|SAW/.test(siteCode) && Number(employeeId % 3n) > 0) amounts.push(['TLS', 4_200]);
  if (salary > 520_000) amounts.push(['CAR', 31_000]);
  return amounts;
}

function deductions(
  employee: Employee,
  earned: readonly Amount[],
  loans: readonly Loan[],
  period: string,
): Amount[] {
  const { employeeId, taxClass } = employee;
  const taxed = earned.reduce((sum, [element, cents]) => sum + (/SHF|TLS/.test(element) ? 0 : cents), 0);
  const rate = taxClass === 1 ? 0.22 : taxClass === 2 ? 0.17 : 0.31;
  const [, salary] = earned[0] ?? ['SAL', 0];
  const loan = loans.find(
    (candidate) =>
      candidate.employeeId === employeeId &&
      candidate.granted.slice(0, 7) < period &&
      candidate.end >= period,
  );
  return [
    ['TAX', -Math.round(Math.max(0, taxed - 90_000) * rate)],
    ['PEN', -Math.round(salary * 0.05)],
    ...(Number(employeeId % 5n) < 2 ? ([['UNI', -1_950]] as const) : []),
    ...(loan ? ([['LOA', -loan.monthlyCents]] as const) : []),
    ...(Number(employeeId % 53n) === 8 ? ([['GAR', -22_000]] as const) : []),
    ['EPE', Math.round(salary * 0.07)],
    ...(Number(employeeId % 4n) > 0 ? ([['EHI', 6_400]] as const) : []),
  ];
}
