import { createRandom, type Random, round } from '../random.ts';
import type { Source, SourceRow } from '../source.ts';
import type { LocalCall } from './calls.ts';
import { withCheckDigit } from './numbers.ts';
import { later } from './times.ts';

export interface Container {
  containerNo: string;
  lineCode: string;
  typeCode: string;
  built: number;
  note: string | null;
}

export interface Stay {
  bookingNo: string;
  containerNo: string;
  way: string;
  goods: string;
  temperature: number | null;
  tonnes: number;
  begins: string;
  ends: string;
  brought: LocalCall | undefined;
  taken: LocalCall | undefined;
}

export function growContainers(source: Source): Container[] {
  const random = createRandom('container_port/container');
  const types = source.rows('types.csv');
  const weights = Object.fromEntries(types.map((row) => [row('code'), Number(row('weight'))]));
  return source.rows('lines.csv').flatMap((row) => {
    let serial = random.int(100_000, 600_000);
    return Array.from({ length: 150 }, () => {
      serial += random.int(1, 900);
      return {
        containerNo: withCheckDigit(row('prefix'), serial),
        lineCode: row('code'),
        typeCode: random.weighted(weights),
        built: random.int(2006, 2023),
        note: random.chance(0.06)
          ? random.pick(['dent', 'door stiff', 'smells of fish', 'rust', 'food grade'])
          : null,
      };
    });
  });
}

/** The bookings and what became of each of their containers; fruit goes soon, tiles wait. */
export function growStays(source: Source, containers: readonly Container[], calls: readonly LocalCall[]) {
  const random = createRandom('container_port/booking');
  const goods = source.rows('goods.csv');
  const customers = source.words('customers.txt');
  const busyUntil = new Map<string, string>();
  const stays: Stay[] = [];
  const bookings: (string | number | null)[][] = [];
  const landed = calls.filter(({ berthNo }) => berthNo !== null);
  for (let i = 0; i < 620; i++) {
    const row = random.pick(goods);
    const cooled = row('temp') !== '';
    const way =
      row('goods') === 'bananas'
        ? 'I'
        : row('goods') === 'empty'
          ? 'E'
          : random.weighted({ I: 5, E: 4, T: 2 });
    const call = random.pick(landed);
    const bookingNo = `${call.line}${String(50_210 + i * 3).padStart(6, '0')}`;
    const next = landed.find(
      (other) => other.line === call.line && other.madeFast > later(call.castOff, 1_440),
    );
    if (way === 'T' && next === undefined) continue;
    const free = containers.filter(
      ({ containerNo, lineCode, typeCode }) =>
        lineCode === call.line &&
        cooled === /R1/.test(typeCode) &&
        (busyUntil.get(containerNo) ?? '2023') < later(call.madeFast, -16_000),
    );
    if (free.length < 5) continue;
    const chosen = new Set(Array.from({ length: random.int(1, 5) }, () => random.pick(free).containerNo));
    bookings.push([
      bookingNo,
      call.line,
      row('goods') === 'empty' ? null : random.pickSkewed(customers),
      way,
      row('goods'),
      row('hazard') || null,
      cooled ? Number(row('temp')) : null,
    ]);
    for (const containerNo of chosen) {
      const stay = stayOf(random, row, { bookingNo, containerNo, way }, call, next);
      busyUntil.set(containerNo, stay.ends);
      stays.push(stay);
    }
  }
  return { bookings, stays };
}

function stayOf(
  random: Random,
  row: SourceRow,
  start: Pick<Stay, 'bookingNo' | 'containerNo' | 'way'>,
  call: LocalCall,
  next: LocalCall | undefined,
): Stay {
  const low = Number(row('low'));
  const atShip = (ship: LocalCall) => later(ship.madeFast, 40 + random.int(0, 260));
  const patience = /bananas|flowers|fish/.test(row('goods'))
    ? 3_000
    : row('goods') === 'tiles'
      ? 20_000
      : 11_000;
  const wait = 300 + random.int(0, patience) * random.next();
  const begins = start.way === 'E' ? later(call.madeFast, -wait) : atShip(call);
  return {
    ...start,
    goods: row('goods'),
    temperature: row('temp') === '' ? null : Number(row('temp')),
    tonnes: row('goods') === 'empty' ? 0 : round(low + (Number(row('high')) - low) * random.next(), 2),
    begins,
    ends:
      start.way === 'I' ? later(begins, wait) : atShip(start.way === 'E' || next === undefined ? call : next),
    brought: start.way === 'E' ? undefined : call,
    taken: start.way === 'I' ? undefined : start.way === 'E' ? call : next,
  };
}
