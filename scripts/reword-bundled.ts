import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { SYNTHESIZED } from '../databases/write-split.ts';
import { DEFAULT_REFERENCE_TIME } from '../generator/generate.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { ask, wordingOf } from '../generator/synthesize/wording.ts';
import { Random } from '../generator/variants/random.ts';
import { parseQuery } from '../sql/index.ts';

/**
 * `tsx scripts/reword-bundled.ts [domain …]`: the drawn questions of the bundled split in the words of today's English,
 * but for those of the query tool, which draw-combinations.ts draws anew.
 * Only their texts change: what they ask, their SQL and their numbers stay.
 */
const only = DOMAIN_NAMES.filter((name) => process.argv.length < 3 || process.argv.includes(name));
const split = await readSplit(await buildBundledSplit(), { only });
for (const { db, catalog } of split.domains) {
  const own = split.questions.filter(({ db_id }) => db_id === db);
  const wording = wordingOf(catalog);
  let changed = 0;
  const drawn = own.filter(({ origin, query_arguments }) => origin === 'synthesized' && !query_arguments);
  const lines = drawn.map((question) => {
    const query = parseQuery(question.sql, { catalog, referenceTime: DEFAULT_REFERENCE_TIME });
    const random = new Random(`reworded\n${db}\n${question.question_id}`);
    const asked = ask(question.sql, query, wording, random);
    if (asked.question !== question.question) changed += 1;
    return `${JSON.stringify({ ...question, question: asked.question })}\n`;
  });
  const file = join(packageRoot, 'databases', db, SYNTHESIZED);
  await writeFile(`${file}.new`, lines.join(''));
  await rename(`${file}.new`, file);
  process.stdout.write(`${db}: ${changed} of ${drawn.length} questions reworded\n`);
}
