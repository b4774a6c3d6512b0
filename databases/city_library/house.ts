import { addDays, dayFirst } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Branch {
  branchId: number;
  name: string;
  quarter: string;
  size: number;
}

/** The branches as the generators need them. */
export function readBranches(source: Source): Branch[] {
  return source.rows('branches.csv').map((row) => ({
    branchId: Number(row('id')),
    name: row('name'),
    quarter: row('quarter'),
    size: Number(row('size')),
  }));
}

interface LibraryEvent {
  eventId: number;
  branchId: number;
  name: string;
  kind: string;
  when: string;
  seats: number;
  came: number | null;
}

/** Events of 2023 and 2024; some were cancelled, and a few drew more people than there were seats. */
export function growEvents(source: Source, branches: readonly Branch[]): LibraryEvent[] {
  const random = createRandom('city_library/event');
  const programme = source.rows('events.csv');
  const places = branches.filter((branch) => branch.name !== 'North Bus');
  return Array.from({ length: 210 }, (_, i) => {
    const kind = random.pick(programme);
    const seats = Number(kind('seats'));
    return {
      eventId: 301 + i,
      branchId: random.pickSkewed(places).branchId,
      name: kind('name'),
      kind: kind('kind'),
      when: `${addDays('2023-01-09', Math.floor(i * 3.4))} ${kind('time')}`,
      seats,
      came: random.chance(0.09) ? null : Math.max(0, Math.round(seats * random.near(0.62, 0.6, 3))),
    };
  });
}

interface GateCount {
  branchId: number;
  month: string;
  visits: number | null;
  openDays: number;
}

/** Visits by month: quiet summers, the Gasworks shut for building work in 2023, broken gates now and then. */
export function growGateCounts(branches: readonly Branch[]): GateCount[] {
  const random = createRandom('city_library/gate_count');
  const counts: GateCount[] = [];
  for (let i = 0; i < 48; i++) {
    const month = `${2021 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`;
    for (const { branchId, name, size } of branches) {
      const shut = (name === 'Gasworks' && month >= '2023-03' && month <= '2023-07') || month === '2021-01';
      const openDays = shut ? 0 : name === 'North Bus' ? random.int(8, 12) : random.int(20, 26);
      const summer = ['07', '08'].includes(month.slice(5)) ? 0.6 : 1;
      const recovery = month < '2021-06' ? 0.35 : month < '2022-01' ? 0.7 : 1;
      counts.push({
        branchId,
        month,
        visits:
          !shut && random.chance(0.04)
            ? null
            : Math.round(size * 11 * openDays * summer * recovery * random.near(1, 0.2, 3)),
        openDays,
      });
    }
  }
  return counts;
}

interface Suggestion {
  day: string;
  branch: string;
  text: string;
  answered: string;
}

/** The notes from the suggestion box, under the branch's name as people write it. */
export function growSuggestions(source: Source, branches: readonly Branch[]): Suggestion[] {
  const random = createRandom('city_library/suggestion');
  const texts = source.words('suggestions.txt');
  return Array.from({ length: 150 }, (_, i) => {
    const name = random.pickSkewed(branches).name;
    return {
      day: dayFirst(addDays('2022-01-10', Math.floor(i * 7.2))),
      branch: random.chance(0.15) ? name.toLowerCase() : name,
      text: random.pickSkewed(texts),
      answered: random.chance(0.7) ? 'y' : 'n',
    };
  }).flatMap((note) => (random.chance(0.05) ? [note, note] : [note]));
}
