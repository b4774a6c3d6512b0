import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source, SourceRow } from '../source.ts';
import { textDate } from './text-date.ts';

interface Intake {
  received: string;
  donorId: number;
  code: string;
  siteId: number;
  quantity: number;
  unit: string;
  remark: string | null;
}

/** The day the scales came: crates before, kilograms since. */
const SCALES = '2023-07-01';
const remarks = ['crate broken', 'best before today', 'thank-you card sent', 'unlabelled', 'driver waited'];

/** The book at the gate: much before Christmas and at harvest, one chain fewer from April 2024, lines copied twice. */
export function growIntake(source: Source): Intake[] {
  const random = createRandom('food_bank/intake_log');
  const donors = source.rows('donors.csv');
  const foods = source.rows('foods.csv');
  const weights = Object.fromEntries(donors.map((row) => [`#${row('id')}`, Number(row('weight'))]));
  const log: Intake[] = [];
  for (let day = '2023-01-02'; day < '2025'; day = addDays(day, 1)) {
    const month = day.slice(5, 7);
    const lines = random.int(0, month === '12' ? 6 : month === '09' ? 5 : 4);
    for (let i = 0; i < lines; i++) {
      const donor = donorOf(donors, random.weighted(weights));
      if (!isGiving(donor('name'), day)) continue;
      const food = random.pick(foods.filter((row) => row('kinds').split(' ').includes(donor('kind'))));
      const crates = random.int(1, donor('kind') === 'private' ? 4 : month === '12' ? 30 : 18);
      const kilos = day >= SCALES;
      const entry = {
        received: textDate(day),
        donorId: Number(donor('id')),
        code: food('code'),
        siteId: random.chance(0.7) ? 1 : random.int(2, day < '2023-05' ? 6 : 7),
        quantity: kilos ? Math.round(crates * Number(food('crate')) * random.near(10, 1, 2)) / 10 : crates,
        unit: kilos ? 'kg' : 'crates',
        remark: random.chance(0.06) ? random.pick(remarks) : null,
      };
      log.push(entry);
      if (random.chance(0.02)) log.push(entry);
    }
  }
  return log;
}

function donorOf(donors: readonly SourceRow[], key: string): SourceRow {
  const donor = donors.find((row) => `#${row('id')}` === key);
  if (donor === undefined) throw new Error(`donors.csv: no donor ${key}`);
  return donor;
}

/** Some donors came or went within the two years. */
function isGiving(name: string, day: string): boolean {
  if (name === 'Quickbasket') return day <= '2024-03-31';
  if (name === 'Harbour Cold Store') return day >= '2023-08-15';
  if (name === 'Little Steps Nursery') return day >= '2023-05-06';
  return true;
}

interface Spoilage {
  spoilageId: number;
  siteId: number;
  code: string;
  day: string;
  kg: number;
  reason: string;
}

/** What had to be thrown away; in August 2024 the cold room of the warehouse failed for three days. */
export function growSpoilage(source: Source): Spoilage[] {
  const random = createRandom('food_bank/spoilage');
  const foods = source.rows('foods.csv');
  const perishable = foods.filter((row) => Number(row('keeps') || 999) < 60);
  const chilled = foods.filter((row) => row('chilled') === 'Y');
  return Array.from({ length: 260 }, (_, i) => {
    const failed = i >= 210 && i < 222;
    const food = random.pick(failed ? chilled : perishable);
    return {
      spoilageId: 601 + i,
      siteId: failed ? 1 : random.pickSkewed([1, 2, 3, 5, 4, 6, 7]),
      code: food('code'),
      day: failed ? `2024-08-${11 + (i % 3)}` : addDays('2023-01-03', Math.floor(i * 2.78)),
      kg: random.near(failed ? 60 : 7, failed ? 40 : 6.5, 1),
      reason: failed
        ? 'cold room failed'
        : random.weighted({ 'past its date': 7, mouldy: 4, squashed: 3, mice: 1 }),
    };
  });
}

interface Gift {
  giftId: number;
  donorId: number | null;
  received: string;
  amount: string;
  purpose: string | null;
}

/** Gifts of money, printed with a pound sign and commas; many anonymous. */
export function growGifts(source: Source): Gift[] {
  const random = createRandom('food_bank/money_gift');
  const donors = source.rows('donors.csv').map((row) => Number(row('id')));
  const giving = (day: string) =>
    donors.filter(
      (id) => (id !== 17 || day >= '2023-08-15') && (id !== 16 || day >= '2023-05-06') && id !== 3,
    );
  return Array.from({ length: 420 }, (_, i) => {
    const day = addDays('2023-01-04', Math.floor((i * 727) / 420));
    const pounds = random.pick([5, 10, 10, 20, 25, 50, 100, 250]) * (random.chance(0.03) ? 20 : 1);
    return {
      giftId: 7001 + i,
      donorId: random.chance(0.6) ? null : random.pick(giving(day)),
      received: textDate(day),
      amount: `£${pounds >= 1000 ? `${Math.floor(pounds / 1000)},${String(pounds % 1000).padStart(3, '0')}` : pounds}.00`,
      purpose: random.weighted({ none: 8, 'Christmas hampers': 3, 'new van': 3, fuel: 1, 'baby corner': 2 }),
    };
  }).map((gift) => ({ ...gift, purpose: gift.purpose === 'none' ? null : gift.purpose }));
}
