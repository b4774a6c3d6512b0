import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coverage } from '../contracts/farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import type { QueryArguments } from '../contracts/query-tool.ts';
import { buildBundledSplit } from '../databases/build.ts';

import { CANARY, DOMAIN_NAMES, type DomainName, SMALL_DOMAINS } from '../databases/domains.ts';
import { COMBINED, HAND_WRITTEN } from '../databases/write-split.ts';
import { DEFAULT_REFERENCE_TIME, generate } from '../generator/generate.ts';
import { Oracle } from '../generator/oracle/oracle.ts';
import { openReadonly } from '../generator/read/open-database.ts';
import { synthesizeCombinations, type ToolQuestion } from '../generator/synthesize/combinations.ts';
import { type AskedDomain, findDatabases } from '../generator/synthesize/find-databases.ts';
import { profileDatabase } from '../generator/synthesize/profile.ts';
import {
  COMBINATIONS,
  combinationOf,
  metricsOfNumber,
  shelvesOf,
} from '../generator/synthesize/tool-calls.ts';

const PER_COMBINATION = 1;

/**
 * `tsx scripts/draw-combinations.ts [domain …]`: writes `combinations.jsonl` of domains of the bundled split: a question
 * for each combination of the query tool's operators that the domain's columns allow, every one proven beside the
 * domain's other questions. The files are data: another version of the synthesizer would draw others. Questions that are there
 * stay, unless they add up or average what measures nothing; to draw all of them anew, delete the file.
 */
const only = DOMAIN_NAMES.filter((name) => process.argv.length < 3 || process.argv.includes(name));
const scratch = await mkdtemp(join(tmpdir(), 'rookery-combinations-'));
const oracle = new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME, limitMs: 2000 });
try {
  const folder = await buildBundledSplit({ to: join(scratch, 'split'), only, handWritten: true });
  const drawn: Line[] = [];
  for (const domain of await findDatabases(folder)) {
    const options = { perCombination: PER_COMBINATION, seed: '7', referenceTime: DEFAULT_REFERENCE_TIME };
    const { questions, missing } = await synthesizeCombinations(domain, oracle, options);
    const thousand = await thousandOf(domain.db as DomainName);
    const kept = await keptOf(domain);
    const ids = new Set(kept.map(({ question_id }) => question_id));
    const added = questions.map((question) => numbered(question, thousand));
    drawn.push(...kept, ...added.filter(({ question_id }) => !ids.has(question_id)));
    for (const { combination, reason } of missing) {
      process.stdout.write(`${domain.db} ${combination}: ${reason}\n`);
    }
    process.stderr.write(`${domain.db}: ${questions.length} questions drawn\n`);
  }
  const asked = join(folder, 'questions.jsonl');
  await writeFile(asked, (await readFile(asked, 'utf8')) + textOf(drawn));
  const farm = join(scratch, 'farm');
  const options = { name: 'bundled', referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000 };
  await generate(folder, { out: farm, ...options });
  const { verdicts } = coverage.parse(JSON.parse(await readFile(join(farm, 'coverage.json'), 'utf8')));
  const lost = new Map(
    verdicts.filter(({ kept }) => !kept).map((verdict) => [verdict.question_id, verdict.rejection]),
  );
  for (const { question_id, db_id, query_arguments } of drawn.filter((one) => lost.has(one.question_id))) {
    const { code, reason } = lost.get(question_id) ?? {};
    const { code: combination } = combinationOf(query_arguments as unknown as QueryArguments);
    process.stdout.write(`${db_id} ${combination}: was not proven: ${code} ${reason}\n`);
  }
  for (const db of only) {
    const kept = drawn
      .filter((one) => one.db_id === db && !lost.has(one.question_id))
      .sort((a, b) => a.question_id - b.question_id);
    const file = join(packageRoot, 'databases', db, COMBINED);
    await writeFile(`${file}.new`, textOf(kept));
    await rename(`${file}.new`, file);
    process.stdout.write(`${db}: ${kept.length} questions\n`);
  }
} finally {
  await oracle.close();
  await rm(scratch, { recursive: true, force: true });
}

interface Line extends ToolQuestion {
  readonly question_id: number;
  readonly canary: string;
}

function textOf(questions: readonly Line[]): string {
  return questions.map((question) => `${JSON.stringify(question)}\n`).join('');
}

/** The questions of a domain's file but for sums and averages of what measures nothing. */
async function keptOf(domain: AskedDomain): Promise<Line[]> {
  const file = join(packageRoot, 'databases', domain.db, COMBINED);
  const text = await readFile(file, 'utf8').catch(() => '');
  const connection = openReadonly(domain.tried);
  const shelves = shelvesOf(domain, profileDatabase(domain.catalog, connection), connection);
  connection.close();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line))
    .filter(({ query_arguments }) => {
      const { collection_name, integer_property_aggregation: asked } =
        query_arguments as unknown as QueryArguments;
      if (!asked || !/^(SUM|MEAN|MEDIAN)$/.test(asked.metrics)) return true;
      const shelf = shelves.find(({ collection }) => collection.name === collection_name);
      const one = shelf?.aggregated.integer.find(({ property }) => property.name === asked.property_name);
      return one !== undefined && metricsOfNumber(one).includes(asked.metrics);
    });
}

/** By the place of its combination, behind all others in the domain's own thousand; the first three domains share theirs. */
function numbered(question: ToolQuestion, thousand: number): Line {
  const { code } = combinationOf(question.query_arguments as unknown as QueryArguments);
  const place = COMBINATIONS.findIndex((each) => each.code === code);
  const shared = Math.max(0, SMALL_DOMAINS.indexOf(question.db_id as DomainName)) * 70;
  return { ...question, question_id: thousand + 750 + shared + place, canary: CANARY };
}

/** Where the ids of a domain's questions begin. */
async function thousandOf(db: DomainName): Promise<number> {
  const text = await readFile(join(packageRoot, 'databases', db, HAND_WRITTEN), 'utf8');
  const { question_id } = JSON.parse(text.slice(0, text.indexOf('\n')));
  return Math.floor(Number(question_id) / 1000) * 1000;
}
