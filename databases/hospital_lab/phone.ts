import { addMinutes } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Order } from './orders.ts';
import type { Result, Sample } from './results.ts';

interface Correction {
  correctionId: number;
  sampleId: string;
  code: string;
  oldValue: string;
  newValue: string;
  at: string;
  reason: string;
}

/** Results that were wrong when they were released; the result itself shows what is right. */
export function growCorrections(results: readonly Result[]): Correction[] {
  const random = createRandom('hospital_lab/correction');
  return results
    .filter((result) => /^[\d.]+$/.test(result.value) && random.chance(0.022))
    .map((result, i) => ({
      correctionId: 4001 + i,
      sampleId: result.sampleId,
      code: result.code,
      oldValue: random.chance(0.15)
        ? 'neg'
        : (Number(result.value) * random.pick([10, 0.1, 1.3, 0.8])).toFixed(1),
      newValue: result.value,
      at: addMinutes(`${result.released}:00`, random.int(4, 2900)).slice(0, 16),
      reason: random.weighted({
        'typing error': 5,
        'wrong dilution': 3,
        'sample swapped': 2,
        'air bubble': 2,
      }),
    }));
}

interface Call {
  when: string;
  ward: string;
  sampleId: string;
  toldTo: string | null;
  readBack: string | null;
}

/** Calls to the wards about samples, some numbers misheard. */
export function growPhoneLog(source: Source, samples: readonly Sample[], orders: readonly Order[]): Call[] {
  const random = createRandom('hospital_lab/phone_log');
  const wards = new Map(orders.map((order) => [order.orderNo, order.ward]));
  const lastNames = source.words('last-names.txt');
  return samples
    .filter(() => random.chance(0.13))
    .map((sample) => {
      const at = addMinutes(`${sample.arrived}:00`, random.int(20, 120));
      return {
        when: `${at.slice(8, 10)}.${at.slice(5, 7)}.${at.slice(0, 4)} ${at.slice(11, 16)}`,
        ward: wards.get(sample.orderNo) ?? 'ER',
        sampleId: random.chance(0.05) ? `${sample.sampleId.slice(0, -1)}X` : sample.sampleId,
        toldTo: random.chance(0.1) ? null : `nurse ${random.pick(lastNames)}`,
        readBack: random.chance(0.12) ? null : random.chance(0.8) ? 'y' : 'n',
      };
    });
}
