import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Branch } from './house.ts';

interface Author {
  authorId: number;
  name: string;
  born: number | null;
  died: number | null;
  country: string | null;
}

export interface Title {
  titleId: number;
  isbn: string | null;
  name: string;
  authorId: number | null;
  published: number;
  language: string;
  genre: string;
  pages: number | null;
  for: string;
}

export interface Copy {
  barcode: string;
  titleId: number;
  branchId: number;
  bought: string;
  price: number | null;
  state: string;
}

/** Authors, their titles, and the copies on the shelves: the favourites several times. */
export function growCatalogue(source: Source, branches: readonly Branch[]) {
  const random = createRandom('city_library/title');
  const authors = source.rows('authors.csv').map((row, i): Author => {
    const born = random.int(1868, 1992);
    return {
      authorId: 51 + i,
      name: row('name'),
      born: random.chance(0.08) ? null : born,
      died: born < 1935 ? born + random.int(48, 91) : null,
      country: row('country') || null,
    };
  });
  const words = source.rows('title-words.csv');
  const titles = Array.from({ length: 400 }, (_, i): Title => {
    const author = random.pickSkewed(authors);
    const published = Math.min(2024, (author.born ?? 1960) + random.int(24, 70));
    const audience = random.weighted({ A: 12, Y: 3, C: 5 });
    const name = [random.pick(words)('first'), random.pick(words)('second'), random.pick(words)('third')];
    return {
      titleId: 7001 + i,
      isbn:
        published < 1970 ? null : `0${random.int(10, 99)}${random.int(100_000, 999_999)}${random.int(0, 9)}`,
      name: name.filter(Boolean).join(' '),
      authorId: random.chance(0.05) ? null : author.authorId,
      published,
      language: random.weighted({ de: 11, en: 5, fr: 2, tr: 2, pl: 2 }),
      genre:
        audience === 'C'
          ? random.weighted({ 'picture book': 4, fairytale: 2, 'first reader': 3 })
          : random.weighted({ novel: 9, crime: 6, history: 3, travel: 2, poetry: 2, science: 2, comic: 2 }),
      pages: random.chance(0.04) ? null : audience === 'C' ? random.int(16, 80) : random.int(90, 720),
      for: audience,
    };
  });
  const sizes = Object.fromEntries(branches.map(({ branchId, size }) => [`#${branchId}`, size]));
  const copies = titles.flatMap((title, i) =>
    Array.from({ length: i % 9 === 0 ? random.int(3, 7) : random.int(1, 3) }, (): Copy => {
      const from = title.published < 2006 ? '2006-01-15' : `${title.published}-02-01`;
      return {
        barcode: '',
        titleId: title.titleId,
        branchId: Number(random.weighted(sizes).slice(1)),
        bought: addDays(from, random.int(0, Math.min(4500, (2024 - Number(from.slice(0, 4))) * 365 + 200))),
        price: random.chance(0.12) ? null : random.near(random.chance(0.02) ? 70 : 19, 13, 2),
        state: random.weighted({ OK: 80, WORN: 8, REPAIR: 2, LOST: 5, SOLD: 3 }),
      };
    }),
  );
  copies.forEach((copy, i) => {
    copy.barcode = `3004${String(20_001 + i * 7)}`;
  });
  return { authors, titles, copies };
}
