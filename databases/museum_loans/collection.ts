import { addDays, daysBetween } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';

export interface Artwork {
  inventory: string;
  title: string;
  artistId: number | null;
  technique: string;
  department: string;
  height: number | null;
  width: number | null;
  dating: string | null;
  acquired: string | null;
  mode: string;
  condition: string;
}

const months = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
];

const departments = {
  Peintures: ['huile sur toile', 'huile sur bois', 'détrempe sur bois'],
  'Arts graphiques': ['sanguine', 'fusain', 'aquarelle', 'pierre noire', 'eau-forte'],
  Sculptures: ['marbre', 'bronze', 'terre cuite', 'plâtre'],
  "Objets d'art": ['faïence', 'émail', 'orfèvrerie', 'tapisserie'],
};

/** Fills the places of a title: {v} a town, {m} and {m2} a name, {n} a number. */
export function fillTitle(
  random: Random,
  pattern: string,
  towns: readonly string[],
  names: readonly string[],
): string {
  return elide(
    pattern
      .replace('{v}', random.pick(towns))
      .replace('{m}', random.pick(names))
      .replace('{m2}', random.pick(names))
      .replace('{n}', String(random.int(2, 40))),
  );
}

/** French as it is written: "de Évrecy" is "d'Évrecy". */
export function elide(text: string): string {
  return text.replaceAll(/\b([Dd])e (?=[AEIOUÉ])/g, "$1'");
}

/** The artists and their works; a tenth of the works are anonymous. */
export function growCollection(source: Source) {
  const random = createRandom('museum_loans/oeuvre');
  const names = source.words('noms.txt');
  const firstNames = source.words('prenoms.txt');
  const subjects = source.words('sujets.txt');
  const towns = source.rows('villes.csv').map((row) => row('ville'));
  const artists = Array.from({ length: 150 }, (_, i) => {
    const born = random.int(1580, 1960);
    const isLost = random.chance(0.08);
    return {
      artistId: i + 1,
      name: random.pick(names),
      firstName: random.chance(0.06) ? null : random.pick(firstNames),
      born: isLost ? null : born,
      died: isLost || born > 1930 ? null : born + random.int(27, 88),
      school: random.weighted({ française: 12, flamande: 4, italienne: 3, espagnole: 2, suisse: 1 }),
    };
  });
  const artworks: Artwork[] = [];
  for (let i = 0; i < 820; i++) {
    const anonymous = random.chance(0.1);
    const artist = random.pickSkewed(artists);
    const year = (artist.born ?? 1650) + random.int(20, 50);
    const department = random.weighted({
      Peintures: 9,
      'Arts graphiques': 6,
      Sculptures: 3,
      "Objets d'art": 2,
    });
    const earliest = `${Math.max(1871, year + 1)}-02-10`;
    const days = daysBetween(earliest, '2021-06-30');
    const acquired = addDays(earliest, Math.floor(days * Math.max(random.next(), random.next())));
    artworks.push({
      inventory: `${department === 'Peintures' ? 'P' : department.charAt(0)} ${acquired.slice(0, 4)}.${random.int(1, 9)}.${i + 1}`,
      title: fillTitle(random, random.pick(subjects), towns, names),
      artistId: anonymous ? null : artist.artistId,
      technique: random.pick(departments[department]),
      department,
      height: random.chance(0.04) ? null : random.near(85, 75, 1),
      width: department === 'Sculptures' || random.chance(0.04) ? null : random.near(90, 80, 1),
      dating: datingOf(random, year),
      acquired: random.chance(0.05) ? null : frenchDate(acquired),
      mode: random.weighted({ achat: 8, don: 6, legs: 4, dépôt: 2, 'don manuel': 1 }),
      condition: random.weighted({ bon: 10, moyen: 6, fragile: 3, 'très fragile': 1, Bon: 0.5 }),
    });
  }
  return { artists, artworks };
}

/** What the register says of a year: the year, about it, its century, or nothing. */
function datingOf(random: Random, year: number): string | null {
  const style = random.weighted({ year: 5, about: 4, century: 2, none: 1 });
  const century = ['XVIe', 'XVIIe', 'XVIIIe', 'XIXe', 'XXe', 'XXIe'][Math.floor((year - 1) / 100) - 15];
  return { year: String(year), about: `vers ${year}`, century: `${century} siècle`, none: null }[style];
}

function frenchDate(isoDate: string): string {
  const [year, month, day] = isoDate.split('-').map(Number);
  return `le ${day === 1 ? '1er' : day} ${months[(month ?? 1) - 1]} ${year}`;
}
