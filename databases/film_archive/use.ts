import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Print } from './cans.ts';
import type { Film } from './films.ts';

interface Restoration {
  project: string;
  filmId: number;
  ledBy: number;
  begun: string;
  ended: string | null;
  eur: number;
  funder: string | null;
}

/** The restorations, several a year; the last ones are still running. */
export function growRestorations(films: readonly Film[]): Restoration[] {
  const random = createRandom('film_archive/restoration');
  const projects: Restoration[] = [];
  for (let year = 2013; year <= 2024; year++) {
    for (let number = 1; number <= random.int(3, 6); number++) {
      const begun = addDays(`${year}-01-08`, number * 50 + random.int(0, 30));
      const ended = addDays(begun, random.int(120, 900));
      projects.push({
        project: `R-${year}-${String(number).padStart(2, '0')}`,
        filmId: random.pickSkewed(films).filmId,
        ledBy:
          begun < '2021-05-03'
            ? random.pick([2, 3])
            : begun < '2023-03-31'
              ? random.pick([2, 3, 8])
              : random.pick([2, 8]),
        begun,
        ended: ended > '2024-12-31' ? null : ended,
        eur: random.int(8, 90) * (random.chance(0.06) ? 4000 : 1000),
        funder: random.weighted({ 'State fund': 5, 'Fondation Lumen': 3, 'own means': 2, none: 1 }),
      });
    }
  }
  return projects.map((project) => ({
    ...project,
    funder: project.funder === 'none' ? null : project.funder,
  }));
}

interface Shipment {
  shipmentId: number;
  can: string;
  borrowerId: number;
  sent: string;
  due: string;
  back: string | null;
  fee: number | null;
  damage: string | null;
}

/** Cans lent out since 2018; hardly any in 2020, and never a nitrate negative. */
export function growShipments(source: Source, prints: readonly Print[]): Shipment[] {
  const random = createRandom('film_archive/shipment');
  const borrowers = source.rows('borrowers.csv');
  const fit = prints.filter(
    (print) => print.element === 'positive' && print.base !== 'N' && print.filmId !== null,
  );
  const home = new Map<string, string>();
  const shipments: Shipment[] = [];
  for (let i = 0; i < 620; i++) {
    const sent = addDays('2018-01-15', Math.floor((i * 2530) / 620));
    const print = random.pickSkewed(fit);
    if ((home.get(print.can) ?? '') >= sent || print.came >= sent) continue;
    if (sent > '2020-03-10' && sent < '2021-05-01' && !random.chance(0.1)) continue;
    const borrower = random.pickSkewed(borrowers);
    const due = addDays(sent, random.pick([14, 21, 30, 45]));
    const back = addDays(due, random.chance(0.25) ? random.int(1, 60) : -random.int(0, 8));
    home.set(print.can, back);
    shipments.push({
      shipmentId: 3001 + shipments.length,
      can: print.can,
      borrowerId: Number(borrower('id')),
      sent,
      due,
      back: back > '2024-12-31' ? null : back,
      fee:
        borrower('kind') === 'museum' || random.chance(0.1) ? null : random.pick([120, 150, 200, 350, 600]),
      damage: random.chance(0.05)
        ? random.pick(['scratches', 'new splice', 'can dented', 'last reel missing'])
        : null,
    });
  }
  return shipments;
}

interface Screening {
  screeningId: number;
  filmId: number;
  starts: string;
  hall: string;
  tickets: number | null;
  pianist: string | null;
}

const pianists = ['Mme Aubert', 'D. Ōno', 'K. Brøndum', 'die Brüder Reiss'];

/** Screenings in the archive's own halls, silent films mostly with a pianist. */
export function growScreenings(films: readonly Film[]): Screening[] {
  const random = createRandom('film_archive/screening');
  const screenings: Screening[] = [];
  for (let i = 0; i < 760; i++) {
    const day = addDays('2019-01-10', Math.floor((i * 2180) / 760));
    if (day > '2020-03-13' && day < '2021-06-01') continue;
    const film = random.pickSkewed(films);
    const hall = random.weighted({
      'Salle Méliorat': 3,
      Studio: 2,
      Garden: day.slice(5, 7) === '07' ? 3 : 0,
    });
    const seats = { 'Salle Méliorat': 140, Studio: 38, Garden: 200 }[hall];
    screenings.push({
      screeningId: 20_001 + screenings.length,
      filmId: film.filmId,
      starts: `${day} ${hall === 'Garden' ? '22:00' : random.pick(['16:00', '18:30', '20:30'])}`,
      hall,
      tickets: random.chance(0.06)
        ? null
        : Math.min(seats, Math.max(2, random.near(seats * 0.55, seats * 0.6))),
      pianist: film.silent === 1 && random.chance(0.85) ? random.pickSkewed(pianists) : null,
    });
  }
  return screenings;
}
