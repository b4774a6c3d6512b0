import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Claim } from './claims.ts';

interface StatusStep {
  claimNo: number;
  step: number;
  status: string;
  since: string;
}

interface PaymentLine {
  line: number;
  claimNo: number;
  booked: string;
  kind: string;
  cents: number;
  corrects: number | null;
}

interface Reserve {
  claimNo: number;
  setOn: string;
  cents: number;
}

const end = '2024-12-31';

/** What became of each claim: its statuses one after the other, what was paid and taken back, what is reserved. */
export function growHistories(source: Source, claims: readonly Claim[]) {
  const random = createRandom('insurer_claims/history');
  const excess = new Map(source.rows('products.csv').map((row) => [row('code'), Number(row('excess'))]));
  const statuses: StatusStep[] = [];
  const payments: PaymentLine[] = [];
  const reserves: Reserve[] = [];
  for (const { claimNo, reported, estimateCents, product, catId } of claims) {
    const damage = Math.round((estimateCents ?? 90_000) * random.near(0.85, 0.5, 3));
    let day = reported;
    let step = 0;
    const enter = (status: string, days: number) => {
      day = addDays(day, days);
      if (day > end) return false;
      const hour = String(random.int(8, 17)).padStart(2, '0');
      statuses.push({
        claimNo,
        step: ++step,
        status,
        since: `${day} ${hour}:${random.pick(['05', '20', '35', '50'])}`,
      });
      return true;
    };
    const pay = (kind: string, cents: number, corrects: number | null = null) => {
      payments.push({ line: 700_001 + payments.length, claimNo, booked: day, kind, cents, corrects });
      return 700_000 + payments.length;
    };
    const reserveNow = (cents: number) => {
      if (reserves.at(-1)?.claimNo === claimNo && reserves.at(-1)?.setOn === day) reserves.pop();
      reserves.push({ claimNo, setOn: day, cents });
    };
    enter('REP', 0);
    reserveNow(damage);
    if (random.chance(0.35) && !enter('PAP', random.int(1, 5))) continue;
    // After a catastrophe everything takes longer.
    if (!enter('REV', random.int(1, catId === null ? 20 : 55))) continue;
    if (random.chance(0.3)) reserveNow(Math.round(damage * random.near(1.3, 0.5, 2)));
    if (random.chance(0.14)) {
      if (!enter('REJ', random.int(2, 30))) continue;
      reserveNow(0);
    } else {
      if (!enter('APP', random.int(2, 40))) continue;
      const due = damage - (excess.get(product) ?? 0);
      if (due > 0) {
        const line = pay('DAM', due);
        const noticed = addDays(day, random.int(2, 15));
        if (random.chance(0.05) && noticed <= end) {
          day = noticed;
          pay('DAM', -due, line);
          pay('DAM', Math.round(due * random.near(0.8, 0.3, 2)));
        }
        if (random.chance(0.08)) pay('LAW', random.int(15, 90) * 1000);
        if (product === 'MOT' && random.chance(0.12)) pay('REG', -Math.round(due * random.near(0.5, 0.4, 2)));
      }
    }
    if (!enter('CLO', random.int(3, 60))) continue;
    reserveNow(0);
    if (random.chance(0.06) && enter('REO', random.int(20, 200))) {
      reserveNow(Math.round(damage * 0.4));
      if (random.chance(0.6) && enter('APP', random.int(5, 30)))
        pay('DAM', Math.round(damage * random.near(0.3, 0.2, 2)));
      if (enter('CLO', random.int(3, 40))) reserveNow(0);
    }
  }
  return { statuses, payments, reserves };
}

interface Report {
  reportId: number;
  claimNo: number;
  expertId: number;
  ordered: string;
  delivered: string | null;
  damageCents: number | null;
  finding: string | null;
}

/** The experts' reports on the bigger claims; the last ones are still being written. */
export function growReports(source: Source, claims: readonly Claim[]): Report[] {
  const random = createRandom('insurer_claims/report');
  const fields = new Map(source.rows('products.csv').map((row) => [row('code'), row('field')]));
  const experts = source.rows('experts.csv');
  const reports: Report[] = [];
  for (const claim of claims) {
    if ((claim.estimateCents ?? 0) < 60_000 || !random.chance(0.55)) continue;
    const able = experts.filter((row) => row('field') === fields.get(claim.product));
    const ordered = addDays(claim.reported, random.int(1, 9));
    const delivered = addDays(ordered, random.int(3, 45));
    const done = delivered <= end && !random.chance(0.03);
    if (ordered > end) continue;
    reports.push({
      reportId: 50_001 + reports.length,
      claimNo: claim.claimNo,
      expertId: Number(random.pickSkewed(able)('id')),
      ordered,
      delivered: done ? delivered : null,
      damageCents: done ? Math.round((claim.estimateCents ?? 0) * random.near(0.75, 0.5, 2)) : null,
      finding: done
        ? random.weighted({ confirmed: 12, overstated: 5, 'old damage': 3, suspicious: 1 })
        : null,
    });
  }
  return reports;
}
