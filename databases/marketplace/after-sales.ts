import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Listing } from './listings.ts';
import type { Merge, Seller } from './parties.ts';
import type { Sale, SaleItem } from './sales.ts';

/** The parcels of what was sent; a big order goes in two, and a few are lost. */
export function growShipments(sales: readonly Sale[]) {
  const random = createRandom('marketplace/shipment');
  return sales.flatMap((sale) => {
    if (sale.status === 'C' || sale.status === 'P') return [];
    const parcels = random.chance(0.06) ? 2 : 1;
    return Array.from({ length: parcels }, () => {
      const carrier = random.weighted({
        'Parcel Post': 8,
        Swiftway: 5,
        'Green Wheels': 2,
        'parcel post': 0.4,
      });
      const sentOn = addDays(sale.placedAt.slice(0, 10), random.int(0, 5));
      const late = sentOn.slice(5, 7) === '12' ? 5 : 0;
      return {
        tracking: `${carrier.slice(0, 2).toUpperCase()}${random.int(10_000_000, 99_999_999)}${sale.currency.slice(0, 2)}`,
        saleId: sale.saleId,
        carrier,
        sentOn,
        arrivedOn:
          sale.status === 'S' || random.chance(0.01) ? null : addDays(sentOn, random.int(1, 9) + late),
        grams: random.chance(0.05) ? null : random.int(4, 400) * 10,
      };
    });
  });
}

/** A case for each returned order, and some complaints that came to nothing. */
export function growReturns(sales: readonly Sale[], items: readonly SaleItem[]) {
  const random = createRandom('marketplace/return_case');
  const totals = totalsOf(items);
  return sales
    .filter(({ status }) => status === 'R' || (status === 'D' && random.chance(0.03)))
    .map((sale, i) => {
      const openedOn = addDays(sale.placedAt.slice(0, 10), random.int(5, 25));
      const open = openedOn > '2024-11-20' && random.chance(0.6);
      const outcome = open
        ? null
        : sale.status === 'R'
          ? random.weighted({ refund: 5, partial: 1 })
          : random.weighted({ rejected: 3, partial: 1 });
      const total = totals.get(sale.saleId) ?? 0;
      return {
        caseId: 7001 + i,
        saleId: sale.saleId,
        openedOn,
        reason: random.weighted({ DMG: 4, DIF: 3, LAT: openedOn.slice(5, 7) === '12' ? 5 : 1, MND: 3 }),
        outcome,
        refundCents:
          outcome === 'refund'
            ? total
            : outcome === 'partial'
              ? Math.round(total * 0.4)
              : outcome === null
                ? null
                : 0,
        decidedOn: open ? null : addDays(openedOn, random.int(1, 21)),
      };
    });
}

function totalsOf(items: readonly SaleItem[]): Map<bigint, number> {
  const totals = new Map<bigint, number>();
  for (const { saleId, qty, priceCents } of items)
    totals.set(saleId, (totals.get(saleId) ?? 0) + qty * priceCents);
  return totals;
}

export function growReviews(source: Source, sales: readonly Sale[]) {
  const random = createRandom('marketplace/review');
  const words = source.words('review-words.txt');
  return sales
    .filter(({ status }) => (status === 'D' && random.chance(0.42)) || (status === 'R' && random.chance(0.3)))
    .map((sale) => {
      const stars = Number(
        random.weighted(sale.status === 'R' ? { 1: 5, 2: 3, 3: 1 } : { 5: 9, 4: 5, 3: 2, 2: 1, 1: 0.5 }),
      );
      const fitting = words.filter((line) => line.startsWith(String(stars)));
      return {
        saleId: sale.saleId,
        stars,
        words: random.chance(0.35) ? null : random.pick(fitting).slice(2),
        writtenOn: addDays(sale.placedAt.slice(0, 10), random.int(4, 45)),
        hidden: stars < 3 && random.chance(0.12) ? random.pick(['insult', 'not about the order']) : null,
      };
    });
}

/** What each shop sold in a month, less the fee; a merged shop's sales go to the one it became part of. */
export function growPayouts(
  sellers: readonly Seller[],
  merges: readonly Merge[],
  listings: readonly Listing[],
  sales: readonly Sale[],
  items: readonly SaleItem[],
) {
  const random = createRandom('marketplace/payout');
  const sellerOf = new Map(listings.map(({ listingId, sellerId }) => [listingId, sellerId]));
  const saleOf = new Map(sales.map((sale) => [sale.saleId, sale]));
  const gross = new Map<string, number>();
  for (const { saleId, listingId, qty, priceCents } of items) {
    const sale = saleOf.get(saleId);
    if (sale === undefined || /[CRP]/.test(sale.status)) continue;
    const seller = sellerOf.get(listingId);
    const heir = merges.find(
      ({ oldSellerId, mergedOn }) => oldSellerId === seller && mergedOn <= sale.placedAt,
    )?.newSellerId;
    const key = `${sale.placedAt.slice(0, 7)} ${heir ?? seller} ${sale.currency}`;
    gross.set(key, (gross.get(key) ?? 0) + qty * priceCents);
  }
  return [...gross]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, grossCents], i) => {
      const [month = '', id = '0', currency = ''] = key.split(' ');
      const seller = sellers.find(({ sellerId }) => sellerId === BigInt(id));
      const fee = seller?.tier?.toLowerCase() === 'gold' ? 0.06 : seller?.tier === 'silver' ? 0.075 : 0.09;
      const held = seller?.status === 'S' ? 0.5 : 0.01;
      return {
        payoutId: 2_305_843_009_213_693_953n + BigInt(i),
        sellerId: BigInt(id),
        month,
        currency,
        grossCents,
        feeCents: Math.round(grossCents * fee),
        paidOn: random.chance(held) || month === '2024-12' ? null : addDays(`${month}-28`, random.int(6, 12)),
      };
    });
}

/** A rate a month; July 2023 was typed twice. */
export function growRates() {
  const random = createRandom('marketplace/exchange_rate');
  return Array.from({ length: 24 }, (_, i) => {
    const month = `${String((i % 12) + 1).padStart(2, '0')}/${2023 + Math.floor(i / 12)}`;
    const rate = (1.13 + i * 0.003 + random.near(0, 0.012, 4)).toFixed(4).replace('.', ',');
    return { month, rate };
  }).flatMap((row) => (row.month === '07/2023' ? [row, row] : [row]));
}
