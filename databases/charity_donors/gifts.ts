import { addDays, dayFirst } from '../dates.ts';
import { createRandom, type Random, round } from '../random.ts';
import type { SourceRow } from '../source.ts';
import type { Donor } from './donors.ts';

export interface Pledge {
  pledgeId: number;
  donorId: number;
  fundCode: string;
  appealCode: string | null;
  pledgedOn: string;
  amount: number;
  every: string;
  times: number | null;
  status: string;
  whyEnded: string | null;
}

export interface Gift {
  donorId: number | null;
  pledgeId: number | null;
  fundCode: string;
  appealCode: string | null;
  received: string;
  amount: number;
  method: string;
  taxAid: string | null;
  inMemoryOf: string | null;
}

const stepDays: Readonly<Record<string, number>> = { M: 30.44, Q: 91.3, Y: 365.25, 1: 40 };

/** Promises, most of them kept for a while; more were cancelled when bread became dear at the end of 2022. */
export function growPledges(donors: readonly Donor[], appeals: readonly SourceRow[]): Pledge[] {
  const random = createRandom('charity_donors/pledge');
  return Array.from({ length: 290 }, (_, i) => {
    const donor = random.pickSkewed(donors.filter(({ kind }) => kind !== 'E'));
    const appeal = random.chance(0.6) ? random.pick(appeals) : undefined;
    const every = random.weighted({ M: 10, Q: 3, Y: 3, 1: 4 });
    const pledgedOn = appeal
      ? addDays(appeal('launched'), random.int(0, 30))
      : addDays('2021-01-10', random.int(0, 1400));
    const status = random.weighted({ A: 7, F: every === '1' ? 8 : 2, L: 3, C: 3 });
    return {
      pledgeId: 401 + i,
      donorId: donor.donorId,
      fundCode: appeal?.('fund') ?? random.pick(['GEN', 'SHL', 'SCH']),
      appealCode: appeal?.('code') ?? null,
      pledgedOn,
      amount:
        random.pick([5, 8, 10, 10, 15, 20, 25, 50]) * (donor.kind === 'P' ? 1 : 10) * (every === 'M' ? 1 : 4),
      every,
      times: every === '1' ? 1 : random.chance(0.3) ? random.pick([6, 12, 24]) : null,
      status,
      whyEnded:
        status === 'C' || status === 'L'
          ? random.pick(['cannot afford it', 'cannot afford it', 'moved away', 'bank details wrong', null])
          : null,
    };
  });
}

/** All gifts in the order they were received. */
export function growGifts(
  donors: readonly Donor[],
  pledges: readonly Pledge[],
  appeals: readonly SourceRow[],
) {
  const random = createRandom('charity_donors/gift');
  const gifts: Gift[] = [...pledges.flatMap((pledge) => giftsOf(random, pledge))];
  for (let day = 0; day < 1090; day++) {
    const date = addDays('2022-01-04', day);
    const running = appeals.filter((row) => row('launched') <= date && addDays(row('ended'), 14) >= date);
    const flood = date > '2024-02-07' && date < '2024-03-10';
    const most = flood ? 12 : /-12-/.test(date) ? 7 : /-10-/.test(date) ? 5 : 3;
    for (let i = random.int(0, most); i > 0; i--) {
      const appeal = running.length > 0 && random.chance(0.75) ? random.pick(running) : undefined;
      const donor = random.pickSkewed(
        donors.filter(({ kind, died }) => kind !== 'E' && (died ?? '9') > date),
      );
      const hidden = random.chance(flood ? 0.45 : 0.13);
      gifts.push({
        donorId: hidden ? null : donor.donorId,
        pledgeId: null,
        fundCode: appeal?.('fund') ?? random.weighted({ GEN: 6, SHL: 3, SCH: 2, WIN: 1 }),
        appealCode: appeal?.('code') ?? null,
        received: date,
        amount: amountOf(random, hidden ? 'P' : donor.kind),
        method: hidden
          ? random.weighted({ CA: 5, BT: 2, CC: 2 })
          : random.weighted({ BT: 4, CH: 3, CC: 4, CA: 1 }),
        taxAid:
          hidden || donor.kind !== 'P' ? 'N' : random.chance(0.06) ? null : random.chance(0.7) ? 'Y' : 'N',
        inMemoryOf: random.chance(0.03)
          ? random.pick(['Mum', 'Harold Twelvetrees', 'Nan', 'R. Goodbody'])
          : null,
      });
    }
  }
  donors
    .filter(({ kind }) => kind === 'E')
    .forEach(({ donorId }, i) => {
      const amount = [185_000, 12_500, 40_312.6][i] ?? 5_000;
      gifts.push({
        ...{
          donorId,
          pledgeId: null,
          fundCode: 'LEG',
          appealCode: null,
          received: `2023-0${3 + i}-17`,
          amount,
        },
        ...{ method: 'CH', taxAid: 'N', inMemoryOf: null },
      });
    });
  return gifts
    .sort((a, b) => (a.received < b.received ? -1 : a.received > b.received ? 1 : 0))
    .map((gift, i) => ({ giftId: 50_001 + i, ...gift }));
}

function amountOf(random: Random, kind: string): number {
  if (kind !== 'P') return random.pick([250, 500, 750, 1000, 2500, 5000]);
  return random.chance(0.15)
    ? round(random.near(35, 30, 2), 2)
    : random.pick([5, 10, 10, 20, 20, 25, 30, 50, 100, random.chance(0.1) ? 500 : 40]);
}

/** The instalments of a pledge: one in ten is missed, and a lapsed one stops early. */
function giftsOf(random: Random, pledge: Pledge): Gift[] {
  const step = stepDays[pledge.every] ?? 365;
  const wanted = pledge.times ?? 60;
  const kept = pledge.status === 'L' || pledge.status === 'C' ? random.int(0, 9) : wanted;
  return Array.from({ length: Math.min(wanted, kept) }, (_, i) => ({
    donorId: pledge.donorId,
    pledgeId: pledge.pledgeId,
    fundCode: pledge.fundCode,
    appealCode: pledge.appealCode,
    received: addDays(pledge.pledgedOn, Math.round(5 + i * step)),
    amount: random.chance(0.03) ? pledge.amount / 2 : pledge.amount,
    method: pledge.every === 'M' ? 'DD' : pledge.every === '1' ? 'CH' : 'BT',
    taxAid: pledge.amount < 100 ? (pledge.pledgeId % 4 ? 'Y' : 'N') : 'N',
    inMemoryOf: null,
  })).filter(({ received }) => received >= '2022-01-01' && received <= '2024-12-28' && random.chance(0.92));
}

/** Gifts as the table has them, their dates day first. */
export function giftRows(gifts: readonly ({ giftId: number } & Gift)[]) {
  return gifts.map((gift) => ({ ...gift, received: dayFirst(gift.received, '/') }));
}
