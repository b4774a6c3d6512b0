import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

interface Customer {
  customerId: number;
  name: string;
  kind: string;
  born: string | null;
  town: string | null;
  customerSince: number;
}

export interface Policy {
  policyNo: string;
  customerId: number;
  product: string;
  agentId: number | null;
  begins: string;
  ends: string | null;
  insuredCents: number | null;
  group: string;
}

export interface Renumbering {
  oldNo: string;
  newNo: string;
  changed: string;
}

export const towns = ['Wendham', 'Brannock', 'Port Ellery', 'Little Tarn', 'Upper Wend', 'Saltgate'];

/** The customers: people, a few firms and towns. */
export function growCustomers(source: Source): Customer[] {
  const random = createRandom('insurer_claims/customer');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const firms = source.words('firms.txt');
  return Array.from({ length: 620 }, (_, i) => {
    const firm = i % 80 === 33 ? firms[Math.floor(i / 80)] : undefined;
    const town = i % 200 === 150 ? towns[Math.floor(i / 200)] : undefined;
    return {
      customerId: 11_001 + i,
      name: firm ?? (town ? `Town of ${town}` : `${random.pick(lastNames)}, ${random.pick(firstNames)}`),
      kind: firm ? 'F' : town ? 'M' : 'P',
      born: firm || town ? null : addDays('1936-01-01', random.int(0, 25_000)),
      town: town ?? (random.chance(0.04) ? null : random.pickSkewed(towns)),
      customerSince: random.int(1988, 2024),
    };
  });
}

/** The policies; four in ten came from Albion Mutual and were given new numbers in 2023. */
export function growPolicies(source: Source, customers: readonly Customer[]) {
  const random = createRandom('insurer_claims/policy');
  const products = source.rows('products.csv');
  const weights = Object.fromEntries(products.map((row) => [row('code'), Number(row('weight'))]));
  const agents = source.rows('agents.csv');
  const policies: Policy[] = [];
  const renumberings: Renumbering[] = [];
  for (let i = 0; i < 1050; i++) {
    const takenOver = random.chance(0.4);
    const begins = addDays('2012-01-01', random.int(0, takenOver ? 3900 : 4600));
    const ends = addDays(begins, random.int(2, 12) * 365);
    const able = agents.filter((row) => row('since') <= begins);
    const policy = {
      policyNo: `N-${takenOver ? '2023' : begins.slice(0, 4)}-${String(1000 + i * 7).padStart(5, '0')}`,
      customerId: random.pickSkewed(customers).customerId,
      product: random.weighted(weights),
      agentId: random.chance(0.2) || able.length === 0 ? null : Number(random.pickSkewed(able)('id')),
      begins,
      ends: ends < '2024-12-31' && random.chance(0.5) ? ends : null,
      insuredCents: random.chance(0.15) ? null : random.pick([500_000, 2_500_000, 5_000_000, 20_000_000]),
      group: random.weighted({ A: 6, B: 5, C: 4, D: 2, E: 1 }),
    };
    policies.push(policy);
    if (takenOver && (policy.ends ?? '9') > '2023-01-01') {
      renumberings.push({ oldNo: `AM/${20_000 + i * 13}`, newNo: policy.policyNo, changed: '2023-01-01' });
    }
  }
  return { policies, renumberings };
}

interface Premium {
  booking: number;
  policyNo: string;
  year: number;
  booked: string;
  cents: number;
  text: string;
}

/** A premium a year for every policy in force, and now and then something given back. */
export function growPremiums(source: Source, policies: readonly Policy[]): Premium[] {
  const random = createRandom('insurer_claims/premium');
  const list = new Map(source.rows('products.csv').map((row) => [row('code'), Number(row('premium'))]));
  const bonus: Readonly<Record<string, number>> = { A: 0.7, B: 0.85, C: 1, D: 1.25, E: 1.6 };
  const premiums: Premium[] = [];
  const book = (premium: Omit<Premium, 'booking'>) =>
    premiums.push({ booking: 400_001 + premiums.length, ...premium });
  for (const policy of policies) {
    for (let year = 2021; year <= 2024; year++) {
      if (policy.begins > `${year}-12-31` || (policy.ends ?? '9') < `${year}-01-31`) continue;
      const policyNo = policy.policyNo;
      const raised = 1 + (year - 2021) * 0.04 + (year === 2024 && policy.product === 'MOT' ? 0.11 : 0);
      const cents = Math.round(
        (list.get(policy.product) ?? 10_000) * (bonus[policy.group] ?? 1) * raised * random.near(1, 0.1, 3),
      );
      const booked = addDays(`${year}-01-02`, random.int(0, 20));
      book({ policyNo, year, booked, cents, text: 'annual premium' });
      if (random.chance(0.03)) {
        const back = -Math.round(cents * random.pick([0.1, 0.25, 1]));
        book({
          policyNo,
          year,
          booked: addDays(booked, random.int(20, 300)),
          cents: back,
          text: back === -cents ? 'booked in error' : 'rebate',
        });
      }
    }
  }
  return premiums;
}
