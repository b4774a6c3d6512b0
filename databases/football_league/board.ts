import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Match } from './fixtures.ts';

interface Ruling {
  id: number;
  season: string;
  clubId: number;
  matchId: number | null;
  kind: 'R' | 'D' | 'F';
  points: number | null;
  fine: number | null;
  reason: string | null;
  decided: string;
  overturned: string | null;
}

/** The board's rulings: some change a result to 3-0, some take points, most are fines; a few fall on appeal. */
export function growRulings(matches: readonly Match[]): Ruling[] {
  const random = createRandom('football_league/ruling');
  const played = matches.filter(({ score }) => score !== null);
  return Array.from({ length: 74 }, () => random.pick(played))
    .sort((a, b) => a.id - b.id)
    .map((match, i) => {
      const kind = random.weighted({ R: 2, D: 1.2, F: 7 });
      const decided = addDays(match.played ?? match.planned, random.int(4, 40));
      const reasons = {
        R: ['ineligible player', 'floodlight failure', 'crowd trouble'],
        D: ['late accounts', 'unpaid wages', 'ineligible player'],
        F: ['crowd trouble', 'late kick-off', 'pitch not ready', 'betting', null],
      }[kind];
      return {
        id: 900 + i,
        season: match.season,
        clubId: random.pick([match.home, match.away]),
        matchId: kind === 'D' ? null : match.id,
        kind,
        points: kind === 'D' ? random.pick([1, 2, 3, 3, 6]) : null,
        fine: kind === 'F' ? random.int(2, 60) * 500 : kind === 'R' && random.chance(0.4) ? 5000 : null,
        reason: random.pick(reasons),
        decided,
        overturned: random.chance(0.18) ? addDays(decided, random.int(10, 50)) : null,
      };
    });
}

/** The matches as they count: a changed result goes 3-0 against the club ruled on, unless it won its appeal. */
export function applyRulings(matches: readonly Match[], rulings: readonly Ruling[]): Match[] {
  return matches.map((match) => {
    const changed = rulings.find(
      ({ kind, matchId, overturned }) => kind === 'R' && matchId === match.id && overturned === null,
    );
    if (changed === undefined) return match;
    const isHome = changed.clubId === match.home;
    return { ...match, homeGoals: isHome ? 0 : 3, awayGoals: isHome ? 3 : 0 };
  });
}

/** The tables as printed on the last day of each season: scores as on the day, and only what was decided by then. */
export function printTables(matches: readonly Match[], rulings: readonly Ruling[]) {
  const seasons = [...new Set(matches.map(({ season }) => season))];
  return seasons.flatMap((season) => {
    const own = matches.filter((match) => match.season === season && match.score !== null);
    const clubs = [...new Set(own.flatMap(({ home, away }) => [home, away]))];
    const lines = clubs.map((club) => {
      const results = own
        .filter(({ home, away }) => home === club || away === club)
        .map(({ home, score }) => {
          const [a = 0, b = 0] = (score ?? '').split('-').map(Number);
          return home === club ? [a, b] : [b, a];
        });
      const scored = results.reduce((sum, [a = 0]) => sum + a, 0);
      const conceded = results.reduce((sum, [, b = 0]) => sum + b, 0);
      const won = results.reduce((sum, [a = 0, b = 0]) => sum + (a > b ? 3 : a === b ? 1 : 0), 0);
      const taken = rulings
        .filter(({ kind, clubId, ...ruling }) => kind === 'D' && clubId === club && ruling.season === season)
        .filter(({ decided }) => decided < `20${season.slice(5)}-03-01`)
        .reduce((sum, { points }) => sum + (points ?? 0), 0);
      return { club, points: won - taken, scored, conceded };
    });
    lines.sort(
      (a, b) => b.points - a.points || b.scored - b.conceded - (a.scored - a.conceded) || a.club - b.club,
    );
    return lines.map(({ club, points, scored, conceded }, i) => [
      season,
      i + 1,
      club,
      points,
      `${scored}:${conceded}`,
    ]);
  });
}
