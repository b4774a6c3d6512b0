import type { CatalogColumn } from '../../../contracts/catalog.ts';
import type { Bound } from '../tools/sql/sql.ts';

/** What stands for true and for false in a column. */
export interface BooleanValues {
  readonly true: Bound;
  readonly false: Bound;
}

/** Pairs of texts that mean no and yes, in lower case; also as German, Dutch, Swedish, French and Spanish offices write them. */
const PAIRS = [
  ['0', '1'],
  ['n', 'y'],
  ['no', 'yes'],
  ['f', 't'],
  ['false', 'true'],
  ['n', 'j'],
  ['nein', 'ja'],
  ['nee', 'ja'],
  ['nej', 'ja'],
  ['non', 'oui'],
  ['no', 'si'],
  ['no', 'sí'],
] as const;

/** The values of a column that only says yes or no; null for any other column. */
export function booleanValues({ primary_key, statistics }: CatalogColumn): BooleanValues | null {
  const { distinct, min, max, storage } = statistics;
  if (primary_key > 0 || distinct !== 2 || storage.blob > 0 || storage.real > 0) return null;
  if (storage.text === 0) return Number(min) === 0 && Number(max) === 1 ? { true: 1n, false: 0n } : null;
  if (storage.integer > 0 || typeof min !== 'string' || typeof max !== 'string') return null;
  for (const [no, yes] of PAIRS) {
    const [a, b] = [min.toLowerCase(), max.toLowerCase()];
    if (a === no && b === yes) return { false: min, true: max };
    // Upper case sorts before lower case.
    if (a === yes && b === no) return { false: max, true: min };
  }
  return null;
}
