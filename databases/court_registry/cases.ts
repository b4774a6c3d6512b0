import { addDays, daysBetween } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';
import { chamberRegisters, type Judge } from './people.ts';
import { workday } from './workday.ts';

export interface Case {
  caseNo: string;
  filed: string;
  matter: string;
  value: number | null;
  judgeId: number;
  sealed: number;
  status: string;
  closed: string | null;
  joinedTo: string | null;
}

const first = '2019-01-02';
const today = '2024-12-20';

/** The cases of six years in the order of their filing; those of 2020 took long, and a summer of delayed flights in 2022. */
export function growCases(source: Source, judges: readonly Judge[]) {
  const random = createRandom('court_registry/case');
  const matters = source.rows('matters.csv');
  const targets = new Map(
    source.rows('registers.csv').map((row) => [row('letter'), Number(row('days') || 200)]),
  );
  const weights = Object.fromEntries(matters.map((row) => [row('matter'), Number(row('weight'))]));
  const serials = new Map<string, number>();
  const cases: Case[] = [];
  const reassignments: Cell[][] = [];
  const days = Array.from({ length: 1250 }, () => random.int(0, daysBetween(first, today) - 1)).sort(
    (a, b) => a - b,
  );
  for (const day of days) {
    const filed = workday(addDays(first, day));
    const flights = filed >= '2022-07-01' && filed <= '2022-10-15' && random.chance(0.5);
    const code = flights ? 'FLIG' : random.weighted(weights);
    const matter = matters.find((row) => row('matter') === code) ?? matters[0];
    if (matter === undefined) throw new Error('matters.csv is empty');
    const register = matter('register');
    const chamber = random.pick(
      chamberRegisters.flatMap((letter, i) => (letter === register ? [i + 1] : [])),
    );
    const key = `${chamber} ${register} ${filed.slice(0, 4)}`;
    const serial = (serials.get(key) ?? 0) + random.int(1, 3);
    serials.set(key, serial);
    const low = Number(matter('low'));
    const value =
      matter('low') === ''
        ? null
        : round(low * (Number(matter('high')) / low) ** (random.next() * random.next() + 0.02), 2);
    const slow = filed >= '2019-11-01' && filed <= '2021-02-28' ? 1.8 : 1;
    const closes = workday(
      addDays(filed, Math.round((targets.get(register) ?? 200) * slow * (0.15 + random.next() * 1.3))),
    );
    const status =
      closes > today ? (random.chance(0.1) ? 'stayed' : 'open') : random.chance(0.02) ? 'stayed' : 'closed';
    const judge = random.pick(
      judges.filter(
        (other) => other.chamber === chamber && other.appointed <= filed && (other.retired ?? '9') > filed,
      ),
    );
    const sealed = /CUST|GUAR/.test(code) ? random.chance(0.6) : random.chance(0.01);
    const item: Case = {
      caseNo: `${chamber} ${register} ${serial}/${filed.slice(0, 4)}`,
      filed,
      matter: code,
      value,
      judgeId: judge.judgeId,
      sealed: sealed ? 1 : 0,
      status,
      closed: status === 'closed' ? closes : null,
      joinedTo: null,
    };
    const leading = cases.findLast(
      (other) => other.matter === code && other.status === 'open' && other.caseNo.startsWith(`${chamber} `),
    );
    if (leading !== undefined && status === 'open' && random.chance(0.12)) {
      item.status = 'joined';
      item.joinedTo = leading.caseNo;
    }
    if (judge.retired !== null && (item.closed ?? '9') > judge.retired && judge.retired < today) {
      const next = judges.find((other) => other.judgeId === judge.judgeId + 1);
      if (next !== undefined) {
        reassignments.push([item.caseNo, judge.retired, judge.judgeId, next.judgeId, 'retirement']);
        item.judgeId = next.judgeId;
      }
    } else if (random.chance(0.03)) {
      const other = random.pick(
        judges.filter(({ judgeId, retired }) => judgeId !== judge.judgeId && retired === null),
      );
      const reason = random.pick(['bias alleged', 'parental leave', 'workload', null]);
      reassignments.push([
        item.caseNo,
        addDays(filed, random.int(5, 60)),
        other.judgeId,
        judge.judgeId,
        reason,
      ]);
    }
    cases.push(item);
  }
  return { cases, reassignments };
}
