import { addMinutes } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source, SourceRow } from '../source.ts';
import type { Technician } from './bench.ts';
import type { Order } from './orders.ts';

export interface Sample {
  sampleId: string;
  orderNo: number;
  tube: string;
  drawn: string | null;
  arrived: string;
  quality: string;
}

export interface Result {
  sampleId: string;
  code: string;
  value: string;
  unit: string | null;
  flag: string | null;
  machineId: number | null;
  released: string;
  releasedBy: number | null;
}

/** The day the laboratory changed to units of the SI. */
const SI = '2023-10-01';

/** The samples of each order and what was measured in them. */
export function growResults(source: Source, orders: readonly Order[], technicians: readonly Technician[]) {
  const random = createRandom('hospital_lab/result');
  const analytes = source.rows('analytes.csv');
  const weights = Object.fromEntries(analytes.map((row) => [row('code'), Number(row('weight'))]));
  const machines = source.rows('machines.csv');
  const samples: Sample[] = [];
  const results: Result[] = [];
  for (const order of orders) {
    if (order.cancelled !== null) continue;
    const codes = new Set(Array.from({ length: random.int(1, 6) }, () => random.weighted(weights)));
    const wanted = analytes.filter((row) => codes.has(row('code')));
    for (const tube of new Set(wanted.map((row) => row('tube')))) {
      const drawn = addMinutes(`${order.placed}:00`, random.int(2, 50)).slice(0, 16);
      const transport = order.ward.startsWith('GP') ? random.int(90, 260) : random.int(4, 45);
      const sample = {
        sampleId: `${order.placed.slice(2, 4)}-${String(samples.length + 101).padStart(6, '0')}`,
        orderNo: order.orderNo,
        tube,
        drawn: random.chance(0.06) ? null : drawn,
        arrived: addMinutes(`${drawn}:00`, transport).slice(0, 16),
        quality: random.weighted({
          ok: 92,
          haemolysed: order.ward === 'ER' || order.ward === 'NEO' ? 9 : 2,
          clotted: tube === 'EDTA' || tube === 'citrate' ? 3 : 0,
          'too little': order.ward === 'NEO' ? 12 : 1,
          mislabelled: 1,
        }),
      };
      samples.push(sample);
      if (sample.quality === 'mislabelled' || sample.quality === 'too little') continue;
      for (const analyte of wanted.filter((row) => row('tube') === tube)) {
        const section = analyte('section');
        const running = machines.filter(
          (row) =>
            row('section') === section &&
            row('installed') <= sample.arrived &&
            (row('retired') || '9') > sample.arrived.slice(0, 10),
        );
        const haste = { R: 1, U: 0.7, L: 0.5 }[order.urgency] ?? 1;
        const wait = Math.round(Number(analyte('minutes')) * haste * random.near(0.85, 0.7, 2)) + 5;
        const staff = technicians.filter((person) => person.section === section || person.section === null);
        results.push({
          sampleId: sample.sampleId,
          code: analyte('code'),
          ...measure(random, analyte, sample),
          machineId: running.length === 0 || random.chance(0.03) ? null : Number(random.pick(running)('id')),
          released: addMinutes(`${sample.arrived}:00`, wait).slice(0, 16),
          releasedBy: random.chance(0.45) ? null : random.pickSkewed(staff).technicianId,
        });
      }
    }
  }
  return { samples, results };
}

/** A value as it is printed, in the unit of its time, with its flag. */
function measure(random: Random, analyte: SourceRow, sample: Sample) {
  const kind = analyte('kind');
  const old = sample.arrived < SI && analyte('old') !== '';
  const unit = analyte(old ? 'old' : 'unit') || null;
  if (kind === 'sign') {
    const positive = random.chance(analyte('code') === 'UNI' ? 0.2 : 0.03);
    return { value: positive ? 'pos' : 'neg', unit, flag: positive ? 'H' : null };
  }
  if (kind === 'plus') {
    const value = random.weighted({ neg: 10, 'pos +': 3, 'pos ++': 2, 'pos +++': 1 });
    return { value, unit, flag: value === 'neg' ? null : 'H' };
  }
  if (random.chance(0.01) || (sample.quality !== 'ok' && random.chance(0.5))) {
    return { value: 'see comment', unit, flag: null };
  }
  const ill = random.chance(0.1) ? 1.6 : 1;
  const mean = Number(analyte('mean'));
  const spread = Number(analyte('spread'));
  const amount = Math.max(kind === 'below' ? 0 : mean / 5, random.near(mean, spread * ill, 3));
  const factor = old ? Number(analyte('factor')) : 1;
  const digits = factor < 1 ? 0 : Number(analyte('digits')) + (old ? 1 : 0);
  const [least, most] = kind === 'below' ? [mean / 40 / factor, (mean + spread) / factor] : [0, Infinity];
  return {
    value: print(amount / factor, digits, least, most),
    unit,
    flag: flagOf(amount, analyte('low'), Number(analyte('high'))),
  };
}

/** Beyond what the machine can measure, the limit itself is printed: `<0.5`, `>1.7`. */
function print(amount: number, digits: number, limit: number, most: number): string {
  const least = limit > 0 ? Math.max(limit, 10 ** -digits) : 0;
  if (amount < least) return `<${least.toFixed(digits)}`;
  return amount > most ? `>${most.toFixed(digits)}` : amount.toFixed(digits);
}

function flagOf(amount: number, low: string, high: number): string | null {
  if (amount > high * 1.5) return 'HH';
  if (amount > high) return 'H';
  if (low !== '' && amount < Number(low) * 0.75) return 'LL';
  return low !== '' && amount < Number(low) ? 'L' : null;
}
