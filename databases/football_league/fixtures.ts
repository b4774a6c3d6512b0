import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';

export interface Match {
  id: number;
  season: string;
  round: number;
  planned: string;
  played: string | null;
  home: number;
  away: number;
  score: string | null;
  homeGoals: number | null;
  awayGoals: number | null;
  attendance: number | null;
  refereeId: number | null;
}

/** Ten of the fourteen clubs a season: two go down, two come up. */
const seasonClubs: Readonly<Record<string, readonly number[]>> = {
  '2018/19': [1, 2, 3, 4, 5, 7, 8, 10, 12, 14],
  '2019/20': [1, 2, 3, 4, 5, 8, 10, 11, 12, 13],
  '2020/21': [1, 2, 3, 4, 5, 8, 10, 11, 12, 13],
  '2021/22': [2, 3, 4, 5, 6, 8, 9, 11, 12, 13],
  '2022/23': [1, 2, 3, 5, 6, 8, 10, 11, 12, 13],
  '2023/24': [1, 2, 3, 5, 7, 8, 11, 12, 13, 14],
};

/** The last day of play before the season of 2019/20 was broken off. */
const brokenOff = '2020-03-13';

/** All matches of six seasons, everybody against everybody twice. */
export function growMatches(source: Source): Match[] {
  const random = createRandom('football_league/match');
  const clubs = source.rows('clubs.csv');
  const clubOf = (id: number) => clubs.find((row) => Number(row('id')) === id);
  const matches: Match[] = [];
  for (const [season, members] of Object.entries(seasonClubs)) {
    for (const { round, home, away } of roundRobin(members)) {
      const opening = `${season.slice(0, 4)}-${season === '2020/21' ? '09-12' : '08-11'}`;
      const planned = addDays(opening, (round - 1) * 14 + random.pick([0, 0, 0, 1]) + (round > 9 ? 28 : 0));
      const host = clubOf(home);
      const strength = Number(host?.('strength')) + 1.5;
      const guest = Number(clubOf(away)?.('strength'));
      const goals = [
        poisson(random, 0.9 + strength / guest / 1.6),
        poisson(random, 0.6 + guest / strength / 1.8),
      ];
      const played = random.chance(0.04) ? addDays(planned, random.int(3, 40)) : planned;
      const isCancelled = season === '2019/20' && played > brokenOff;
      const isClosed = season === '2020/21' && played < '2021-05-17';
      const crowd = Number(host?.('capacity')) * random.near(0.35 + guest / 30, 0.3, 2);
      matches.push({
        id: matches.length + 1,
        season,
        round,
        planned,
        played: isCancelled ? null : played,
        home,
        away,
        score: isCancelled ? null : goals.join('-'),
        homeGoals: isCancelled ? null : (goals[0] ?? 0),
        awayGoals: isCancelled ? null : (goals[1] ?? 0),
        attendance:
          isCancelled || isClosed || random.chance(0.01)
            ? null
            : Math.min(Math.round(crowd), Number(host?.('capacity'))),
        refereeId: isCancelled ? null : random.int(1, 14),
      });
    }
  }
  return matches;
}

/** The circle method: each round pairs everybody, the second half with home and away exchanged. */
function roundRobin(members: readonly number[]) {
  const [fixed = 0, ...others] = members;
  const rounds = others.flatMap((_, round) => {
    const circle = [fixed, ...others.slice(round), ...others.slice(0, round)];
    return circle.slice(0, circle.length / 2).map((first, i) => {
      const second = circle[circle.length - 1 - i] ?? 0;
      const [home, away] = (round + i) % 2 === 0 ? [first, second] : [second, first];
      return { round: round + 1, home, away };
    });
  });
  return [
    ...rounds,
    ...rounds.map(({ round, home, away }) => ({ round: round + others.length, home: away, away: home })),
  ];
}

function poisson(random: Random, mean: number): number {
  let left = random.next() - Math.exp(-mean);
  let goals = 0;
  for (let share = Math.exp(-mean); left > 0 && goals < 9; left -= share) {
    goals++;
    share *= mean / goals;
  }
  return goals;
}
