import { addDays } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Cell } from '../write-database.ts';
import type { Case } from './cases.ts';

/** What the cashier wrote down: a filing fee for each case, other costs, and wrong bookings taken back the next day. */
export function growFees(cases: readonly Case[]): Cell[][] {
  const random = createRandom('court_registry/fee');
  return cases.flatMap(({ caseNo, filed, value }) => {
    const others = Array.from({ length: random.int(0, 2) }, () => ({
      kind: random.weighted({ expert: 2, copies: 4, service: 3 }),
      day: random.int(20, 200),
    }));
    return [{ kind: 'filing', day: 0 }, ...others].flatMap(({ kind, day }): Cell[][] => {
      const booked = addDays(filed, day);
      if (booked > '2024-12-20') return [];
      const typed = random.chance(0.12) ? caseNo.replaceAll(' ', '') : caseNo;
      const amounts: Readonly<Record<string, number>> = {
        filing: value === null ? 85 : 35 + Math.round(Math.sqrt(value) * 6) / 2,
        expert: random.int(8, 90) * 50,
        copies: random.int(3, 80) / 2,
        service: 11.5,
      };
      const amount = round(amounts[kind] ?? 0, 2);
      const paid = random.chance(0.09) ? null : addDays(booked, random.int(0, 45));
      const row: Cell[] = [typed, booked, kind, amount, paid];
      return random.chance(0.025)
        ? [row, [typed, addDays(booked, 1), kind, -amount, addDays(booked, 1)]]
        : [row];
    });
  });
}
