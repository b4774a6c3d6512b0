/**
 * Prints each endpoint of a farm with its SQL and all its texts, to be read side by side: `npx tsx
 * scripts/read-sentences.ts <farm> [--every 10] [--only db]`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { service } from '../contracts/service.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' }, only: { type: 'string', multiple: true, default: [] } },
});
const [farm] = positionals;
if (farm === undefined) throw new Error('say which farm: scripts/read-sentences.ts <farm>');
const files = readdirSync(join(farm, 'services')).filter((name) => name.endsWith('.json'));
// The reader of the pipe may have closed it.
process.stdout.on('error', () => process.exit());

let at = 0;
for (const file of files.sort()) {
  const { db, endpoints } = service.parse(JSON.parse(readFileSync(join(farm, 'services', file), 'utf8')));
  if (values.only.length > 0 && !values.only.includes(db)) continue;
  for (const { name, sql, summary, description, parameters, columns } of endpoints) {
    if (at++ % Number(values.every) !== 0) continue;
    console.log(`## ${db}/${name}\n${sql}\n\n${summary}\n${description}`);
    for (const one of parameters) console.log(`- ${one.name}: ${one.description}`);
    for (const one of columns) console.log(`- > ${one.name}: ${one.description}`);
    console.log('');
  }
}
