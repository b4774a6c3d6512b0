import { addDays, dayFirst, daysBetween } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Grant } from './awards.ts';

interface Revision {
  grantNo: string;
  revision: number;
  category: string;
  amount: number;
  approved: string;
  reason: string | null;
}

interface Expense {
  voucher: number;
  grantNo: string;
  booked: string;
  category: string;
  amount: number;
  payee: string | null;
  reverses: number | null;
}

const lastDay = '2024-12-15';
const shares = { staff: 0.58, equipment: 0.2, travel: 0.07, consumables: 0.15 };
const reasons = [
  'no-cost extension',
  'staff left',
  'price rise',
  'pandemic',
  'transfer between categories',
  null,
];

/** Budgets as awarded, and each later version of the categories that it changed. */
export function growBudgets(grants: readonly Grant[]): Revision[] {
  const random = createRandom('university_grants/budget_revision');
  return grants.flatMap(({ grantNo, awarded, overhead, start, end }) => {
    const direct = awarded / (1 + overhead / 100);
    const amounts = new Map(
      Object.entries(shares).map(([category, share]) => [category, Math.round((direct * share) / 100) * 100]),
    );
    if (overhead > 0) amounts.set('overhead', Math.round((direct * overhead) / 10_000) * 100);
    const rows: Revision[] = [...amounts].map(([category, amount]) => ({
      grantNo,
      revision: 0,
      category,
      amount,
      approved: addDays(start, -30),
      reason: null,
    }));
    const times = random.pick([0, 0, 1, 1, 2, 3]);
    const step = Math.floor(daysBetween(start, end) / (times + 1));
    for (let revision = 1; revision <= times; revision++) {
      const approved = addDays(start, revision * step - random.int(0, 60));
      if (approved > lastDay) break;
      const moved = Math.round((direct * random.near(0.05, 0.03, 3)) / 100) * 100;
      const reason = approved.startsWith('2020') ? 'pandemic' : random.pick(reasons);
      for (const [category, sign] of [
        random.pick([
          ['travel', -1],
          ['equipment', -1],
        ] as const),
        ['staff', 1],
      ] as const) {
        const amount = Math.max(0, (amounts.get(category) ?? 0) + sign * moved);
        amounts.set(category, amount);
        rows.push({ grantNo, revision, category, amount, approved, reason });
      }
    }
    return rows;
  });
}

const payees = [
  'Payroll',
  'LabSource Ltd',
  'Dunore Instruments',
  'Campus Travel',
  'Ferrymans Hotel',
  'CloudRack',
  'Chemworld',
];

/** What was spent, more of it before Christmas; wrong bookings are taken back by another voucher. */
export function growExpenses(grants: readonly Grant[]): Expense[] {
  const random = createRandom('university_grants/expense');
  const bookings = grants.flatMap((grant) => {
    const days = daysBetween(grant.start, grant.end < lastDay ? grant.end : lastDay);
    const count = days <= 0 ? 0 : random.int(6, 26);
    return Array.from({ length: count }, () => {
      const day = addDays(grant.start, random.int(0, days));
      const date =
        random.chance(0.12) && day < '2024-11-20' ? `${day.slice(0, 4)}-12-${random.int(10, 20)}` : day;
      const category = random.weighted({ staff: 6, equipment: 2, travel: 4, consumables: 5 });
      const part =
        (grant.awarded * shares[category]) /
        (count * { staff: 0.36, equipment: 0.13, travel: 0.25, consumables: 0.32 }[category]);
      return { grant, date, category, amount: round(part * random.near(0.9, 0.8, 2) + 5, 2) };
    });
  });
  const expenses: Expense[] = [];
  for (const { grant, date, category, amount } of bookings.sort((a, b) => (a.date < b.date ? -1 : 1))) {
    const voucher = 700_001 + expenses.length;
    const expense = {
      voucher,
      grantNo: grant.grantNo,
      booked: dayFirst(date, '/'),
      category,
      amount,
      payee: category === 'staff' ? 'Payroll' : random.chance(0.05) ? null : random.pick(payees.slice(1)),
      reverses: null,
    };
    expenses.push(expense);
    if (random.chance(0.02)) {
      expenses.push({
        ...expense,
        voucher: voucher + 1,
        booked: dayFirst(addDays(date, random.int(2, 30)), '/'),
        amount: -amount,
        reverses: voucher,
      });
    }
  }
  return expenses;
}
