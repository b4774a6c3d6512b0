/**
 * Whether questions of the bundled split say what their SQL asks: somebody who did not write them writes the SQL again.
 *
 * `npx tsx scripts/read-again.ts deal [domain …] [--count 12] [--seed 1]` prints a sheet with each domain's tables, values
 * out of them, and a seeded sample of its hand-written questions, without their SQL. The reader writes SQL to a file,
 * each query below a line `-- <question id>`.
 *
 * `npx tsx scripts/read-again.ts compare <answers.sql> [domain …]` runs those queries beside the gold SQL, prints both
 * where their rows differ, and counts those that agree. Order counts where the gold SQL sorts; tied rows may swap.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildBundledSplit } from '../databases/build.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { DEFAULT_REFERENCE_TIME } from '../generator/generate.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { Random } from '../generator/variants/random.ts';
import { compareQuestions } from './second-reader/compare-questions.ts';
import { readAnswers } from './second-reader/read-answers.ts';
import { writeQuestionSheet } from './second-reader/write-question-sheet.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '12' }, seed: { type: 'string', default: '1' } },
});
const [task, ...rest] = positionals;
const file = task === 'compare' ? rest[0] : undefined;
if (task !== 'deal' && file === undefined) {
  throw new Error(
    'say what to do: scripts/read-again.ts deal [domain …], or compare <answers.sql> [domain …]',
  );
}
const names = file === undefined ? rest : rest.slice(1);
const only = DOMAIN_NAMES.filter((name) => names.length === 0 || names.includes(name));
const split = await readSplit(await buildBundledSplit({ handWritten: true }), { only });
const answers = file === undefined ? null : readAnswers(readFileSync(file, 'utf8')).sql;

let read = 0;
let differing = 0;
for (const domain of split.domains) {
  const own = split.questions.filter(({ db_id }) => db_id === domain.db);
  if (answers === null) {
    const dealt = new Random(`${values.seed}/${domain.db}`).sample(own, Number(values.count));
    console.log(writeQuestionSheet(domain, dealt));
    continue;
  }
  const known = own.filter(({ question_id }) => answers.has(String(question_id)));
  if (known.length === 0) continue;
  const found = await compareQuestions(domain, known, answers, DEFAULT_REFERENCE_TIME);
  for (const text of found) console.log(`${text}\n`);
  console.log(`${domain.db}: ${known.length - found.length} of ${known.length} agree\n`);
  read += known.length;
  differing += found.length;
}
if (answers !== null) console.log(`${read - differing} of ${read} agree`);
