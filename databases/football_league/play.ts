import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Match } from './fixtures.ts';
import { type Contract, type Player, squadOn } from './squads.ts';

interface Appearance {
  matchId: number;
  playerId: number;
  clubId: number;
  started: 'Y' | 'N';
  minutes: number;
}

const places = { GK: 1, DF: 4, MF: 4, FW: 2 };
const causes = ['foul', 'foul', 'dissent', 'handball', 'time wasting', 'shirt off', null];

/** Who played, scored and was booked in each match, as on the day. */
export function growPlay(
  matches: readonly Match[],
  players: readonly Player[],
  contracts: readonly Contract[],
) {
  const random = createRandom('football_league/appearance');
  const appearances: Appearance[] = [];
  const goals: (string | number)[][] = [];
  const cards: (string | number | null)[][] = [];
  for (const match of matches) {
    if (match.score === null) continue;
    const sides = [match.home, match.away].map((clubId) =>
      lineUp(random, match, clubId, squadOn(players, contracts, clubId, match.played ?? '')),
    );
    appearances.push(...sides.flat());
    match.score.split('-').forEach((count, side) => {
      const own = sides[side] ?? [];
      const others = sides[1 - side] ?? [];
      const minutes = Array.from({ length: Number(count) }, () => random.int(1, 92)).sort((a, b) => a - b);
      for (const minute of minutes) {
        const kind = random.weighted({ N: 20, P: 2.4, O: 0.8 });
        // Forwards stand last in a line-up.
        const scorer = kind === 'O' ? random.pick(others) : random.pickSkewed(own.toReversed());
        goals.push([
          goals.length + 1,
          match.id,
          own[0]?.clubId ?? 0,
          scorer.playerId,
          clock(random, minute),
          kind,
        ]);
      }
    });
    for (const { playerId } of sides.flat()) {
      if (!random.chance(0.14)) continue;
      const line = [
        match.id,
        playerId,
        random.chance(0.06) ? 'R' : 'Y',
        clock(random, random.int(4, 92)),
        random.pick(causes),
      ];
      cards.push(...(random.chance(0.02) ? [line, line] : [line]));
    }
  }
  return { appearances, goals, cards };
}

/** Eleven who start, one of whom makes way for another. */
function lineUp(random: Random, match: Match, clubId: number, squad: readonly Player[]): Appearance[] {
  const starters = Object.entries(places).flatMap(([position, count]) => {
    const able = squad.filter((player) => player.position === position);
    const chosen = new Set<Player>();
    while (chosen.size < Math.min(count, able.length)) chosen.add(random.pickSkewed(able));
    return [...chosen];
  });
  const bench = squad.filter((player) => !starters.includes(player) && player.position !== 'GK');
  const off = random.int(1, starters.length - 1);
  const minute = random.int(46, 88);
  const sub = bench.length > 0 ? [random.pick(bench)] : [];
  return [
    ...sub.map(({ id }) => ({
      matchId: match.id,
      playerId: id,
      clubId,
      started: 'N' as const,
      minutes: 90 - minute,
    })),
    ...starters.map(({ id }, i) => ({
      matchId: match.id,
      playerId: id,
      clubId,
      started: 'Y' as const,
      minutes: i === off && sub.length > 0 ? minute : 90,
    })),
  ];
}

/** Added time is written `45+2`. */
function clock(random: Random, minute: number): string {
  return minute > 90 ? `90+${random.int(1, 6)}` : minute === 45 ? `45+${random.int(1, 4)}` : String(minute);
}

const injuries = { hamstring: 6, ankle: 5, knee: 4, groin: 3, concussion: 1, 'broken toe': 1, flu: 2 };

/** Injuries; those of the last spring are not healed yet. */
export function growInjuries(players: readonly Player[]) {
  const random = createRandom('football_league/injury');
  return Array.from({ length: 330 }, () => addDays('2018-08-12', random.int(0, 2110)))
    .sort()
    .map((from, i) => {
      const what = random.weighted(injuries);
      const to = addDays(from, what === 'knee' ? random.int(40, 260) : random.int(4, 60));
      return { id: i + 1, playerId: random.pick(players).id, what, from, to: to > '2024-06-10' ? null : to };
    });
}
