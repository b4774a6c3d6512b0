import { createRandom, round } from '../random.ts';
import type { Source } from '../source.ts';

export interface Target {
  targetId: number;
  name: string;
  type: string;
  ra: string | null;
  dec: string | null;
  raDeg: number | null;
  decDeg: number | null;
  mag: number | null;
  constellation: string | null;
  sameAs: number | null;
}

const constellations = [
  'And',
  'Aql',
  'Boo',
  'Cas',
  'Cyg',
  'Dra',
  'Her',
  'Leo',
  'Lyr',
  'Ori',
  'Peg',
  'UMa',
  'Vir',
];
const prefixes: Readonly<Record<string, string>> = {
  GX: 'CG',
  OC: 'Corrie',
  GC: 'Gl',
  PN: 'PNC',
  EB: 'EBC',
  CV: 'Outburst',
  RR: 'RRC',
  QS: 'QC',
  EX: 'Warm',
  MO: 'K24',
  ST: 'Std',
};

/** What was ever pointed at; some of it was entered a second time under another name. */
export function growTargets(source: Source): Target[] {
  const random = createRandom('observatory/target');
  const types = source.rows('types.csv').map((row) => row('code'));
  const targets: Target[] = [];
  for (let i = 0; i < 320; i++) {
    const twin =
      i > 40 && random.chance(0.04)
        ? random.pick(targets.filter((other) => other.sameAs === null))
        : undefined;
    const type = twin?.type ?? random.pickSkewed(types);
    const moves = type === 'MO';
    const raDeg = twin?.raDeg ?? round(random.next() * 360, 4);
    const decDeg = twin?.decDeg ?? round(random.near(25, 60, 4), 4);
    const faint: Readonly<Record<string, number>> = { QS: 17.5, GX: 14.5, MO: 18, ST: 9, EX: 11, OC: 7 };
    targets.push({
      targetId: 1001 + i,
      name: twin
        ? `${twin.name} (2)`.replace(/^\S+/, 'Field')
        : `${prefixes[type] ?? 'X'} ${random.int(1, 9)}${String(i).padStart(3, '0')}`,
      type,
      ra: moves ? null : hours(raDeg),
      dec: moves ? null : degrees(decDeg),
      raDeg: moves ? null : raDeg,
      decDeg: moves ? null : decDeg,
      mag: random.chance(0.07) ? null : random.near(faint[type] ?? 13, 2.8, 2),
      constellation: moves ? null : (constellations[Math.floor(raDeg / 28)] ?? null),
      sameAs: twin?.targetId ?? null,
    });
  }
  return targets;
}

/** Degrees as hours, minutes and seconds: `05 34 31.9`. */
function hours(value: number): string {
  const tenths = Math.round((value / 15) * 36_000);
  return `${two(Math.floor(tenths / 36_000))} ${two(Math.floor(tenths / 600) % 60)} ${((tenths % 600) / 10).toFixed(1).padStart(4, '0')}`;
}

/** Degrees as degrees, minutes and seconds with a sign: `-05 23 28`. */
function degrees(value: number): string {
  const seconds = Math.round(Math.abs(value) * 3600);
  return `${value < 0 ? '-' : '+'}${two(Math.floor(seconds / 3600))} ${two(Math.floor(seconds / 60) % 60)} ${two(seconds % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
