import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source, SourceRow } from '../source.ts';
import type { Seller } from './parties.ts';

export interface Listing {
  listingId: bigint;
  sellerId: bigint;
  categoryId: number;
  title: string;
  priceCents: number;
  currency: string;
  condition: string;
  listedOn: string;
  endedOn: string | null;
  stock: number | null;
}

export interface PriceChange {
  listingId: bigint;
  changedOn: string;
  fromCents: number;
  toCents: number;
}

const firstListing = 3_458_764_513_820_540_929n;
const conditions: Readonly<Record<number, Record<string, number>>> = {
  31: { V: 5, U: 3, N: 1 },
  33: { U: 5, V: 3 },
  13: { V: 3, H: 2, N: 2 },
};

/** The listings: a shop keeps to a few categories; most prices never change, others creep up or are cut. */
export function growListings(source: Source, sellers: readonly Seller[]) {
  const random = createRandom('marketplace/listing');
  const adjectives = source.words('adjectives.txt');
  const categories = source.rows('categories.csv').filter((row) => row('parent') !== '');
  const listings: Listing[] = [];
  const changes: PriceChange[] = [];
  for (const seller of sellers) {
    const own = [random.pick(categories), random.pick(categories)];
    for (let i = random.int(2, 19); i > 0; i--) {
      const row = random.pickSkewed(own);
      const earliest = seller.joined < '2022-06' ? '2022-06-01' : seller.joined;
      const listedOn = addDays(earliest, random.int(0, earliest < '2024' ? 560 : 120));
      const listing: Listing = {
        listingId: firstListing + BigInt(listings.length),
        sellerId: seller.sellerId,
        categoryId: Number(row('id')),
        title: titleOf(random, adjectives, row),
        priceCents: priceOf(random, row),
        currency: seller.country === 'GB' ? 'GBP' : 'EUR',
        condition: random.weighted(conditions[Number(row('id'))] ?? { H: 8, N: 2, U: 1 }),
        listedOn,
        endedOn: listedOn < '2024-02' && random.chance(0.25) ? addDays(listedOn, random.int(20, 300)) : null,
        stock: random.chance(0.3) ? null : random.int(0, 40),
      };
      listings.push(listing);
      changes.push(...growChanges(random, listing));
    }
  }
  return { listings, changes };
}

function titleOf(random: Random, adjectives: readonly string[], row: SourceRow): string {
  const title = `${random.pick(adjectives)} ${random.pick(row('things').split('|')).toLowerCase()}`;
  return random.chance(0.04) ? `${title.toUpperCase()}!!` : random.chance(0.04) ? ` ${title}` : title;
}

function priceOf(random: Random, row: SourceRow): number {
  const low = Number(row('low'));
  const high = Number(row('high'));
  return Math.round((low + (high - low) * random.next() ** 3) / 50) * 50;
}

function growChanges(random: Random, listing: Listing): PriceChange[] {
  if (!random.chance(0.3)) return [];
  const changes: PriceChange[] = [];
  let day = listing.listedOn;
  for (let i = random.int(1, 3); i > 0; i--) {
    day = addDays(day, random.int(15, 140));
    const fromCents = listing.priceCents;
    const toCents = Math.round((fromCents * random.pick([0.8, 0.9, 1.05, 1.1, 1.2])) / 50) * 50;
    if (day > '2024-12-20' || toCents === fromCents || day > (listing.endedOn ?? '9')) break;
    changes.push({ listingId: listing.listingId, changedOn: day, fromCents, toCents });
    listing.priceCents = toCents;
  }
  return changes;
}

/** What a listing cost on a day. */
export function priceOn(listing: Listing, changes: readonly PriceChange[], day: string): number {
  const later = changes.find((change) => change.changedOn > day);
  return later?.fromCents ?? listing.priceCents;
}
