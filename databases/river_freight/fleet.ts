import { addDays, dayFirst } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Vessel {
  eni: string;
  name: string;
  class: string | null;
  type: 'MV' | 'TV' | 'PB' | 'BR';
  built: number | null;
  dwt: number | null;
  size: string | null;
  status: string;
  homePort: string;
  pushedBy: string | null;
}

const sizes = {
  II: { dwt: 650, size: '55.0x6.6' },
  III: { dwt: 1000, size: '67.0x8.2' },
  IV: { dwt: 1500, size: '85.0x9.5' },
  Va: { dwt: 2600, size: '110.0x11.4' },
  Vb: { dwt: 3800, size: '135 x 14.2' },
};

/** The vessels: sixty hulls, the barges among them tied to a pusher. */
export function growVessels(source: Source, ports: readonly string[]): Vessel[] {
  const random = createRandom('river_freight/vessel');
  const names = source.words('vessel-names.txt');
  const vessels: Vessel[] = [];
  for (let i = 0; i < 60; i++) {
    const type = i < 5 ? 'PB' : random.weighted({ MV: 9, TV: 5, BR: 4 });
    const shape = random.weighted({ II: 1, III: 3, IV: 5, Va: 5, Vb: 2 });
    const { dwt, size } = sizes[shape];
    const pushers = vessels.filter((vessel) => vessel.type === 'PB').map((vessel) => vessel.eni);
    const name = type === 'BR' ? `Bak ${i + 3}` : (names[i % names.length] ?? `Vesk ${i}`);
    vessels.push({
      eni: `0${2100000 + i * 1237 + random.int(0, 900)}`,
      // Two names occur twice on the rivers, and a few were typed in capitals.
      name: random.chance(0.1) ? name.toUpperCase() : name,
      class: type === 'PB' ? null : shape,
      type,
      built: random.chance(0.05) ? null : random.int(1958, 2022),
      dwt: type === 'PB' ? null : random.near(dwt, dwt / 6),
      size: random.chance(0.08) ? null : size,
      status: random.weighted({ A: 15, L: 2, X: 1 }),
      homePort: random.pickSkewed(ports),
      pushedBy: type === 'BR' && random.chance(0.85) ? random.pick(pushers) : null,
    });
  }
  return vessels;
}

interface CrewMember {
  crewId: number;
  fullName: string;
  rank: string | null;
  born: string | null;
  hired: string;
  dayRate: string | null;
  mentorId: number | null;
}

const dayRates = { Captain: 335, Mate: 265, Engineer: 285, Deckhand: 190, Apprentice: 115 };

/** The crew, apprentices and deckhands with a mentor hired before them. */
export function growCrew(source: Source): CrewMember[] {
  const random = createRandom('river_freight/crew');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const crew: CrewMember[] = [];
  for (let i = 0; i < 150; i++) {
    const rank =
      i < 6 ? 'Captain' : random.weighted({ Captain: 5, Mate: 4, Engineer: 3, Deckhand: 8, Apprentice: 3 });
    const hired = addDays('2003-02-01', i * 53 + random.int(0, 40));
    const age = rank === 'Apprentice' ? random.int(16, 21) : random.int(20, 52);
    const seniors = crew.filter((member) => member.rank === 'Captain' || member.rank === 'Mate');
    const isMentored = i > 6 && random.chance(rank === 'Apprentice' ? 1 : rank === 'Deckhand' ? 0.5 : 0.1);
    crew.push({
      crewId: 1001 + i,
      fullName: `${random.pick(firstNames)} ${random.pick(lastNames)}${random.chance(0.05) ? ' ' : ''}`,
      rank: random.chance(0.03) ? null : random.chance(0.06) ? rank.toLowerCase() : rank,
      born: random.chance(0.06) ? null : addDays(hired, -age * 365 - random.int(0, 364)),
      hired: dayFirst(hired),
      dayRate: random.chance(0.05) ? null : `EUR ${random.near(dayRates[rank] / 5, 6) * 5}.00`,
      mentorId: isMentored ? random.pick(seniors).crewId : null,
    });
  }
  return crew;
}

interface Assignment {
  eni: string;
  crewId: number;
  fromDate: string;
  toDate: string | null;
  role: string;
}

/** Who was on board which vessel; everyone moves on after some months, the last posting may still run. */
export function growAssignments(vessels: readonly Vessel[], crew: readonly CrewMember[]): Assignment[] {
  const random = createRandom('river_freight/crew_assignment');
  const manned = vessels.filter((vessel) => vessel.type !== 'BR').map((vessel) => vessel.eni);
  const assignments: Assignment[] = [];
  for (const { crewId, rank } of crew) {
    let from = addDays('2022-01-03', random.int(0, 200));
    while (from < '2024-12-01' && !random.chance(0.12)) {
      const to = addDays(from, random.int(60, 420));
      const isOver = to < '2024-12-20';
      assignments.push({
        eni: random.pickSkewed(manned),
        crewId,
        fromDate: from,
        toDate: isOver ? to : null,
        // Now and then somebody stands in for a rank above.
        role: random.chance(0.12) ? 'acting captain' : (rank ?? 'unknown').toLowerCase(),
      });
      if (!isOver) break;
      from = addDays(to, random.int(10, 60));
    }
  }
  return assignments;
}
