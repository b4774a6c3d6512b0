import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import { elide, fillTitle } from './collection.ts';

/** The museums that borrow; three of them are entered twice, the second time without accents. */
export function growMuseums(source: Source) {
  const random = createRandom('museum_loans/musee');
  const names = source.words('noms.txt');
  const museums = source.rows('villes.csv').flatMap((row, i) =>
    Array.from({ length: i < 6 ? 3 : random.int(1, 2) }, (_, place) => {
      const status = place === 0 ? 'municipal' : random.pick(['national', 'privé', 'fondation']);
      const title = {
        municipal: `Musée des Beaux-Arts de ${row('ville')}`,
        national: `Musée national de ${row('ville')}`,
        privé: `Musée ${random.pick(names)}`,
        fondation: `Fondation ${random.pick(names)}`,
      }[status];
      return {
        name: elide(title ?? ''),
        town: row('ville'),
        country: row('pays'),
        status,
        conditioned: random.pick(['oui', 'oui', 'oui', 'non', null]),
      };
    }),
  );
  const twins = museums.slice(4, 7).map((museum) => ({
    ...museum,
    name: museum.name.normalize('NFD').replaceAll(/\p{Diacritic}/gu, ''),
    conditioned: null,
  }));
  return [...museums, ...twins].map((museum, i) => ({ museumId: i + 1, ...museum }));
}

/** The loans office: a head, registrars and restorers under the two who lead them. */
export function growStaff(source: Source) {
  const random = createRandom('museum_loans/agent');
  return Array.from({ length: 22 }, (_, i) => ({
    staffId: 700 + i,
    firstName: random.pick(source.words('prenoms.txt')),
    name: random.pick(source.words('noms.txt')),
    role: i === 0 ? 'conservateur en chef' : i < 11 ? 'régisseur' : i < 19 ? 'restaurateur' : 'convoyeur',
    hired: addDays('1984-01-02', random.int(0, 13_000)),
    managerId: i === 0 ? null : i === 1 || i === 11 ? 700 : i < 11 ? 701 : 711,
  }));
}

export interface Exhibition {
  exhibitionId: number;
  title: string;
  museumId: number;
  begins: string;
  ends: string;
  entries: number | null;
}

/** Exhibitions of spring and autumn; those of 2020 had few visitors. */
export function growExhibitions(source: Source, museumIds: readonly number[]): Exhibition[] {
  const random = createRandom('museum_loans/exposition');
  const titles = source.words('expositions.txt');
  const towns = source.rows('villes.csv').map((row) => row('ville'));
  const names = source.words('noms.txt');
  return Array.from({ length: 190 }, (_, i) => {
    const year = 1989 + Math.floor((i * 37) / 190);
    const begins = addDays(`${year}-${random.pick(['03-10', '09-20'])}`, random.int(0, 40));
    const entries = Math.round((random.int(30, 420) ** 2 + random.int(0, 99)) * (year === 2020 ? 0.12 : 1));
    return {
      exhibitionId: 1000 + i,
      title: fillTitle(random, random.pick(titles), towns, names),
      museumId: random.chance(0.4) ? random.pickSkewed(museumIds) : random.pick(museumIds),
      begins,
      ends: addDays(begins, random.int(8, 18) * 7),
      entries: random.chance(0.07) || begins > '2024-09-30' ? null : entries,
    };
  });
}
