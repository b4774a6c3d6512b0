import { addDays, addMinutes } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Technician {
  technicianId: number;
  name: string;
  grade: string;
  section: string | null;
  since: string;
  trainedBy: number | null;
}

const sections = ['chemistry', 'chemistry', 'haematology', 'clotting', 'serology', 'urine'];

/** The technicians, in the order in which they came; the first is the head. */
export function growTechnicians(source: Source): Technician[] {
  const random = createRandom('hospital_lab/technician');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  return Array.from({ length: 26 }, (_, i) => ({
    technicianId: 71 + i,
    name: `${random.pick(firstNames)} ${random.pick(lastNames)}`,
    grade: i === 0 ? 'H' : i < 5 ? 'S' : random.pick(['T1', 'T2', 'T2']),
    section: i === 0 || random.chance(0.2) ? null : (sections[i % 6] ?? null),
    since: addDays('1996-09-02', i * 385 + random.int(0, 300)),
    trainedBy: i > 3 && random.chance(0.6) ? 71 + random.int(0, Math.min(i - 1, 9)) : null,
  }));
}

interface Control {
  controlId: number;
  machineId: number;
  code: string;
  day: string;
  level: number;
  target: number;
  measured: number | null;
  passed: number | null;
}

/** Controls twice a week; the old chemistry machine drifts upwards until it is retired. */
export function growControls(source: Source): Control[] {
  const random = createRandom('hospital_lab/control');
  const analytes = source.rows('analytes.csv').filter((row) => !['sign', 'plus'].includes(row('kind')));
  const machines = source.rows('machines.csv');
  const controls: Control[] = [];
  for (let day = '2023-01-02', week = 0; day < '2025'; day = addDays(day, 7), week++) {
    for (const machine of machines) {
      if (machine('installed') > day || (machine('retired') || '9') < day) continue;
      const able = analytes.filter((row) => row('section') === machine('section'));
      if (able.length === 0) continue;
      for (let i = 0; i < 4; i++) {
        const analyte = random.pick(able);
        const level = random.int(1, 2);
        const target = Number(analyte('mean')) * level;
        const drift = machine('name') === 'Corvus 800' ? 1 + week * 0.0015 : 1;
        const measured = random.chance(0.02)
          ? null
          : Number((target * drift * random.near(1, 0.07, 4)).toFixed(Number(analyte('digits')) + 1));
        controls.push({
          controlId: 30_001 + controls.length,
          machineId: Number(machine('id')),
          code: analyte('code'),
          day: addDays(day, i < 2 ? 0 : 3),
          level,
          target,
          measured,
          passed: measured === null ? null : Math.abs(measured / target - 1) <= 0.05 ? 1 : 0,
        });
      }
    }
  }
  return controls;
}

interface Downtime {
  downtimeId: number;
  machineId: number;
  begins: string;
  ends: string | null;
  cause: string;
  serviceCost: number | null;
}

/** When the machines stood still; the oldest most of all, and one is still waiting for a part. */
export function growDowntimes(source: Source): Downtime[] {
  const random = createRandom('hospital_lab/downtime');
  const machines = source.rows('machines.csv');
  const downtimes = Array.from({ length: 150 }, (_, i) => {
    const day = addDays('2023-01-05', Math.floor(i * 4.83));
    const running = machines.filter((row) => row('installed') <= day && (row('retired') || '9') > day);
    const begins = `${day} ${String(random.int(0, 23)).padStart(2, '0')}:${random.pick(['10', '25', '40', '55'])}`;
    return {
      downtimeId: 801 + i,
      machineId: Number(random.pickSkewed(running)('id')),
      begins,
      ends:
        i === 149
          ? null
          : addMinutes(`${begins}:00`, random.int(2, 60) * (random.chance(0.1) ? 60 : 8)).slice(0, 16),
      cause: random.weighted({
        'needle bent': 4,
        'lamp dead': 2,
        software: 4,
        'power cut': 1,
        'reagent leak': 3,
      }),
      serviceCost: random.chance(0.55) ? null : random.near(640, 520, 2),
    };
  });
  return downtimes;
}
