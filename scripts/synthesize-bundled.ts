import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Coverage, coverage as coverageSchema } from '../contracts/farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import type { Domain, Question } from '../contracts/split.ts';
import { buildBundledSplit } from '../databases/build.ts';

import { CANARY, DOMAIN_NAMES, type DomainName } from '../databases/domains.ts';
import { SYNTHESIZED } from '../databases/write-split.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { DEFAULT_REFERENCE_TIME, generate } from '../generator/generate.ts';
import { Oracle } from '../generator/oracle/oracle.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { synthesizeQuestions } from '../generator/synthesize/synthesize-questions.ts';

/** So many REST endpoints a domain is to have at least, and a few more for what later versions may merge. */
const ENDPOINTS = 104;

/** More are drawn than are needed: some are no endpoint of their own, and some may be lost. */
const DRAWN = 90;

/**
 * `tsx scripts/synthesize-bundled.ts [domain …]`: writes `synthesized.jsonl` of domains of the bundled split: as many
 * questions beside those written by hand as give each domain its endpoints, every one kept in all formulations. The files
 * are data, written once for a domain: another version of the synthesizer would ask other questions. To put those there are into
 * the words of another version, there is reword-bundled.ts.
 */
const only = DOMAIN_NAMES.filter((name) => process.argv.length < 3 || process.argv.includes(name));
const scratch = await mkdtemp(join(tmpdir(), 'rookery-bundled-questions-'));
const oracle = new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME, limitMs: 1000 });
try {
  const folder = await buildBundledSplit({ to: join(scratch, 'split'), only, handWritten: true });
  const split = await readSplit(folder, { name: 'bundled' });
  const drawn = new Map<string, readonly Question[]>();
  for (const domain of split.domains) {
    drawn.set(domain.db, await draw(domain, split.questions));
    process.stderr.write(`${domain.db}: ${drawn.get(domain.db)?.length} questions drawn\n`);
  }
  const lines = [...split.questions, ...[...drawn.values()].flat()].map((each) => JSON.stringify(each));
  await writeFile(join(folder, 'questions.jsonl'), `${lines.join('\n')}\n`);
  const farm = join(scratch, 'farm');
  await generate(folder, {
    out: farm,
    name: 'bundled',
    referenceTime: DEFAULT_REFERENCE_TIME,
    timeoutMs: 30_000,
  });
  const verdicts = coverageSchema.parse(
    JSON.parse(await readFile(join(farm, 'coverage.json'), 'utf8')),
  ).verdicts;
  const endpoints = endpointsOf(farm);
  for (const [db, questions] of drawn) {
    const kept = questions.filter(({ question_id }) => isKept(question_id, verdicts));
    const own = split.questions.filter((each) => each.db_id === db);
    const needed = chooseNew(own, kept, endpoints);
    const file = join(packageRoot, 'databases', db, SYNTHESIZED);
    const text = needed.map((question) => `${JSON.stringify(question)}\n`).join('');
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
    const all = new Set([...own, ...needed].map(({ question_id }) => endpoints.get(question_id)));
    process.stdout.write(
      `${db}: ${own.length} by hand, ${questions.length} drawn, ${kept.length} kept in all, ${needed.length} taken: ${all.size} endpoints\n`,
    );
  }
} finally {
  await oracle.close();
  await rm(scratch, { recursive: true, force: true });
}

async function draw(domain: Domain, questions: readonly Question[]): Promise<Question[]> {
  const asked = questions.filter(({ db_id }) => db_id === domain.db);
  const made = await synthesizeQuestions(domain, oracle, {
    questions: DRAWN,
    seed: '7',
    like: 'bird',
    referenceTime: DEFAULT_REFERENCE_TIME,
    asked,
  });
  const first = firstId(domain.db, asked);
  return made.questions.map((question, i) => ({ ...question, question_id: first + i, canary: CANARY }));
}

/** Behind those written by hand, in the domain's own thousand; the first three domains share theirs. */
function firstId(db: string, asked: readonly Question[]): number {
  const thousand = Math.floor(Number(asked[0]?.question_id) / 1000) * 1000;
  return thousand + 500 + (thousand === 0 ? 100 * DOMAIN_NAMES.indexOf(db as DomainName) : 0);
}

function isKept(id: Question['question_id'], verdicts: Coverage['verdicts']): boolean {
  const own = verdicts.filter((verdict) => verdict.question_id === id);
  return own.length > 0 && own.every(({ kept, flags }) => kept && flags.length === 0);
}

/** Which endpoint answers each question. */
function endpointsOf(farm: string): ReadonlyMap<Question['question_id'], string> {
  const samples = readFarm(farm).samples.filter(({ formulation }) => formulation === 'rest');
  return new Map(samples.map(({ question_id, output }) => [question_id, output[0]?.name ?? '']));
}

/** The first of them that are answered by an endpoint of their own, until there are enough endpoints. */
function chooseNew(
  own: readonly Question[],
  kept: readonly Question[],
  endpoints: ReadonlyMap<Question['question_id'], string>,
): Question[] {
  const taken = new Set(own.map(({ question_id }) => endpoints.get(question_id)));
  return kept.filter(({ question_id }) => {
    const endpoint = endpoints.get(question_id);
    if (taken.size >= ENDPOINTS || taken.has(endpoint)) return false;
    taken.add(endpoint);
    return true;
  });
}
