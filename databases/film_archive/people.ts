import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

export interface Person {
  personId: number;
  name: string;
  born: string | null;
  died: string | null;
  country: string;
}

/** The people: every first name of a country with its last names, a part of the many there could be. */
export function growPeople(source: Source): Person[] {
  const random = createRandom('film_archive/person');
  const names = source.rows('names.csv');
  const pairs = names.flatMap((first) =>
    names
      .filter((last) => last('country') === first('country'))
      .map((last) => ({ name: `${last('last')}, ${first('first')}`, country: first('country') })),
  );
  return pairs.map(({ name, country }, i) => {
    const born = random.int(1858, 1938);
    return {
      personId: 801 + i,
      name,
      born: random.chance(0.06) ? null : random.chance(0.1) ? `c. ${born}` : String(born),
      died: random.chance(0.2) ? null : String(born + random.int(34, 92)),
      country,
    };
  });
}
