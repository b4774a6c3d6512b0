import { addDays, dayFirst, daysBetween } from '../dates.ts';
import { createRandom, type Random, round } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';
import type { Case } from './cases.ts';
import type { Person } from './people.ts';
import { workday } from './workday.ts';

interface Party {
  caseNo: string;
  no: number;
  personId: number;
  role: string;
}

const today = '2024-12-20';

/** What happens in each case: its parties and their lawyers, documents, hearings and decisions. */
export function growProceedings(source: Source, cases: readonly Case[], persons: readonly Person[]) {
  const random = createRandom('court_registry/proceeding');
  const rooms = source.rows('rooms.csv').map((row) => row('room'));
  const lawyers = persons.filter(({ barNo }) => barNo !== null);
  const firms = persons.filter(({ kind }) => kind === 'C');
  const offices = persons.filter(({ kind }) => kind === 'A');
  const people = persons.filter(({ kind }) => kind === 'N').toReversed(); // the lawyers last: few of them are parties
  const sealed: Person[] = [];
  const parties: Party[] = [];
  const representations: Cell[][] = [];
  const hearings: Cell[][] = [];
  const documents: Cell[][] = [];
  const decisions: Cell[][] = [];
  for (const item of cases) {
    const end = item.closed ?? today;
    const own = growParties(item);
    parties.push(...own);
    representations.push(...own.flatMap((party) => growRepresentation(random, item, party, end, lawyers)));
    for (let i = random.int(1, 4); i > 0; i--)
      documents.push(growDocument(random, item, own, end, documents.length));
    hearings.push(...growHearings(random, item, end, rooms, hearings.length));
    if (item.status === 'closed') decisions.push(growDecision(random, item));
  }
  return { sealed, parties, representations, hearings, documents, decisions };

  function growParties({ caseNo, matter, sealed: isSealed }: Case): Party[] {
    const claimant = /RENT|EVIC|INVO|WAGE|AUCT/.test(matter)
      ? random.pickSkewed(firms)
      : random.pickSkewed(people);
    const defendant =
      matter === 'FLIG'
        ? (firms.find(({ name }) => name === 'Skylark Air') ?? random.pick(firms))
        : /SALE|WORK|MEDI|SHAR/.test(matter)
          ? random.pick(firms)
          : random.pick(people);
    const roles = [
      { role: 'CL', person: claimant },
      ...(random.chance(0.1) ? [{ role: 'CL', person: random.pick(people) }] : []),
      ...(matter === 'GUAR' ? [] : [{ role: 'DF', person: defendant }]),
      ...(random.chance(0.06) ? [{ role: 'TP', person: random.pick([...firms, ...offices]) }] : []),
    ];
    return roles.map(({ role, person }, i) => ({
      caseNo,
      no: i + 1,
      personId: isSealed === 1 ? withhold(person) : person.personId,
      role,
    }));
  }

  /** Whoever is a party to a sealed case is entered anew without a name. */
  function withhold({ kind, town }: Person): number {
    const personId = 8001 + sealed.length;
    sealed.push({ personId, name: null, kind, born: null, town, barNo: null });
    return personId;
  }
}

function growRepresentation(
  random: Random,
  item: Case,
  party: Party,
  end: string,
  lawyers: readonly Person[],
): Cell[][] {
  if (/\b[SE]\b/.test(item.caseNo) && random.chance(0.6)) return [];
  if (random.chance(0.15)) return [];
  const aid = party.personId >= 2070 && random.chance(0.18) ? 1 : 0;
  const self = lawyers.find(({ personId }) => personId === party.personId);
  const first = self ?? random.pickSkewed(lawyers);
  const length = daysBetween(item.filed, end);
  if (length < 40 || !random.chance(0.09))
    return [[item.caseNo, party.no, first.personId, item.filed, null, aid]];
  const change = addDays(item.filed, random.int(20, length - 5));
  return [
    [item.caseNo, party.no, first.personId, item.filed, change, aid],
    [item.caseNo, party.no, random.pick(lawyers).personId, addDays(change, 1), null, aid],
  ];
}

function growDocument(
  random: Random,
  item: Case,
  parties: readonly Party[],
  end: string,
  count: number,
): Cell[] {
  const day = addDays(item.filed, random.int(0, Math.max(daysBetween(item.filed, end), 1)));
  const kind = random.weighted({ claim: 3, defence: 3, evidence: 4, opinion: 1, motion: 2, letter: 2 });
  const time = `${String(random.int(7, 23)).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}`;
  return [
    60_001 + count,
    item.caseNo,
    `${dayFirst(day)} ${time}`,
    kind,
    random.chance(0.01) ? random.int(900, 2400) : random.int(1, kind === 'opinion' ? 90 : 30),
    kind === 'opinion' ? null : random.pick(parties).no,
    // Lawyers must write electronically since 2022.
    day >= '2022-01-01' ? random.weighted({ E: 12, P: 2, D: 1 }) : random.weighted({ E: 3, P: 9, D: 2 }),
  ];
}

function growHearings(
  random: Random,
  item: Case,
  end: string,
  rooms: readonly string[],
  count: number,
): Cell[][] {
  const length = daysBetween(item.filed, end);
  const wanted = random.weighted({ 0: 3, 1: 6, 2: 4, 3: 2 });
  const dates = Array.from({ length: Number(wanted) }, () =>
    workday(addDays(item.filed, Math.round(length * (0.3 + random.next() * 0.7)))),
  ).sort();
  return dates.map((date, i): Cell[] => {
    const closed = date >= '2020-03-16' && date <= '2020-06-01';
    const future = item.status === 'open' && random.chance(0.15);
    const result = future
      ? null
      : closed
        ? 'adjourned'
        : random.weighted({ held: 12, adjourned: 4, settled: 2, 'not reached': 1 });
    return [
      30_001 + count + i,
      item.caseNo,
      future ? workday(addDays(today, random.int(20, 120))) : date,
      `${String(random.int(8, 15)).padStart(2, '0')}:${random.pick(['00', '15', '30', '45'])}`,
      random.chance(date > '2020-06-01' ? 0.12 : 0) ? null : random.pick(rooms),
      result,
      result === 'held' || result === 'settled' ? random.near(70, 60) : null,
    ];
  });
}

function growDecision(random: Random, { caseNo, value, closed }: Case): Cell[] {
  const kind = random.weighted({
    judgment: 9,
    'default judgment': 3,
    settlement: 4,
    order: 3,
    withdrawal: 2,
  });
  const decided = kind === 'judgment' || kind === 'default judgment';
  const outcome = !decided
    ? null
    : kind === 'default judgment'
      ? 'CL'
      : random.weighted({ CL: 5, DF: 4, PT: 3 });
  const share = outcome === 'CL' ? 1 : outcome === 'PT' ? random.int(20, 80) / 100 : 0;
  return [
    caseNo,
    closed,
    kind,
    outcome,
    value === null || !decided ? null : round(value * share, 2),
    kind === 'judgment' && random.chance(0.2)
      ? random.weighted({ upheld: 5, reversed: 2, pending: 3 })
      : null,
  ];
}
