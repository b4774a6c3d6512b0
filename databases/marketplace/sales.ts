import { addDays, addMinutes } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import { type Listing, type PriceChange, priceOn } from './listings.ts';
import type { Buyer } from './parties.ts';

export interface Sale {
  saleId: bigint;
  buyerId: bigint;
  placedAt: string;
  status: string;
  currency: string;
  shippingCents: number;
  voucher: string | null;
  cancelReason: string | null;
}

export interface SaleItem {
  saleId: bigint;
  itemNo: number;
  listingId: bigint;
  qty: number;
  priceCents: number;
}

const firstSale = 8_646_911_284_551_352_321n;

/** Two years of orders, twice as many before Christmas and on the Makers' Weekend of each September; one is for a wedding. */
export function growSales(
  buyers: readonly Buyer[],
  listings: readonly Listing[],
  changes: readonly PriceChange[],
): { sales: Sale[]; items: SaleItem[] } {
  const random = createRandom('marketplace/sale');
  const sales: Sale[] = [];
  const items: SaleItem[] = [];
  for (let day = 0; day < 725; day++) {
    const date = addDays('2023-01-02', day);
    const open = listings.filter((one) => one.listedOn <= date && (one.endedOn ?? '9') > date);
    const times = Array.from({ length: ordersOn(random, date) }, () => random.int(5 * 60, 23 * 60 + 50)).sort(
      (a, b) => a - b,
    );
    for (const minute of times) {
      const buyer = random.pickSkewed(
        buyers.filter(({ since, closed }) => since <= date && (closed ?? '9') > date),
      );
      const wanted = buyer.country === 'GB' && random.chance(0.8) ? 'GBP' : 'EUR';
      const offers = open.filter(({ currency }) => currency === wanted);
      const status = statusOf(random, date);
      const saleId = firstSale + BigInt(sales.length);
      const voucher = /-09-(1[4-7])/.test(date) && random.chance(0.5) ? 'MAKERS10' : null;
      const parts = Array.from({ length: Number(random.weighted({ 1: 7, 2: 2, 3: 1 })) }, () =>
        random.pickSkewed(offers),
      );
      parts.forEach((listing, index) => {
        items.push({
          saleId,
          itemNo: index + 1,
          listingId: listing.listingId,
          qty: quantityOf(random, listing),
          priceCents: priceOn(
            listing,
            changes.filter(({ listingId }) => listingId === listing.listingId),
            date,
          ),
        });
      });
      sales.push({
        saleId,
        buyerId: buyer.buyerId,
        placedAt: addMinutes(`${date} 00:00:${String(random.int(0, 59)).padStart(2, '0')}`, minute),
        status,
        currency: wanted,
        shippingCents: random.pick([0, 290, 390, 390, 550, 790]),
        voucher: voucher ?? (random.chance(0.04) ? random.pick(['HELLO5', 'hello5', 'SORRY']) : null),
        cancelReason:
          status === 'C'
            ? random.pick(['out of stock', 'buyer asked', 'payment failed', 'buyer asked', null])
            : null,
      });
    }
  }
  const wedding = items.find(({ qty }) => qty === 12);
  if (wedding) wedding.qty = 400;
  return { sales, items };
}

function ordersOn(random: Random, date: string): number {
  const most = /-(1[12])-/.test(date) && date.slice(8) < '20' ? 8 : /-09-(1[4-7])/.test(date) ? 12 : 5;
  return random.int(1, date < '2024' ? most - 1 : most);
}

function statusOf(random: Random, date: string): string {
  if (date > '2024-12-18') return random.weighted({ P: 3, S: 5, C: 1 });
  return random.weighted({ D: 80, C: 7, R: 8, S: date > '2024-12' ? 30 : 1 });
}

/** Mostly one; candles by the box. */
function quantityOf(random: Random, listing: Listing): number {
  if (listing.categoryId === 12) return random.int(1, 12);
  return random.chance(0.88) ? 1 : random.int(2, 4);
}
