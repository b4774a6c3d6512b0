import { addDays, daysBetween } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import { type Policy, type Renumbering, towns } from './policies.ts';

export interface Claim {
  claimNo: number;
  policyNo: string;
  happened: string;
  reported: string;
  cause: string;
  town: string | null;
  catId: number | null;
  handlerId: number | null;
  estimateCents: number | null;
  product: string;
}

/** The claims: one in six in a catastrophe, those before 2023 under the policy's old number if it had one. */
export function growClaims(
  source: Source,
  policies: readonly Policy[],
  renumberings: readonly Renumbering[],
): Claim[] {
  const random = createRandom('insurer_claims/claim');
  const products = new Map(source.rows('products.csv').map((row) => [row('code'), row]));
  const catastrophes = source.rows('catastrophes.csv');
  const handlers = source.rows('handlers.csv');
  const oldNumbers = new Map(renumberings.map(({ oldNo, newNo }) => [newNo, oldNo]));
  const claims: Claim[] = [];
  while (claims.length < 1480) {
    const disaster = random.chance(0.45) ? random.pick(catastrophes) : undefined;
    const happened = disaster
      ? addDays(disaster('from'), random.int(0, daysBetween(disaster('from'), disaster('to'))))
      : addDays('2021-01-01', random.int(0, 1455));
    const policy = random.pickSkewed(policies);
    const product = products.get(policy.product);
    if (policy.begins > happened || (policy.ends ?? '9') < happened || product === undefined) continue;
    const causes = product('causes').split(' ');
    const possible = disaster
      ? causes.filter((cause) => disaster('causes').split(' ').includes(cause))
      : causes;
    if (possible.length === 0) continue;
    const late = random.chance(0.07) ? random.int(30, 240) : random.int(0, 12);
    const reported = addDays(
      happened,
      happened > '2024-12-01' ? Math.min(late, daysBetween(happened, '2024-12-30')) : late,
    );
    const team = handlers.filter((row) => row('team') === product('team') && row('boss') !== '1');
    const premium = Number(product('premium'));
    claims.push({
      claimNo: 0,
      policyNo:
        happened < '2023-01-01' ? (oldNumbers.get(policy.policyNo) ?? policy.policyNo) : policy.policyNo,
      // A few forms bear the wrong year: reported before it happened.
      happened: random.chance(0.007) ? addDays(happened, 365) : happened,
      reported: reported > '2024-12-30' ? '2024-12-30' : reported,
      cause: random.pickSkewed(possible),
      town: random.chance(0.08) ? null : random.pickSkewed(towns),
      catId: disaster ? Number(disaster('id')) : null,
      handlerId: reported > '2024-12-20' && random.chance(0.5) ? null : Number(random.pickSkewed(team)('id')),
      estimateCents: random.chance(0.18)
        ? null
        : Math.round(
            (premium *
              random.pick([0.4, 0.8, 1.5, 3, 6]) *
              (random.chance(0.015) ? 7 : 1) *
              random.near(1, 0.4, 2)) /
              1000,
          ) * 1000,
      product: policy.product,
    });
  }
  claims.sort((a, b) => (a.reported < b.reported ? -1 : a.reported > b.reported ? 1 : 0));
  claims.forEach((claim, i) => {
    claim.claimNo = 210_001 + i;
  });
  return claims;
}
