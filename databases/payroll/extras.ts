import { addDays, dayFirst } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Employee } from './people.ts';
import { monthsBefore, type Payslip } from './runs.ts';

export interface OvertimeLine {
  employeeId: bigint;
  worked: string;
  month: string;
  amount: number;
  reason: string | null;
}

export interface Loan {
  loanId: number;
  employeeId: bigint;
  granted: string;
  cents: number;
  monthlyCents: number;
  purpose: string | null;
  end: string;
}

/** Overtime, most of it in the rush before the summer; one afternoon was typed ten times too long. */
export function growOvertime(source: Source, employees: readonly Employee[]): OvertimeLine[] {
  const random = createRandom('payroll/overtime');
  const reasons = source.words('overtime-reasons.txt');
  const lines: OvertimeLine[] = [];
  for (let day = 0; day < 540; day++) {
    const date = addDays('2023-01-02', day);
    const busy = /-0[5-7]-/.test(date) ? 4 : /-1[12]-/.test(date) ? 2 : 1;
    for (let i = random.int(0, busy); i > 0; i--) {
      const employee = random.pickSkewed(employees);
      if (employee.hired > date || (employee.left ?? '9') < date || employee.siteCode === 'OFF') continue;
      lines.push({
        employeeId: employee.employeeId,
        worked: date,
        month: date.slice(0, 7),
        amount: random.pick([1, 1.5, 2, 2, 2.5, 3, 4]),
        reason: random.chance(0.15) ? null : random.pick(reasons),
      });
    }
  }
  const typo = lines.find(({ month }) => month === '2023-05');
  if (typo) typo.amount = 25;
  return lines;
}

/** The lines as the clocks send them, a few of them twice. */
export function clockLines(lines: readonly OvertimeLine[]): (string | bigint | null)[][] {
  const random = createRandom('payroll/clock');
  return lines.flatMap(({ employeeId, worked, amount, reason }) => {
    const line = [employeeId, dayFirst(worked), String(amount).replace('.', ','), reason];
    return random.chance(0.03) ? [line, line] : [line];
  });
}

export function growLoans(employees: readonly Employee[]): Loan[] {
  const random = createRandom('payroll/staff_loan');
  return Array.from({ length: 34 }, (_, i) => {
    const employee = random.pick(employees.filter(({ hired }) => hired < '2021'));
    const monthlyCents = random.int(5, 25) * 1000;
    const months = random.pick([6, 12, 12, 18, 24, 36]);
    const granted = addDays('2022-02-01', i * 24 + random.int(0, 20));
    return {
      loanId: 501 + i,
      employeeId: employee.employeeId,
      granted,
      cents: monthlyCents * months,
      monthlyCents,
      purpose: random.chance(0.2) ? null : random.pick(['car repair', 'removal', 'tools', 'roof', 'wedding']),
      end: monthsBefore(granted.slice(0, 7), -months),
    };
  });
}

/** Days away, the sick ones mostly in winter; a few people are not back yet. */
export function growAbsences(employees: readonly Employee[]) {
  const random = createRandom('payroll/absence');
  return Array.from({ length: 1150 }, (_, i) => {
    const start = addDays('2023-01-03', Math.floor((i * 530) / 1150));
    const winter = /-(01|02|11|12)-/.test(start);
    const present = employees.filter(({ hired, left }) => hired < start && (left ?? '9') > start);
    const reason = random.weighted({ S: winter ? 9 : 4, H: winter ? 4 : 9, P: 0.3, U: 0.4 });
    const days = reason === 'P' ? random.int(40, 120) : reason === 'S' ? random.int(1, 9) : random.int(1, 12);
    const away = start > '2024-05-15' && reason !== 'H' && random.chance(0.3);
    return {
      absenceId: 90_001 + i,
      employeeId: random.pick(present).employeeId,
      reason,
      start,
      end: away ? null : addDays(start, Math.ceil(days * 1.4) - 1),
      days: away ? null : reason === 'H' && random.chance(0.2) ? days - 0.5 : days,
      certificate: reason !== 'S' ? null : days > 3 ? (random.chance(0.9) ? 'Y' : 'N') : 'N',
    };
  });
}

/** Payments to accounts that are wrong or closed. */
export function growReturns(slips: readonly Payslip[]) {
  const random = createRandom('payroll/returned_payment');
  return slips
    .filter(() => random.chance(0.02))
    .map(({ slipId }, i) => {
      const returnedOn = addDays('2023-01-30', i * 12 + random.int(0, 6));
      return {
        slipId,
        returnedOn,
        bankCode: random.weighted({ AC01: 4, AC04: 3, MS03: 2 }),
        paidAgain: random.chance(0.2) ? null : addDays(returnedOn, random.int(2, 19)),
      };
    });
}
