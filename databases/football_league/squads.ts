import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';

export type Position = 'GK' | 'DF' | 'MF' | 'FW';

export interface Player {
  id: number;
  name: string;
  born: string | null;
  country: string;
  position: Position;
  height: string | null;
}

export interface Contract {
  playerId: number;
  clubId: number;
  from: string;
  to: string | null;
  shirt: number;
  fee: string | null;
}

const squad: readonly Position[] = [
  'GK',
  'GK',
  'DF',
  'DF',
  'DF',
  'DF',
  'DF',
  'DF',
  'MF',
  'MF',
  'MF',
  'MF',
  'MF',
  'MF',
  'FW',
  'FW',
  'FW',
  'FW',
];

/** Players and their contracts: in summer and in January some swap clubs, and some make way for newcomers. */
export function growSquads(source: Source, clubIds: readonly number[]) {
  const random = createRandom('football_league/contract');
  const players: Player[] = [];
  const contracts: Contract[] = [];
  const sign = (player: Player, clubId: number, from: string, fee: string | null) =>
    contracts.push({ playerId: player.id, clubId, from, to: null, shirt: random.int(1, 39), fee });
  const newPlayer = (position: Position, year: number) => {
    const player = growPlayer(source, 3001 + players.length * 2, position, year);
    players.push(player);
    return player;
  };
  for (const clubId of clubIds) {
    for (const position of squad) {
      sign(newPlayer(position, 2018), clubId, addDays('2016-07-01', random.int(0, 700)), feeOf(random));
    }
  }
  for (let year = 2018; year <= 2024; year++) {
    for (const [window, swaps] of [
      ['01-10', 0.05],
      ['07-05', 0.13],
    ] as const) {
      const day = `${year}-${window}`;
      if (day < '2018-08' || day > '2024-06') continue;
      for (const contract of contracts.filter(({ to }) => to === null)) {
        const player = players.find(({ id }) => id === contract.playerId);
        if (contract.to !== null || player === undefined || !random.chance(swaps)) continue;
        const date = addDays(day, random.int(0, 18));
        const partner = contracts.find(
          (other) =>
            other.to === null &&
            other.clubId !== contract.clubId &&
            other.from < addDays(day, -90) &&
            players.find(({ id }) => id === other.playerId)?.position === player.position &&
            random.chance(0.2),
        );
        contract.to = date;
        if (partner === undefined || random.chance(0.3)) {
          sign(newPlayer(player.position, year), contract.clubId, date, feeOf(random));
          continue;
        }
        partner.to = date;
        const other = players.find(({ id }) => id === partner.playerId);
        sign(player, partner.clubId, date, feeOf(random));
        if (other !== undefined) sign(other, contract.clubId, date, feeOf(random));
      }
    }
  }
  return { players, contracts };
}

function growPlayer(source: Source, id: number, position: Position, year: number): Player {
  const random = createRandom(`football_league/player/${id}`);
  const centimetres = random.near(position === 'GK' ? 189 : 181, 11);
  const inches = Math.round(centimetres / 2.54);
  return {
    id,
    name: `${random.pick(source.words('first-names.txt'))} ${random.pick(source.words('last-names.txt'))}`,
    born: random.chance(0.03) ? null : addDays(`${year - 24}-06-01`, random.near(0, 2600)),
    country: random.weighted({ Albany: 14, Norrow: 4, 'Costa Verde': 3, Ghanda: 3, Kovia: 2 }),
    position,
    height: random.chance(0.04)
      ? null
      : random.chance(0.25)
        ? `${Math.floor(inches / 12)} ft ${inches % 12}`
        : `${centimetres} cm`,
  };
}

function feeOf(random: Random): string | null {
  const kind = random.weighted({ free: 5, k: 6, m: 2, undisclosed: 2 });
  if (kind === 'undisclosed') return null;
  if (kind === 'free') return 'free';
  return kind === 'k' ? `${random.int(1, 19) * 50}k` : `${random.int(10, 68) / 10}m`;
}

/** Who plays for a club on a day. */
export function squadOn(
  players: readonly Player[],
  contracts: readonly Contract[],
  clubId: number,
  day: string,
): Player[] {
  const ids = new Set(
    contracts
      .filter(
        (entry) => entry.clubId === clubId && entry.from <= day && (entry.to === null || entry.to > day),
      )
      .map(({ playerId }) => playerId),
  );
  return players.filter(({ id }) => ids.has(id));
}
