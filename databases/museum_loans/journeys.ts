import { addDays, addMinutes } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Artwork } from './collection.ts';
import type { Loan, LoanLine } from './loans.ts';

const remarks = [
  'rien à signaler',
  'rayure au cadre',
  'soulèvement de la couche picturale',
  'piqûres d’humidité',
  'verre fêlé',
  'éclat à la base',
  'poussière au revers',
];

/** Journeys there and back, what the recorders in the crates measured, and the condition reports. */
export function growJourneys(loans: readonly Loan[], lines: readonly LoanLine[]) {
  const random = createRandom('museum_loans/transport');
  const lent = loans.filter((loan) => loan.leaves !== null && loan.leaves <= '2024-12-20');
  const journeys = lent.flatMap((loan) => {
    const km = random.int(40, 1900);
    const legs = [
      { direction: 'A', date: loan.leaves ?? '' },
      ...(loan.back === null ? [] : [{ direction: 'R', date: loan.back }]),
    ];
    return legs.map(({ direction, date }) => ({
      loanId: loan.loanId,
      direction,
      carrierId: random.pickSkewed([1, 3, 2, 7, 5, 8, 4, 9, 6, 10]),
      means: random.weighted({ camion: 10, avion: km > 1200 ? 12 : 0, train: 1 }),
      date,
      km: random.chance(0.05) ? null : km,
      cost: random.chance(0.04) ? null : frenchMoney(random, km, date),
    }));
  });
  const transports = journeys
    .sort((a, b) => (a.date < b.date ? -1 : 1))
    .map((journey, i) => ({ id: 4001 + i, ...journey }));
  const readings = transports
    .filter(({ date }) => date >= '2006')
    .flatMap(({ id, date }) => growReadings(random, id, date));
  const reports = lent.flatMap((loan) =>
    lines
      .filter((line) => line.loanId === loan.loanId)
      .flatMap(({ inventory }) => growReports(random, loan, inventory)),
  );
  return { transports, readings, reports: reports.map((report, i) => ({ id: i + 1, ...report })) };
}

/** Francs to the end of 2001, then euros, written as the accounts print them. */
function frenchMoney(random: Random, km: number, date: string): string {
  const euros = 180 + km * (1.1 + random.next() * 1.4);
  const [sum, sign] = date < '2002' ? [euros * 6.55957, 'F'] : [euros, '€'];
  const [whole = '', cents] = sum.toFixed(2).split('.');
  return `${whole.replace(/(\d)(?=(\d{3})+$)/g, '$1 ')},${cents} ${sign}`;
}

function growReadings(random: Random, transportId: number, date: string) {
  const isHot = /-0[678]-/.test(date);
  return Array.from({ length: random.int(1, 6) }, (_, i) => {
    const time = addMinutes(`${date} 08:00:00`, i * 90).slice(0, 16);
    const celsius = random.near(isHot ? 23 : 19, random.chance(0.03) ? 9 : 2.5, 1);
    return [
      transportId,
      time,
      celsius.toFixed(1).replace('.', ','),
      random.chance(0.06) ? null : random.near(51, 9),
    ];
  }).flatMap((reading) => (random.chance(0.02) ? [reading, reading] : [reading]));
}

function growReports(random: Random, loan: Loan, inventory: string) {
  const note = random.pick([5, 5, 4, 4, 4, 3, 2]);
  const worse = random.chance(0.07) ? random.int(1, 2) : 0;
  const report = (moment: string, date: string, grade: number) => ({
    loanId: loan.loanId,
    inventory,
    moment,
    date,
    note: Math.max(1, grade),
    remarks: worse > 0 && moment === 'R' ? random.pick(remarks.slice(1)) : random.pick([null, ...remarks]),
    staffId: random.chance(0.05) ? null : random.int(711, 718),
  });
  const leaving = report('D', addDays(loan.leaves ?? '', -1), note);
  return loan.back === null ? [leaving] : [leaving, report('R', addDays(loan.back, 1), note - worse)];
}

/** Restorations; those of this autumn are not yet done. */
export function growRestorations(artworks: readonly Artwork[]) {
  const random = createRandom('museum_loans/restauration');
  const interventions = ['dépoussiérage', 'refixage', 'allègement de vernis', 'réintégration', 'encadrement'];
  return Array.from({ length: 230 }, () => addDays('1990-01-08', random.int(0, 12_750)))
    .sort()
    .map((begins, i) => {
      const ends = addDays(begins, random.int(5, 160));
      return {
        id: i + 1,
        inventory: random.pickSkewed(artworks).inventory,
        studio: random.weighted({ interne: 5, 'Atelier Haudecœur': 3, 'Atelier du Pont': 2 }),
        intervention: random.pick(interventions),
        begins,
        ends: ends > '2024-12-20' ? null : ends,
        hours: random.chance(0.1) ? null : random.near(40, 38, 1),
      };
    });
}
