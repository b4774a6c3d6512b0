import { romanised, spellOut, withoutAccents } from '../../../base/plain-letters.ts';

/** The name made safe (`[A-Za-z0-9_]`, umlauts and accents spelled out, other scripts in Latin letters) and, when taken (in any case), numbered from 2; it is taken then. */
export function uniqueKey(name: string, taken: Set<string>): string {
  // The look behind keeps a long run of underscores from being tried from each of them.
  const safe =
    spellOut(romanised(withoutAccents(name)), '_')
      .replace(/[^A-Za-z0-9_]+/g, '_')
      .replace(/^_+|(?<!_)_+$/g, '') || 'column';
  let key = safe;
  for (let n = 2; taken.has(key.toLowerCase()); n++) key = `${safe}_${n}`;
  taken.add(key.toLowerCase());
  return key;
}
