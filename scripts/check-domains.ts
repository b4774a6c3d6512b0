import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Coverage, coverage as coverageSchema } from '../contracts/farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { DOMAIN_NAMES } from '../databases/domains.ts';
import { DEFAULT_REFERENCE_TIME, generate } from '../generator/generate.ts';
import { checkQuestions } from './domains/check-questions.ts';
import { checkSources } from './domains/check-sources.ts';

/** A few questions find nothing, or cut through a tie, on purpose: an agent has to live with both. */
const MEANT = 2;

/**
 * `tsx scripts/check-domains.ts [domain …]`: what is wrong with domains of the bundled split, and what their questions
 * cover. Each is built and its farm generated, into `.tmp/domains/`. Ends with 1 if anything is wrong.
 */
const only = DOMAIN_NAMES.filter((name) => process.argv.length < 3 || process.argv.includes(name));
const began = performance.now();
const split = await buildBundledSplit({ only, handWritten: true });
const buildSeconds = (performance.now() - began) / 1000;
const all = await buildBundledSplit({ handWritten: true });
const out = join(
  packageRoot,
  '.tmp',
  'domains',
  only.length === DOMAIN_NAMES.length ? 'all' : only.join('+'),
);
const { farm, split: read } = await generate(split, {
  out,
  name: 'bundled',
  referenceTime: DEFAULT_REFERENCE_TIME,
  timeoutMs: 30_000,
});
const coverage = coverageSchema.parse(JSON.parse(readFileSync(join(out, 'coverage.json'), 'utf8')));
const everyQuestion = readFileSync(join(all, 'questions.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

let faults = 0;
for (const db of only) {
  const size = checkSources(join(packageRoot, 'databases', db), join(split, `${db}.sqlite`));
  const own = read.questions.filter((question) => question.db_id === db);
  const others = everyQuestion.filter((question) => question.db_id !== db);
  const found = [...size.faults, ...checkQuestions(own, others), ...verdictFaults(coverage, db)];
  const endpoints = farm.domains.find((domain) => domain.db === db)?.endpoints ?? 0;
  faults += found.length;
  process.stdout.write(
    `${db}: ${size.tables} tables, ${size.rows} rows, ${Math.round(size.sourceBytes / 1000)} kB of sources, ` +
      `${own.length} questions, ${endpoints} endpoints\n` +
      `  constructs: ${constructCounts(coverage, db)}\n` +
      found.map((fault) => `  ${fault}\n`).join(''),
  );
}
process.stdout.write(`${faults} faults in ${only.length} domains, built in ${buildSeconds.toFixed(1)} s\n`);
process.exitCode = faults > 0 ? 1 : 0;

function verdictFaults({ verdicts }: Coverage, db: string): string[] {
  const own = verdicts.filter((verdict) => verdict.db === db);
  const lost = own
    .filter(({ kept }) => !kept)
    .map(
      ({ question_id, formulation, rejection }) =>
        `${question_id} ${formulation}: ${rejection?.code} ${rejection?.reason ?? ''}`,
    );
  const open = own
    .filter(({ formulation }) => formulation === 'rest')
    .flatMap(({ question_id, flags }) =>
      flags
        .filter((flag) => flag === 'empty_gold' || flag === 'limit_tie')
        .map((flag) => `${question_id}: ${flag}`),
    );
  return [...lost, ...(open.length > MEANT ? open : [])];
}

function constructCounts({ verdicts }: Coverage, db: string): string {
  const counts = new Map<string, number>();
  for (const verdict of verdicts) {
    if (verdict.db !== db || verdict.formulation !== 'rest') continue;
    for (const name of verdict.constructs) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
