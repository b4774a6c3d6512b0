import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import { later, zoned } from './times.ts';

export interface Call {
  callId: number;
  imo: number;
  berthNo: number | null;
  due: string;
  arrived: string | null;
  sailed: string | null;
  from: string;
  to: string;
}

/** A call with its times as local times, which the moves go by. */
export interface LocalCall extends Call {
  line: string;
  madeFast: string;
  castOff: string;
}

export function growVessels(source: Source) {
  return source.rows('vessels.csv').map((row, i) => ({
    imo: 9_200_417 + i * 7_919,
    name: row('name'),
    lineCode: row('line'),
    flag: row('flag'),
    teu: Number(row('teu')),
    length: Number(row('length')),
  }));
}

/** The year's calls: each ship comes round again; nobody was unloaded in the strike of February, and ships skipped the port. */
export function growCalls(source: Source): LocalCall[] {
  const random = createRandom('container_port/call');
  const ports = source.words('ports.txt');
  const calls: Omit<LocalCall, 'callId'>[] = [];
  for (const vessel of growVessels(source)) {
    let day = random.int(0, 14);
    while (day < 358) {
      const date = addDays('2024-01-02', day);
      const due = `${date} ${String(random.int(0, 23)).padStart(2, '0')}:${random.pick(['00', '30'])}`;
      const strike = date >= '2024-02-12' && date <= '2024-02-15';
      const storm = date >= '2024-10-18' && date <= '2024-10-20';
      const madeFast = later(due, strike || storm ? random.int(1_300, 4_200) : random.near(90, 400));
      const castOff = later(madeFast, 300 + vessel.teu / 4 + random.int(0, 700));
      const from = random.pick(ports);
      const skipped = random.chance(strike ? 0.5 : 0.025);
      calls.push({
        imo: vessel.imo,
        berthNo: skipped ? null : berthFor(random.next(), vessel.length),
        due,
        arrived: skipped ? null : zoned(madeFast),
        sailed: skipped ? null : zoned(castOff),
        from,
        to: random.chance(0.03) ? from : random.pick(ports.filter((port) => port !== from)),
        line: vessel.lineCode,
        madeFast,
        castOff,
      });
      day +=
        vessel.teu < 1500 ? random.int(6, 9) : vessel.teu < 5000 ? random.int(11, 16) : random.int(25, 32);
    }
  }
  return calls
    .sort((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : a.imo - b.imo))
    .map((call, i) => ({ ...call, callId: 24_001 + i }));
}

function berthFor(choice: number, length: number): number {
  const fitting = length > 330 ? [5, 6] : length > 235 ? [3, 4, 5, 6] : [1, 2, 2, 3];
  return fitting[Math.floor(choice * fitting.length)] ?? 5;
}

export function callRows(calls: readonly LocalCall[]) {
  return calls.map(({ callId, imo, berthNo, due, arrived, sailed, from, to }) => {
    const row: Call = { callId, imo, berthNo, due, arrived, sailed, from, to };
    return row;
  });
}
