import { addDays, dayFirst } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';
import type { Work } from './works.ts';

export interface Concert {
  concertId: number;
  season: string;
  date: string;
  begins: string;
  hallId: number;
  series: string;
  conductorId: number | null;
  status: string;
  movedTo: number | null;
  interval: number;
}

interface Item {
  concertId: number;
  place: number;
  workId: number;
  soloistId: number | null;
  encore: number;
}

/** The soloist that a concerto's title asks for. */
const soloists = ['violin', 'piano', 'cello', 'clarinet'];

/** Five seasons from September to June, their programmes, what was changed in them at short notice, and the rehearsals. */
export function growConcerts(source: Source, works: readonly Work[]) {
  const random = createRandom('orchestra/concert');
  const guests = source.rows('guests.csv').map((row, i) => ({ id: i + 1, role: row('role') }));
  const conductors = guests.filter(({ role }) => role === 'conductor').map(({ id }) => id);
  const concerts: Concert[] = [];
  const programme: Item[] = [];
  const changes: Cell[][] = [];
  const rehearsals: Cell[][] = [];
  for (let year = 2020; year < 2025; year++) {
    const days = [...new Set(Array.from({ length: 66 }, () => random.int(0, 295)))].sort((a, b) => a - b);
    for (const day of days) {
      const date = addDays(`${year}-09-05`, day);
      const closed = date >= '2020-11-02' && date <= '2021-05-15';
      const series = random.weighted({ A: 5, B: 4, F: 2, T: 2, S: 1 });
      const concert: Concert = {
        concertId: 4001 + concerts.length,
        season: `${year}/${(year + 1) % 100}`,
        date,
        begins: series === 'F' ? '11:00' : random.pick(['19:30', '19:30', '20:00', '18:00']),
        hallId:
          series === 'T' ? random.int(5, 7) : series === 'F' ? 2 : series === 'S' ? random.int(3, 4) : 1,
        series,
        conductorId: random.pickSkewed(conductors),
        status: closed ? 'cancelled' : random.weighted({ played: 60, cancelled: 2, moved: 1.5 }),
        movedTo: null,
        interval: series === 'F' ? 0 : random.pick([20, 20, 25, 0]),
      };
      concerts.push(concert);
      const items = growProgramme(random, concert, works, soloistFor);
      programme.push(...items);
      if (concert.status !== 'cancelled') {
        changes.push(...growChanges(random, concert, items, changes.length));
        rehearsals.push(...growRehearsals(random, concert));
      }
    }
  }
  // A moved concert is given again as the next of its series.
  for (const concert of concerts.filter(({ status }) => status === 'moved')) {
    const next = concerts.find(
      ({ date, series, status }) => date > concert.date && series === concert.series && status === 'played',
    );
    concert.movedTo = next?.concertId ?? null;
  }
  return { concerts, programme, changes, rehearsals };

  function soloistFor(work: Work): number | null {
    const wanted =
      work.kind === 'choral'
        ? random.pick(['soprano', 'baritone'])
        : soloists.find((role) => work.title.includes(`for ${role}`));
    return wanted === undefined ? null : random.pick(guests.filter(({ role }) => role === wanted)).id;
  }

  /** What a change puts another in the place of: a work of the same kind, or a guest who does the same. */
  function previous(what: string, now: number): number {
    if (what === 'work') {
      const kind = works.find(({ workId }) => workId === now)?.kind;
      return random.pick(works.filter((work) => work.kind === kind && work.workId !== now)).workId;
    }
    const role = guests[now - 1]?.role ?? '';
    const voice = /soprano|baritone/.test(role);
    return random.pick(
      guests.filter(
        (guest) => guest.id !== now && (voice ? /soprano|baritone/.test(guest.role) : guest.role === role),
      ),
    ).id;
  }

  function growChanges(
    { int, pick, chance, weighted }: Random,
    concert: Concert,
    items: readonly Item[],
    count: number,
  ): Cell[][] {
    if (!chance(0.27)) return [];
    return Array.from({ length: chance(0.2) ? 2 : 1 }, (_, i): Cell[] => {
      const item = pick(items);
      const what =
        item.soloistId === null ? weighted({ work: 3, conductor: 2 }) : weighted({ soloist: 3, work: 1 });
      const now = what === 'work' ? item.workId : what === 'soloist' ? item.soloistId : concert.conductorId;
      const before = previous(what, now ?? 0);
      return [
        801 + count + i,
        concert.concertId,
        what === 'conductor' ? null : item.place,
        `${dayFirst(addDays(concert.date, -int(0, chance(0.6) ? 4 : 60)))} ${String(int(8, 18)).padStart(2, '0')}:${pick(['00', '15', '40'])}`,
        what,
        String(before),
        String(now),
        chance(0.1)
          ? null
          : what === 'work'
            ? pick(['parts not delivered', 'too little rehearsal', 'length'])
            : pick(['ill', 'ill', 'flight cancelled', 'family']),
      ];
    });
  }
}

function growProgramme(
  random: Random,
  { concertId, series }: Concert,
  works: readonly Work[],
  soloistFor: (work: Work) => number | null,
): Item[] {
  const wanted =
    series === 'F'
      ? ['overture', 'suite']
      : random.pick([
          ['overture', 'concerto', 'symphony'],
          ['poem', 'concerto', 'symphony'],
          ['overture', 'symphony'],
          ['suite', 'choral'],
          ['poem', 'concerto', 'suite'],
        ]);
  const encore = random.chance(0.22);
  return [...wanted, ...(encore ? ['overture'] : [])].map((kind, i) => {
    const work = random.pickSkewed(works.filter((other) => other.kind === kind));
    return {
      concertId,
      place: i + 1,
      workId: work.workId,
      soloistId: soloistFor(work),
      encore: encore && i === wanted.length ? 1 : 0,
    };
  });
}

function growRehearsals(random: Random, { concertId, date, series }: Concert): Cell[][] {
  return [-4, -3, -2, -1, 0].slice(series === 'T' ? 3 : series === 'F' ? 2 : 0).flatMap((day): Cell[][] => {
    const who = day === -4 ? random.pick(['strings', 'woodwind', 'brass', 'tutti']) : 'tutti';
    if (random.chance(0.1)) return [];
    return [
      [
        concertId,
        addDays(date, day),
        day === 0 ? '10:00' : random.pick(['10:00', '14:30']),
        random.pick(['2:30', '3:00', '1:45']),
        who,
      ],
    ];
  });
}
