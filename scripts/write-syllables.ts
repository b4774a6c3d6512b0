import { writeFileSync } from 'node:fs';
import { dictionary } from 'cmu-pronouncing-dictionary';
import { syllablesBySpelling } from '../services/base/scalars/scalars.ts';

/**
 * `npx tsx scripts/write-syllables.ts`: writes services/base/scalars/syllables.json from CMU's Pronouncing
 * Dictionary (BSD licence): an array, by number of syllables, of the space-separated words for which the
 * spelling rule gives another number.
 */
const lines: string[][] = [];
for (const [word, pronounced] of Object.entries(dictionary)) {
  if (!/^[a-z]+('[a-z]+)*$/.test(word)) continue;
  const count = pronounced.match(/\d/g)?.length ?? 0;
  if (count === 0 || count === syllablesBySpelling(word)) continue;
  lines[count] = [...(lines[count] ?? []), word];
}
const text = Array.from(lines, (words = []) => words.sort().join(' '));
writeFileSync('services/base/scalars/syllables.json', `${JSON.stringify(text, null, 2)}\n`);
console.log(`${text.join(' ').split(' ').length} words`);
