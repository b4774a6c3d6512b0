import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';
import { type NameChange, type Researcher, surnameOn } from './people.ts';

export interface Call {
  callNo: string;
  funderId: number;
  scheme: string;
  opens: string;
  closes: string;
  limit: number | null;
  unit: string;
}

interface Application {
  appId: number;
  callNo: string;
  researcherId: string;
  title: string;
  submitted: string;
  asked: number;
  score: number | null;
  outcome: 'F' | 'D' | 'W' | null;
  resubmits: number | null;
}

export interface Grant {
  grantNo: string;
  appId: number;
  pi: string;
  piName: string;
  start: string;
  end: string;
  status: 'A' | 'C' | 'S' | 'T';
  awarded: number;
  overhead: number;
}

const lastDay = '2024-12-15';

/** The calls; their limits are in thousands to 2016 and in euros since. */
export function growCalls(source: Source): Call[] {
  const random = createRandom('university_grants/call');
  const weights = Object.fromEntries(
    source.rows('funders.csv').map((row) => [row('id'), Number(row('weight'))]),
  );
  const schemes = {
    Starter: 120,
    Project: 400,
    Consortium: 1500,
    Fellowship: 250,
    Equipment: 800,
    Travel: 15,
  };
  return Array.from({ length: 156 }, (_, i) => {
    const year = 2012 + Math.floor(i / 12);
    const scheme = random.weighted({
      Project: 8,
      Starter: 4,
      Fellowship: 4,
      Consortium: 2,
      Equipment: 2,
      Travel: 2,
    });
    const opens = addDays(`${year}-${String((i % 12) + 1).padStart(2, '0')}-01`, random.int(0, 24));
    const limit = schemes[scheme] * random.int(2, 6) * 0.25;
    return {
      callNo: `${year}-${String((i % 12) + 1).padStart(2, '0')}`,
      funderId: Number(random.weighted(weights)),
      scheme,
      opens,
      closes: addDays(opens, random.int(5, 14) * 7),
      limit: random.chance(0.1) ? null : Math.round(limit * (year < 2017 ? 1 : 1000)),
      unit: year < 2017 ? 'kEUR' : 'EUR',
    };
  });
}

/** Applications, most of them sent in the last days of a call; a declined one may come back. */
export function growApplications(
  source: Source,
  calls: readonly Call[],
  researchers: readonly Researcher[],
): Application[] {
  const random = createRandom('university_grants/application');
  const faculties = new Map(source.rows('departments.csv').map((row) => [Number(row('id')), row('faculty')]));
  const applications: Application[] = [];
  for (const call of calls) {
    const able = researchers.filter(
      ({ joined, left }) => joined < call.closes && (left === null || left > call.closes),
    );
    for (let i = random.int(2, 10); i > 0; i--) {
      const person = random.pickSkewed(able);
      const topics = source
        .words('subjects.txt')
        .filter((line) => line.startsWith(faculties.get(person.deptId) ?? ''));
      const failed = applications.filter(
        ({ researcherId, outcome, submitted }) =>
          researcherId === person.id && outcome === 'D' && submitted < call.opens,
      );
      const again = failed.length > 0 && random.chance(0.4) ? random.pick(failed) : undefined;
      const ceiling = (call.limit ?? 300) * (call.unit === 'kEUR' || call.limit === null ? 1000 : 1);
      const score = random.near(again ? 6.4 : 5.8, 3.8, 1);
      const isOpen = call.closes > '2024-08-01';
      const withdrawn = random.chance(0.04);
      applications.push({
        appId: 30_001 + applications.length,
        callNo: call.callNo,
        researcherId: person.id,
        title: again?.title ?? titleOf(random, source, random.pick(topics).slice(4)),
        submitted: addDays(call.closes, -Math.floor(random.next() ** 3 * 25)),
        asked: Math.round(ceiling * random.near(0.8, 0.25, 2)),
        score: isOpen || withdrawn ? null : score,
        outcome: isOpen ? null : withdrawn ? 'W' : score >= 6.5 ? 'F' : 'D',
        resubmits: again?.appId ?? null,
      });
    }
  }
  return applications;
}

function titleOf(random: Random, source: Source, subject: string): string {
  const capital = subject.charAt(0).toUpperCase() + subject.slice(1);
  return random.pick(source.words('patterns.txt')).replace('{s}', subject).replace('{S}', capital);
}

/** What was funded, in the name that the principal investigator bore then. */
export function growGrants(
  source: Source,
  calls: readonly Call[],
  applications: readonly Application[],
  researchers: readonly Researcher[],
  changes: readonly NameChange[],
): Grant[] {
  const random = createRandom('university_grants/grant');
  const overheads = new Map(
    source.rows('funders.csv').map((row) => [Number(row('id')), Number(row('overhead'))]),
  );
  const numbers = new Map<string, number>();
  return applications
    .filter(({ outcome }) => outcome === 'F')
    .map((application) => {
      const call = calls.find(({ callNo }) => callNo === application.callNo);
      const start = addDays(application.submitted, random.int(120, 260));
      const year = start.slice(0, 4);
      numbers.set(year, (numbers.get(year) ?? 0) + 1);
      const end = addDays(start, random.pick([365, 730, 730, 1095, 1460]));
      const person = researchers.find(({ id }) => id === application.researcherId);
      if (person === undefined) throw new Error(`no researcher ${application.researcherId}`);
      return {
        grantNo: `UG/${year}/${String(numbers.get(year)).padStart(4, '0')}`,
        appId: application.appId,
        pi: person.id,
        piName: `${surnameOn(person, changes, start)}, ${person.firstName}`,
        start,
        end,
        status: end < lastDay ? (random.chance(0.04) ? 'T' : 'C') : random.chance(0.06) ? 'S' : 'A',
        awarded: Math.round(application.asked * random.near(0.92, 0.08, 2)),
        overhead: overheads.get(call?.funderId ?? 0) ?? 0,
      };
    });
}

/** Who works on a grant beside its principal investigator. */
export function growTeams(grants: readonly Grant[], researchers: readonly Researcher[]) {
  const random = createRandom('university_grants/team');
  return grants.flatMap(({ grantNo, pi, start }) => {
    const able = researchers.filter(({ id, joined }) => id !== pi && joined < start);
    const members = new Set(Array.from({ length: random.int(0, 4) }, () => random.pick(able)));
    return [...members].map((person) => ({
      grantNo,
      researcherId: person.id,
      role: person.rank === 'POST' ? random.pick(['PD', 'PD', 'PHD']) : 'CO',
      share: random.chance(0.06) ? null : random.pick([0.05, 0.1, 0.1, 0.2, 0.25, 0.5, 1]),
    }));
  });
}
