import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Seller {
  sellerId: bigint;
  shop: string;
  country: string;
  joined: string;
  tier: string | null;
  status: string;
}

export interface Merge {
  oldSellerId: bigint;
  newSellerId: bigint;
  mergedOn: string;
}

export interface Buyer {
  buyerId: bigint;
  nickname: string;
  country: string;
  since: string;
  newsletter: number | null;
  closed: string | null;
}

const firstSeller = 6_917_529_027_641_081_857n;
const firstBuyer = 5_764_607_523_034_234_881n;

/** The shops, some of them merged into another of the same country in the course of the two years. */
export function growSellers(source: Source): { sellers: Seller[]; merges: Merge[] } {
  const random = createRandom('marketplace/seller');
  const names = source
    .words('shop-first.txt')
    .flatMap((first) => source.words('shop-second.txt').map((second) => `${first} ${second}`));
  const sellers: Seller[] = Array.from({ length: 118 }, (_, i) => ({
    sellerId: firstSeller + BigInt(i),
    shop: names[(i * 37) % names.length] ?? 'Shop',
    country: random.weighted({ GB: 9, DE: 5, FR: 3, IE: 3, NL: 2 }),
    joined: addDays('2019-03-01', Math.floor((i * 2050) / 118)),
    tier: i > 108 ? null : random.weighted({ basic: 6, silver: 3, gold: 2, Gold: 0.3 }),
    status: random.chance(0.05) ? 'S' : 'A',
  }));
  const merges: Merge[] = [];
  for (let i = 5; i < 100; i += 10) {
    const old = sellers[i];
    const heir = sellers.find(
      (other) => other.country === old?.country && other !== old && other.status === 'A',
    );
    if (old === undefined || heir === undefined || merges.some((merge) => merge.newSellerId === old.sellerId))
      continue;
    old.status = 'M';
    merges.push({
      oldSellerId: old.sellerId,
      newSellerId: heir.sellerId,
      mergedOn: addDays('2023-05-01', i * 5),
    });
  }
  return { sellers, merges };
}

/** The buyers: most buy rarely, a few all the time. */
export function growBuyers(source: Source): Buyer[] {
  const random = createRandom('marketplace/buyer');
  const words = source.words('nicknames.txt');
  return Array.from({ length: 760 }, (_, i) => {
    const since = addDays('2019-04-01', Math.floor((i * 2050) / 760));
    return {
      buyerId: firstBuyer + BigInt(i),
      nickname: `${random.pick(words)}${random.pick(['_', '.', ''])}${random.pick([random.pick(words), String(random.int(1, 99))])}`,
      country: random.weighted({ GB: 10, DE: 6, FR: 4, IE: 3, NL: 2, CH: 0.5 }),
      since,
      newsletter: since < '2020-06' ? null : random.chance(0.4) ? 1 : 0,
      closed: random.chance(0.03) ? addDays('2024-03-01', random.int(0, 270)) : null,
    };
  });
}
