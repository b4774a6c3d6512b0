import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growDonors } from './donors.ts';
import { growClaims, growGoods, growGuests, growLetters, growReversals } from './follow-up.ts';
import { giftRows, growGifts, growPledges } from './gifts.ts';

/** Grows the charity's rows. */
export function generateCharityDonors(source: Source): TableRows[] {
  const appeals = source.rows('appeals.csv');
  const { donors, aliases } = growDonors(source);
  const pledges = growPledges(donors, appeals);
  const gifts = growGifts(donors, pledges, appeals);
  const { claims, lines } = growClaims(gifts);
  return [
    { table: 'donor', rows: rowsOf(donors) },
    { table: 'donor_alias', rows: rowsOf(aliases) },
    { table: 'fund', rows: source.copy('funds.csv', ['code', 'name', 'restricted', 'opened', 'closed']) },
    {
      table: 'appeal',
      rows: source.copy('appeals.csv', ['code', 'title', 'channel', 'launched', 'ended', 'cost', 'target']),
    },
    { table: 'pledge', rows: rowsOf(pledges) },
    { table: 'gift', rows: rowsOf(giftRows(gifts)) },
    { table: 'reversal', rows: rowsOf(growReversals(gifts)) },
    { table: 'tax_claim', rows: rowsOf(claims) },
    { table: 'tax_claim_line', rows: rowsOf(lines) },
    {
      table: 'event',
      rows: source.copy('events.csv', ['id', 'name', 'venue', 'day', 'ticket', 'seats']),
    },
    { table: 'event_guest', rows: rowsOf(growGuests(donors, source.rows('events.csv'))) },
    { table: 'letter', rows: rowsOf(growLetters(donors, gifts)) },
    { table: 'goods', rows: rowsOf(growGoods(source, donors)) },
  ];
}
