import { addDays } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Source, SourceRow } from '../source.ts';
import { type Donor, respelled } from './donors.ts';
import type { Gift } from './gifts.ts';

type NumberedGift = { giftId: number } & Gift;

/** Debits that bounced and cheques that were not good. */
export function growReversals(gifts: readonly NumberedGift[]) {
  const random = createRandom('charity_donors/reversal');
  return gifts
    .filter(({ method }) => random.chance(method === 'DD' ? 0.025 : method === 'CH' ? 0.015 : 0))
    .map(({ giftId, received, method }) => ({
      giftId,
      reversedOn: addDays(received, random.int(2, 20)),
      reason:
        method === 'CH' ? 'cheque unpaid' : random.pick(['no funds', 'no funds', 'account closed', null]),
    }));
}

/** Half-yearly claims for the tax on gifts; the tax office paid one short, and the last is waiting. */
export function growClaims(gifts: readonly NumberedGift[]) {
  const claims = ['2022-01-01', '2022-07-01', '2023-01-01', '2023-07-01', '2024-01-01', '2024-07-01'].map(
    (from, i) => ({ claimNo: 31 + i, from, to: addDays(from, from.slice(5, 7) === '01' ? 180 : 183) }),
  );
  const random = createRandom('charity_donors/tax_claim_line');
  const lines = claims.flatMap(({ claimNo, from, to }) =>
    gifts
      .filter(({ taxAid, received }) => taxAid === 'Y' && received >= from && received <= to)
      .filter(() => random.chance(0.96))
      .map(({ giftId, amount }) => ({ claimNo, giftId, claimed: round(amount / 4, 2) })),
  );
  return {
    lines,
    claims: claims.map(({ claimNo, from, to }) => {
      const sum = lines.reduce((total, line) => total + (line.claimNo === claimNo ? line.claimed : 0), 0);
      const waiting = claimNo === 36;
      return {
        ...{ claimNo, from, to, sentOn: waiting ? null : addDays(to, 12 + (claimNo % 5)) },
        paidOn: waiting ? null : addDays(to, 55 + 3 * (claimNo % 7)),
        paid: waiting ? null : round(claimNo === 33 ? sum - 212.5 : sum, 2),
      };
    }),
  };
}

export function growGuests(donors: readonly Donor[], events: readonly SourceRow[]) {
  const random = createRandom('charity_donors/event_guest');
  return events.flatMap((row) => {
    const invited = donors.filter(({ firstContact, kind }) => firstContact < row('day') && kind !== 'E');
    const share = (Number(row('seats')) * 0.5) / invited.length;
    return invited
      .filter(() => random.chance(share))
      .map(({ donorId, kind }) => {
        const seats = kind === 'P' ? random.pick([1, 1, 2]) : random.int(4, 10);
        return {
          ...{ eventId: Number(row('id')), donorId, seats },
          paid: random.chance(0.06) ? 0 : seats * Number(row('ticket')),
          came: row('id') === '4' ? null : random.chance(0.88) ? 'Y' : 'N',
        };
      });
  });
}

/** Thanks for larger gifts, and letters to all who have not said no. */
export function growLetters(donors: readonly Donor[], gifts: readonly NumberedGift[]) {
  const random = createRandom('charity_donors/letter');
  const thanks = gifts
    .filter(({ donorId, amount }) => donorId !== null && amount >= 50 && random.chance(0.8))
    .map(({ donorId, received }) => ({
      donorId,
      kind: 'T',
      sentOn: addDays(received, random.int(2, 40)),
    }));
  const mailings = ['2022-06-20', '2023-06-19', '2024-06-24'].flatMap((day) =>
    donors
      .filter(({ noMail, firstContact }) => (noMail === null || random.chance(0.3)) && firstContact < day)
      .filter(() => random.chance(0.5))
      .map(({ donorId }) => ({ donorId, kind: random.weighted({ A: 6, N: 3, R: 1 }), sentOn: day })),
  );
  return [...thanks, ...mailings]
    .sort((a, b) => (a.sentOn < b.sentOn ? -1 : a.sentOn > b.sentOn ? 1 : 0))
    .map(({ donorId, kind, sentOn }, i) => ({
      ...{ letterId: 7001 + i, donorId, kind, sentOn },
      cameBack: random.chance(0.04) ? random.pick(['moved', 'unknown', 'deceased', 'moved']) : null,
    }));
}

export function growGoods(source: Source, donors: readonly Donor[]) {
  const random = createRandom('charity_donors/goods');
  const things = source.words('goods.txt');
  return Array.from({ length: 130 }, (_, i) => {
    const giver = random.pick(donors).name;
    return {
      giver: random.chance(0.4) ? giver : random.chance(0.2) ? null : respelled(random, giver),
      day: addDays('2022-01-15', i * 8 + random.int(0, 6)),
      what: random.pick(things),
      worth: random.pick([
        `£${random.int(2, 40) * 5}`,
        `ca. ${random.int(1, 12) * 5}`,
        '?',
        `£${random.int(5, 90)}`,
      ]),
    };
  });
}
