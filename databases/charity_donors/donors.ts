import { addDays } from '../dates.ts';
import { createRandom, type Random } from '../random.ts';
import type { Source } from '../source.ts';

export interface Donor {
  donorId: number;
  name: string;
  kind: string;
  email: string | null;
  town: string | null;
  postcode: string | null;
  firstContact: string;
  noMail: string | null;
  died: string | null;
  sameAs: number | null;
}

interface Alias {
  donorId: number;
  spelling: string;
  seenIn: string;
}

const towns = ['Llanfair', 'Hartwick', 'Corve', 'Mill Lane', 'Easthope', 'Bryn', 'hartwick'];

/** The donors: one person in twelve is there a second time in another spelling, not always found out. */
export function growDonors(source: Source): { donors: Donor[]; aliases: Alias[] } {
  const random = createRandom('charity_donors/donor');
  const firstNames = source.words('first-names.txt');
  const lastNames = source.words('last-names.txt');
  const bodies = source.rows('bodies.csv');
  const donors: Donor[] = [];
  const aliases: Alias[] = [];
  for (let i = 0; i < 640; i++) {
    const body = i % 40 === 7 ? bodies[(i - 7) / 40] : undefined;
    const original =
      body === undefined && i > 60 && random.chance(0.08)
        ? random.pick(donors.filter(({ kind, sameAs }) => kind === 'P' && sameAs === null))
        : undefined;
    const first = random.pick(firstNames);
    const last = random.pick(lastNames);
    const town = random.pickSkewed(towns);
    const donor: Donor = {
      donorId: 1001 + i,
      name: body?.('name') ?? (original ? respelled(random, original.name) : `${first} ${last}`),
      kind: body?.('kind') ?? 'P',
      email: original?.email ?? (random.chance(0.3) ? null : mailbox(first, last, i)),
      town: original?.town ?? (random.chance(0.05) ? null : town),
      postcode:
        original?.postcode ??
        (random.chance(0.08)
          ? null
          : `${random.pick(['LF', 'HK', 'CV'])}${random.int(1, 19)} ${random.int(1, 9)}${random.pick(['AB', 'QT', 'WS'])}`),
      firstContact: addDays('2009-01-10', Math.floor(5700 * Math.sqrt(random.next()))),
      noMail: random.chance(0.07) ? 'X' : null,
      died: body === undefined && random.chance(0.03) ? deathOf(random) : null,
      sameAs: original && random.chance(0.7) ? original.donorId : null,
    };
    donors.push(donor);
    if (donor.kind !== 'P' || !random.chance(0.22)) continue;
    for (const spelling of new Set([respelled(random, donor.name), respelled(random, donor.name)])) {
      if (spelling === donor.name) continue;
      const seenIn = random.weighted({ bank: 6, letter: 2, 'web form': 3, 'event list': 2 });
      aliases.push({ donorId: donor.donorId, spelling, seenIn });
    }
  }
  return { donors, aliases };
}

function deathOf(random: Random): string {
  const day = addDays('2022-03-01', random.int(0, 950));
  return random.chance(0.3) ? day.slice(0, 4) : day;
}

function mailbox(first: string, last: string, i: number): string {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/[^a-z]/g, '');
  return `${plain(first)}.${plain(last)}${i % 3 === 0 ? i : ''}@${i % 2 ? 'postbox' : 'fernmail'}.example`;
}

/** A name as the bank, a letter or a hurried hand writes it. */
export function respelled(random: Random, name: string): string {
  const [first = '', ...rest] = name.split(' ');
  const last = rest.join(' ');
  return random.pick([
    `${last} ${first.slice(0, 1)}.`,
    `${last}, ${first}`,
    name.toUpperCase(),
    `${first.slice(0, 1)} ${last}`,
    name.normalize('NFD').replaceAll(/[^A-Za-z' -]/g, ''),
  ]);
}
