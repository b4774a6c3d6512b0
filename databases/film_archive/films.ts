import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';
import { growPeople, type Person } from './people.ts';

export interface Film {
  filmId: number;
  title: string;
  year: string | null;
  country: string;
  language: string;
  minutes: number | null;
  silent: number;
  colour: string;
  genre: string;
  cast: string | null;
}

interface OtherTitle {
  filmId: number;
  index: number;
  title: string;
  language: string | null;
}

interface Credit {
  filmId: number;
  personId: number;
  job: string;
}

interface Appearance {
  filmId: number;
  index: number;
  personId: number;
  role: string | null;
  uncredited: number;
}

const countries = { fr: 'FR', de: 'DE', es: 'ES', sv: 'SE', pt: 'PT', it: 'IT' };
const roles = [
  'the innkeeper',
  'a sailor',
  'the bride',
  'the judge',
  'a thief',
  'the widow',
  'the twin',
  'a ghost',
];
const workingTitles = ['The Wager', 'Midnight', 'Two Sisters', 'Salt', 'The Clockmaker', 'Storm'];

/** The films with everything their index cards say. */
export function growFilms(source: Source) {
  const random = createRandom('film_archive/film');
  const people = growPeople(source);
  const words = source.rows('title-words.csv');
  const textsOf = (language: string, kind: string) =>
    words.filter((row) => row('language') === language && row('kind') === kind).map((row) => row('text'));
  const films: Film[] = [];
  const otherTitles: OtherTitle[] = [];
  const credits: Credit[] = [];
  const appearances: Appearance[] = [];
  const inventTitle = (language: string) =>
    random.pick(textsOf(language, 'pattern')).replace('{n}', random.pick(textsOf(language, 'noun')));
  const used = new Set<string>();
  /** A new title if one is soon found; else it is a remake. */
  const newTitle = (language: string) => {
    let title = inventTitle(language);
    for (let tries = 0; used.has(title) && tries < 6; tries++) title = inventTitle(language);
    used.add(title);
    return title;
  };
  for (let filmId = 1; filmId <= 560; filmId++) {
    const language = random.weighted({ fr: 9, de: 8, es: 5, sv: 4, it: 5, pt: 2 });
    const year = random.int(1896, random.chance(0.8) ? 1939 : 1971);
    const players = choosePlayers(random, people, year);
    const cast = players.map((person) => person.name).join('; ');
    films.push({
      filmId,
      title: newTitle(language),
      year: writeYear(random, year),
      country: writeCountry(random, countries[language]),
      language,
      minutes: random.chance(0.12) ? null : year < 1908 ? random.near(7, 5, 1) : random.near(78, 32),
      silent: year < 1929 || (year < 1932 && random.chance(0.4)) ? 1 : 0,
      colour:
        year < 1930 && random.chance(0.3) ? 'tinted' : year > 1945 && random.chance(0.4) ? 'colour' : 'b/w',
      genre: random.weighted({
        drama: 8,
        comedy: 7,
        crime: 4,
        travelogue: 3,
        newsreel: 2,
        fantasy: 2,
        musical: 1,
      }),
      cast: players.length > 0 && random.chance(0.8) ? cast : null,
    });
    const others = random.weighted({ 0: 9, 1: 6, 2: 3, 3: 1 });
    for (let index = 1; index <= Number(others); index++) {
      const foreign = random.pick(['fr', 'de', 'es', 'it']);
      const working = random.chance(0.2);
      otherTitles.push({
        filmId,
        index,
        title: working ? random.pick(workingTitles) : inventTitle(foreign),
        language: working ? null : foreign,
      });
    }
    const crew = people.filter((person) => works(person, year));
    for (const job of ['DIR', 'SCR', 'CAM', ...(year > 1930 ? ['MUS'] : []), 'EDT']) {
      if (crew.length > 0 && !random.chance(job === 'DIR' ? 0.08 : 0.35)) {
        credits.push({ filmId, personId: random.pick(crew).personId, job });
      }
    }
    players.forEach((person, place) => {
      appearances.push({
        filmId,
        index: place + 1,
        personId: person.personId,
        role: random.chance(0.25) ? null : random.pick(roles),
        uncredited: place > 2 && random.chance(0.3) ? 1 : 0,
      });
    });
  }
  return { films, otherTitles, people, credits, appearances };
}

/** Of age, and not yet dead or old. */
function works({ born, died }: Person, year: number): boolean {
  const from = Number(born?.slice(-4) ?? 1880);
  return year >= from + 18 && year <= Math.min(from + 60, Number(died ?? 9999));
}

function choosePlayers(random: Random, people: readonly Person[], year: number): Person[] {
  const able = people.filter((person) => works(person, year));
  if (able.length === 0) return [];
  return [...new Set(Array.from({ length: random.int(0, 7) }, () => random.pickSkewed(able)))];
}

/** The year as the card has it: some only about right, some over two years. */
function writeYear(random: Random, year: number): string | null {
  const kind = random.weighted({ plain: 70, circa: 12, doubtful: 6, double: 6, none: 5 });
  if (kind === 'none') return null;
  if (kind === 'circa') return `c. ${year}`;
  if (kind === 'doubtful') return `${year}?`;
  return kind === 'double' ? `${year}/${String((year + 1) % 100).padStart(2, '0')}` : String(year);
}

function writeCountry(random: Random, country: string): string {
  if (!random.chance(0.07)) return country;
  return `${country}/${random.pick(Object.values(countries).filter((other) => other !== country))}`;
}
