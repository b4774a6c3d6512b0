import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source, SourceRow } from '../source.ts';
import type { Permit } from './applications.ts';
import type { Officer } from './people.ts';

/** The steps of each application, from the web form to the decision. */
export function growHistory(permits: readonly Permit[]) {
  const random = createRandom('city_permits/status_history');
  return permits.flatMap((permit) => {
    const { permitNo, officerId, filedOn, decidedOn } = permit;
    const steps: [at: string, status: number, officerId: number | null][] = [
      [`${filedOn} ${clock(random, random.pick([0, 7, 9, 11, 14, 17, 20]))}`, 10, null],
    ];
    const last = decidedOn ?? '2024-12-21';
    const review = addDays(filedOn, random.int(1, 9));
    if (permit.status !== 10 && random.chance(permit.status === 15 ? 1 : 0.15))
      steps.push([`${addDays(filedOn, 1)} ${clock(random, 8)}`, 15, officerId]);
    if (permit.status !== 10 && permit.status !== 15 && review < last)
      steps.push([`${review} ${clock(random, 12)}`, 20, officerId]);
    if (decidedOn !== null)
      steps.push([
        `${decidedOn} ${clock(random, 16)}`,
        permit.status === 70 ? random.pick([30, 35]) : permit.status,
        officerId,
      ]);
    const heir = permits.find((other) => other.permitNo === permit.supersededBy);
    if (heir !== undefined)
      steps.push([`${addDays(heir.filedOn, 2)} ${clock(random, 18)}`, 70, heir.officerId]);
    return steps
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([at, status, by]) => ({ permitNo, at, status, officerId: by }));
  });
}

function clock(random: Random, hour: number): string {
  return `${String(hour + random.int(0, 3)).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}`;
}

/** Fees, dearer by a tenth from 2024 on; the council pays none. */
export function growFees(permits: readonly Permit[], types: readonly SourceRow[]) {
  const random = createRandom('city_permits/fee');
  return permits
    .flatMap(({ permitNo, typeCode, filedOn, applicantId }) => {
      const base = Number(types.find((row) => row('code') === typeCode)?.('fee'));
      const dear = filedOn < '2024' ? 1 : 1.1;
      const extra = random.weighted({ none: 7, inspection: 2, late: 1 });
      const bill = (what: string, amount: number, after: number) => {
        const billedOn = addDays(filedOn, after);
        const waived = applicantId === 2001 ? 'Y' : random.chance(0.02) ? 'Y' : null;
        const paidOn = addDays(billedOn, random.int(1, 60));
        const paid = waived === null && paidOn < '2024-12-22' && !random.chance(0.06);
        return { permitNo, what, amount, billedOn, paidOn: paid ? paidOn : null, waived };
      };
      return [
        bill('base', Math.round(base * dear * 100) / 100, 1),
        ...(extra === 'none' ? [] : [bill(extra, extra === 'late' ? 25 : 85, random.int(20, 70))]),
      ];
    })
    .filter(({ billedOn }) => billedOn < '2024-12-22')
    .map((fee, i) => ({ feeId: 80_001 + i, ...fee }));
}

/** Visits to the works; who failed or was not in is visited again. */
export function growInspections(source: Source, permits: readonly Permit[], officers: readonly Officer[]) {
  const random = createRandom('city_permits/inspection');
  const notes = source.words('notes.txt');
  const inspections: {
    inspectionId: number;
    permitNo: string;
    officerId: number;
    heldOn: string;
    result: string;
    note: string | null;
    repeats: number | null;
  }[] = [];
  for (const { permitNo, typeCode, decidedOn, status } of permits) {
    if (decidedOn === null || status === 40 || status === 50) continue;
    if (!random.chance(/BLD|DEM|TER|SCA/.test(typeCode) ? 0.75 : 0.15)) continue;
    let heldOn = addDays(decidedOn, random.int(5, 90));
    let repeats: number | null = null;
    for (let i = 0; i < 4 && heldOn < '2024-12-20'; i++) {
      const present = officers.filter(({ since, until }) => since <= heldOn && (until ?? '9') >= heldOn);
      const result = random.weighted({ P: 7, F: 2, N: 1 });
      const inspectionId = 60_001 + inspections.length;
      inspections.push({
        inspectionId,
        permitNo,
        officerId: random.pickSkewed(present).officerId,
        heldOn,
        result,
        note: random.chance(0.6) ? null : random.pick(notes),
        repeats,
      });
      if (result === 'P') break;
      repeats = inspectionId;
      heldOn = addDays(heldOn, random.int(10, 45));
    }
  }
  return inspections;
}

export function growObjections(source: Source, permits: readonly Permit[]) {
  const random = createRandom('city_permits/objection');
  const surnames = source.words('surnames.txt');
  return permits
    .flatMap((permit) => {
      const likely = /BLD|DEM|ALC|EVT/.test(permit.typeCode) ? 0.22 : 0.05;
      return Array.from({ length: random.chance(likely) ? random.int(1, 4) : 0 }, () => ({
        permitNo: permit.permitNo,
        neighbour: random.chance(0.15)
          ? null
          : `${random.pick(['Mr', 'Mrs', 'Dr'])} ${random.pick(surnames)}`,
        receivedOn: addDays(permit.filedOn, random.int(3, 28)),
        ground: /BLD|DEM/.test(permit.typeCode)
          ? random.weighted({ L: 5, H: 3, T: 2, N: 2, X: 1 })
          : random.weighted({ N: 6, T: 2, S: 2, X: 1 }),
        upheld:
          permit.decidedOn === null ? null : permit.status === 40 ? 'Y' : random.chance(0.2) ? 'Y' : 'N',
      }));
    })
    .map((objection, i) => ({ objectionId: 301 + i, ...objection }));
}

export function growConditions(source: Source, permits: readonly Permit[]) {
  const random = createRandom('city_permits/permit_condition');
  const wordings = source.words('conditions.txt');
  return permits
    .filter(({ status }) => status === 35 || status === 70)
    .flatMap(({ permitNo, decidedOn }) =>
      Array.from({ length: random.int(1, 3) }, (_, i) => {
        const metOn = addDays(decidedOn ?? '2024-12-01', random.int(2, 200));
        return {
          permitNo,
          no: i + 1,
          wording: random.pick(wordings),
          metOn: metOn < '2024-12-20' && random.chance(0.7) ? metOn : null,
        };
      }),
    );
}

/** Telephone notes: some twice, some with a permit number that is not quite right. */
export function growPhoneLog(source: Source, permits: readonly Permit[]) {
  const random = createRandom('city_permits/phone_log');
  const surnames = source.words('surnames.txt');
  return Array.from({ length: 260 }, (_, i) => {
    const date = addDays('2022-01-10', i * 4 + random.int(0, 3));
    const permit = random.pick(permits.filter(({ filedOn }) => filedOn <= date));
    const known = random.weighted({ none: 5, right: 4, wrong: 1 });
    return {
      day: `${date.slice(8)}.${date.slice(5, 7)}.${date.slice(2, 4)}`,
      caller: random.chance(0.2) ? null : random.pick(surnames),
      where: permit.address,
      about: random.pick([
        'noise',
        'when will it be decided',
        'skip in the road',
        'smell',
        'no permit?',
        'Noise',
      ]),
      permitNo:
        known === 'none' ? null : known === 'right' ? permit.permitNo : permit.permitNo.replace('-', ' '),
    };
  }).flatMap((row) => (random.chance(0.05) ? [row, row] : [row]));
}
