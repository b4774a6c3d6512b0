import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';
import type { Member } from './farms.ts';

/** The months in which a kind of machine is asked for; others always are. */
const seasons: Readonly<Record<string, readonly number[]>> = {
  Mähdrescher: [7, 8],
  Sämaschine: [3, 4, 9, 10],
  Rodetechnik: [9, 10],
  Häcksler: [5, 6, 9],
  Presse: [6, 7, 8],
  Güllefass: [2, 3, 4, 9],
};

const damages = [
  'Reifen',
  'Hydraulikschlauch',
  'Keilriemen',
  'Stein im Häckselwerk',
  'Gelenkwelle',
  'Blech verbogen',
];

/** Who borrowed which machine from 2022 to 2024; a broken machine is lent no more, and hardly ever one that is out. */
export function growLoans(source: Source, members: readonly Member[]): Cell[][] {
  const random = createRandom('farm_coop/ausleihe');
  const machines = source
    .rows('maschinen.csv')
    .map((row, i) => ({ id: i + 1, type: row('typ'), broken: row('defekt') || '9' }));
  const active = members.filter(({ left }) => left === null || left > '2024-12-31');
  const wishes = Array.from({ length: 1600 }, () => {
    const machine = random.pickSkewed(machines);
    const month = random.pick(seasons[machine.type] ?? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const from = addDays(`${random.int(2022, 2024)}-${String(month).padStart(2, '0')}-01`, random.int(0, 27));
    return { machine, from, days: Number(random.weighted({ 0: 5, 1: 6, 2: 3, 6: 1 })) };
  }).sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const back = new Map<number, string>();
  const loans = wishes.filter(({ machine, from, days }) => {
    const isFree = from > (back.get(machine.id) ?? '') || random.chance(0.02);
    if (from >= machine.broken || !isFree) return false;
    back.set(machine.id, addDays(from, days));
    return true;
  });
  return loans.map(({ machine, from, days }, i): Cell[] => {
    const out = from > '2024-12-05' && random.chance(0.7);
    return [
      5001 + i,
      machine.id,
      random.pickSkewed(active).memberNo,
      from,
      out ? null : addDays(from, days),
      out || random.chance(0.06) ? null : random.near(7 * (days + 1), 5 * (days + 1), 1),
      random.chance(0.07) ? random.pick(damages) : null,
    ];
  });
}
