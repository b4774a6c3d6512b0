import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Artwork } from './collection.ts';
import type { Exhibition } from './people.ts';

interface Loan {
  loanId: number;
  museumId: number;
  exhibitionId: number | null;
  staffId: number;
  asked: string;
  answered: string | null;
  status: 'A' | 'R' | 'X' | 'E';
  reason: string | null;
  leaves: string | null;
  due: string | null;
  back: string | null;
}

interface LoanLine {
  loanId: number;
  index: number;
  inventory: string;
  value: number;
  currency: string;
}

const today = '2024-12-20';
const refusals = ['état de conservation', 'déjà promise', 'climat non conforme', 'délai trop court', null];

/** 1988 to 2024: what was asked for, what was lent, and at which insured value. */
export function growLoans(
  artworks: readonly Artwork[],
  exhibitions: readonly Exhibition[],
  museumIds: readonly number[],
) {
  const random = createRandom('museum_loans/pret');
  const loans: Loan[] = [];
  const lines: LoanLine[] = [];
  for (let i = 0; i < 640; i++) {
    const exhibition = random.chance(0.85) ? random.pick(exhibitions) : undefined;
    const begins = exhibition?.begins ?? addDays('1989-01-01', random.int(0, 13_000));
    const asked = addDays(begins, -random.int(120, 420));
    const isOpen = asked > '2024-05-01';
    const status = isOpen ? random.pick(['E', 'A'] as const) : random.weighted({ A: 8, R: 2, X: 0.6 });
    const leaves = status === 'A' ? addDays(begins, -random.int(7, 30)) : null;
    const due = leaves && addDays(exhibition?.ends ?? addDays(begins, 365), random.int(10, 40));
    const late = begins.startsWith('2020') || begins.startsWith('2019-09') ? random.int(60, 210) : 0;
    const back = due && addDays(due, late + (random.chance(0.2) ? random.int(1, 60) : -random.int(0, 9)));
    const isOverdue = begins > '2023' && random.chance(0.25);
    loans.push({
      loanId: i + 1,
      museumId: exhibition?.museumId ?? random.pick(museumIds),
      exhibitionId: exhibition?.exhibitionId ?? null,
      staffId: 701 + Math.floor(10 * random.next() * random.next()),
      asked,
      answered: status === 'E' ? null : addDays(asked, random.int(10, 110)),
      status,
      reason: status === 'R' ? random.pick(refusals) : null,
      leaves,
      due,
      back: back !== null && back <= today && !isOverdue ? back : null,
    });
  }
  loans.sort((a, b) => (a.asked < b.asked ? -1 : 1));
  for (const [i, loan] of loans.entries()) {
    loan.loanId = i + 1;
    const ours = artworks.filter((artwork) => yearOf(artwork) <= Number(loan.asked.slice(0, 4)));
    const wanted = new Set(Array.from({ length: random.int(1, 6) }, () => random.pickSkewed(ours)));
    for (const [index, artwork] of [...wanted].entries()) {
      lines.push({ loanId: loan.loanId, index: index + 1, ...insured(random, artwork, loan.asked) });
    }
  }
  return { loans, lines };
}

/** The year a work came in: its number begins with it. */
function yearOf({ inventory }: Artwork): number {
  return Number(inventory.slice(2, 6));
}

/** An insured value: francs to the end of 2001, euros since, and a few policies in other currencies. */
function insured(random: Random, artwork: Artwork, asked: string) {
  const euros = worthOf(random, artwork);
  const currency = random.weighted({ own: 12, CHF: 1, GBP: 1, USD: 1 });
  if (currency !== 'own') return { inventory: artwork.inventory, value: euros, currency };
  return asked < '2002-01-01'
    ? { inventory: artwork.inventory, value: Math.round((euros * 6.55957) / 1000) * 1000, currency: 'FRF' }
    : { inventory: artwork.inventory, value: euros, currency: 'EUR' };
}

/** Euros, about the same each time; paintings are dearer than the rest, and one work in sixty is a masterpiece. */
function worthOf(random: Random, { department, inventory }: Artwork): number {
  const own = createRandom(`museum_loans/worth/${inventory}`);
  const base = (department === 'Peintures' ? 60 : 18) * (own.chance(1 / 60) ? 40 : 1);
  return Math.max(500, Math.round(base * (0.2 + own.next() ** 3 * 8) * random.near(1, 0.4, 2)) * 1000);
}

/** The history of estimates; a mistyped one is corrected by the next. */
export function growEstimates(artworks: readonly Artwork[], experts: readonly string[]) {
  const random = createRandom('museum_loans/estimation');
  return artworks
    .flatMap((artwork) =>
      Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => ({
        date: addDays(`${random.int(Math.max(1988, yearOf(artwork) + 1), 2024)}-01-05`, random.int(0, 345)),
        artwork,
      })),
    )
    .sort((a, b) => (a.date < b.date ? -1 : 1))
    .flatMap(({ date, artwork }) => {
      const inFrancs = date < '2002-01-01';
      const value = worthOf(random, artwork) * (inFrancs ? 6 : 1);
      const estimate = { inventory: artwork.inventory, date, value, currency: inFrancs ? 'FRF' : 'EUR' };
      const expert = random.chance(0.1) ? null : random.pick(experts);
      const isWrong = random.chance(0.03);
      return isWrong
        ? [
            { ...estimate, value: value * 1000, expert, corrects: false },
            { ...estimate, date: addDays(date, 12), expert, corrects: true },
          ]
        : [{ ...estimate, expert, corrects: false }];
    })
    .map(({ corrects, ...estimate }, i) => ({ id: i + 1, ...estimate, corrects: corrects ? i : null }));
}

export type { Loan, LoanLine };
