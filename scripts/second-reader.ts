/**
 * Whether a reader who does not see the SQL can write it from an endpoint's texts.
 *
 * `npx tsx scripts/second-reader.ts deal <farm> [--count 200] [--seed 1]` prints a sheet with the tables and the texts of
 * a seeded sample of endpoints. The reader writes SQL with the endpoint's parameters (`:name`, lists by `json_each`) to a
 * file, each query below a line `-- <id> <remark>`; a remark is a word such as natural, stilted or false.
 *
 * `npx tsx scripts/second-reader.ts compare <farm> <answers.sql> [--count 200] [--seed 1]` runs them beside the endpoints' own SQL and
 * prints every answer that differs, the share that agrees, and how often each remark was made.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compareAnswers } from './second-reader/compare-answers.ts';
import { dealEndpoints, referenceTimeOf } from './second-reader/dealt-endpoint.ts';
import { readAnswers } from './second-reader/read-answers.ts';
import { writeSheet } from './second-reader/write-sheet.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const [task, farm, file] = positionals;
if (farm === undefined || !(task === 'deal' || (task === 'compare' && file !== undefined))) {
  throw new Error('say what to do: scripts/second-reader.ts deal <farm>, or compare <farm> <answers.sql>');
}
const dealt = dealEndpoints(farm, Number(values.count), values.seed);
if (task === 'deal') console.log(writeSheet(dealt));
if (task === 'compare' && file !== undefined) {
  const { sql, remarks } = readAnswers(readFileSync(file, 'utf8'));
  const verdicts = await compareAnswers(farm, dealt, sql, referenceTimeOf(farm));
  const differing = verdicts.filter(({ difference }) => difference !== null);
  const fragile = verdicts.filter(({ elsewhere }) => elsewhere !== null);
  for (const { dealt, answer, difference, elsewhere } of [...differing, ...fragile]) {
    const { id, endpoint } = dealt;
    const texts = [endpoint.summary, endpoint.description, endpoint.sql, answer].join('\n');
    console.log(`## ${id}: ${difference ?? elsewhere}\n${texts}\n`);
  }
  const agreeing = verdicts.length - differing.length;
  const unanswered = dealt.length - verdicts.length;
  console.log(
    `${agreeing} of ${verdicts.length} agree on the data, ${agreeing - fragile.length} on neighbours too; ${unanswered} not answered`,
  );
  for (const remark of new Set(remarks.values())) {
    console.log(
      `${[...remarks.values()].filter((one) => one === remark).length} ${remark || 'without remark'}`,
    );
  }
}
