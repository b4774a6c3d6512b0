import { createRandom, type Random } from '../random.ts';
import type { Cell } from '../write-database.ts';
import type { Collection } from './use-case.ts';

/** Shares of rows whose value is not known. */
const UNKNOWN = 0.04;

/** The rows of a collection, in the order of its properties. The same collection always gives the same rows. */
export function growCollection(db: string, collection: Collection): Cell[][] {
  const { identifier, text, kind, number, boolean, second } = collection;
  const random = createRandom(`${db}/${collection.name}`);
  const [first, last] = identifier.parts.map(listed) as [string[], string[]];
  const facets = text.facets
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace(/ = .*/, '')
        .split('/')
        .map((form) => form.trim()),
    );
  const kinds = Object.fromEntries(
    listed(kind.values).map((entry) => [entry.replace(/ \d+$/, ''), Number(/\d+$/.exec(entry)?.[0])]),
  );
  const known = <T>(value: T): T | null => (random.chance(UNKNOWN) ? null : value);
  return Array.from({ length: collection.rows }, () => [
    // Some names are much more frequent than others.
    `${random.pickSkewed(first)} ${random.pickSkewed(last)}`,
    describe(facets, random),
    known(random.weighted(kinds)),
    known(Math.max(1, random.near(number.mean, number.spread, number.digits))),
    Number(random.chance(boolean.share)),
    known(Number(random.chance(second.share))),
  ]);
}

/** Two or three facets, each in one of its forms. */
function describe(facets: readonly (readonly string[])[], random: Random): string {
  const chosen = new Set<readonly string[]>();
  const count = random.int(2, 3);
  while (chosen.size < count) chosen.add(random.pick(facets));
  return [...chosen].map((forms) => random.pick(forms)).join(' ');
}

function listed(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}
