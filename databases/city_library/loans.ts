import { addDays, daysBetween } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Copy, Title } from './catalogue.ts';
import type { Branch } from './house.ts';
import { MOVE, type Reader } from './people.ts';

interface Loan {
  loanNo: number;
  barcode: string;
  card: string;
  lent: string;
  due: string;
  return: string | null;
  renewals: number;
}

interface Fine {
  fineNo: number;
  loanNo: number;
  reason: string;
  amountCents: number;
  paid: string | null;
  waived: number;
}

const today = '2024-12-31';

/** Four years of loans; a copy is out to one reader at a time, and late returns are fined. */
export function growLoans(readers: readonly Reader[], copies: readonly Copy[]) {
  const random = createRandom('city_library/loan');
  const free = new Map(copies.map((copy) => [copy.barcode, copy.bought]));
  const loans: Loan[] = [];
  const fines: Fine[] = [];
  for (let i = 0; i < 8200; i++) {
    const lent = addDays('2021-02-01', Math.floor((i * 1428) / 8200));
    const copy = random.pickSkewed(copies);
    const reader = random.pickSkewed(readers);
    const card = lent < MOVE ? reader.oldCard : reader.card;
    if ((free.get(copy.barcode) ?? '') >= lent || reader.joined > lent || card === null) continue;
    if (lent.slice(5, 7) === '08' && random.chance(0.4)) continue;
    const renewals = random.weighted({ 0: 12, 1: 4, 2: 2, 3: 1 });
    const due = addDays(lent, 28 * (1 + Number(renewals)));
    const back = random.chance(0.13) ? addDays(due, random.int(1, 70)) : addDays(due, -random.int(0, 26));
    const gone = copy.state === 'LOST' && random.chance(0.3) && lent > '2022';
    const loan = {
      loanNo: 500_001 + loans.length,
      barcode: copy.barcode,
      card,
      lent,
      due,
      return: gone || back > today ? null : back,
      renewals: Number(renewals),
    };
    loans.push(loan);
    free.set(copy.barcode, gone ? '9' : back);
    fines.push(...growFines(random, loan, 9001 + fines.length));
    // Keyed in with the month of the lending slip before: the book seems to come back before it went out.
    if (loan.return !== null && random.chance(0.006)) loan.return = addDays(lent, -random.int(5, 30));
  }
  return { loans, fines };
}

function growFines(random: Random, loan: Loan, fineNo: number): Fine[] {
  const days = loan.return === null ? 0 : daysBetween(loan.due, loan.return);
  const lost = loan.return === null && loan.due < '2024-09-01';
  const damaged = random.chance(0.008);
  if (days <= 0 && !damaged && !lost) return [];
  const settled = addDays(loan.return ?? loan.due, random.int(0, 40));
  const waived = random.chance(0.12) ? 1 : 0;
  return [
    {
      fineNo,
      loanNo: loan.loanNo,
      reason: lost ? 'lost' : damaged ? 'damaged' : 'late',
      amountCents: lost ? 2500 : damaged ? random.int(2, 12) * 100 : days * 20,
      paid: waived === 1 || settled > today || random.chance(0.15) ? null : settled,
      waived,
    },
  ];
}

interface Reservation {
  reservationId: number;
  titleId: number;
  readerId: number;
  branchId: number;
  placed: string;
  ready: string | null;
  fetched: string | null;
}

/** Reservations of 2023 and 2024: most become ready, and not all of those are fetched. */
export function growReservations(
  readers: readonly Reader[],
  titles: readonly Title[],
  branches: readonly Branch[],
): Reservation[] {
  const random = createRandom('city_library/reservation');
  return Array.from({ length: 720 }, (_, i) => {
    const day = addDays('2023-01-03', Math.floor(i));
    const ready = addDays(day, random.int(1, 60));
    const fetched = addDays(ready, random.int(0, 9));
    const known = ready <= today && !random.chance(0.07) ? ready : null;
    return {
      reservationId: 80_001 + i,
      titleId: random.pickSkewed(titles.slice(0, 120)).titleId,
      readerId: random.pick(readers.slice(0, 500)).readerId,
      branchId: random.pickSkewed(branches).branchId,
      placed: `${day} ${String(random.int(8, 22)).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}`,
      ready: known,
      fetched: known === null || fetched > today || random.chance(0.14) ? null : fetched,
    };
  });
}
