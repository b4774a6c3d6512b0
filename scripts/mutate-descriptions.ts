/**
 * Whether descriptions mention every clause: `npx tsx scripts/mutate-descriptions.ts <split> [--every 5] [--only db]
 * [--missed]`. Changes one clause of each endpoint's query at a time; of the changes that give another answer, counts
 * by kind those that change the endpoint's texts.
 */
import { parseArgs } from 'node:util';
import { DEFAULT_REFERENCE_TIME } from '../generator/generate.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { measureDescriptions } from './descriptions/measure-descriptions.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    missed: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('say which split: scripts/mutate-descriptions.ts <split>');
const slips = await measureDescriptions(await readSplit(folder), {
  referenceTime: DEFAULT_REFERENCE_TIME,
  every: Number(values.every),
  only: values.only,
  onDomain: (db, found) =>
    console.error(`${db}: ${found.filter(({ caught }) => caught).length} of ${found.length}`),
});
if (values.missed) {
  for (const { db, kind, sql, changed, said } of slips.filter(({ caught }) => !caught)) {
    console.log([`## ${db}: ${kind}`, sql, changed, said, ''].join('\n'));
  }
}
const kinds = [...new Set(slips.map(({ kind }) => kind))].sort();
for (const kind of [...kinds, 'all']) {
  const own = slips.filter((slip) => kind === 'all' || slip.kind === kind);
  const caught = own.filter((slip) => slip.caught).length;
  console.log(
    `${kind.padEnd(24)} ${String(caught).padStart(6)} of ${String(own.length).padStart(6)}  ${((100 * caught) / own.length).toFixed(1)} %`,
  );
}
