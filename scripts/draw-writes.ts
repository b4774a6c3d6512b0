import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coverage } from '../contracts/farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { DEFAULT_REFERENCE_TIME, type Question } from '../contracts/split.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { CANARY, DOMAIN_NAMES, type DomainName } from '../databases/domains.ts';
import { DRAWN_WRITES } from '../databases/write-split.ts';
import { generate } from '../generator/generate.ts';
import { synthesizeSplit } from '../generator/synthesize/synthesize.ts';

/** Tasks of a domain; its ids begin at a thousand of its own, far beyond those of other questions. */
const WRITES = 72;
const FIRST_ID = 200_000;

/** `npx tsx scripts/draw-writes.ts [<domain> …]`: draws tasks that change records, proves them, and keeps what is proven. */
const named = process.argv.slice(2);
const unknown = named.find((name) => !DOMAIN_NAMES.some((domain) => domain === name));
if (unknown !== undefined) throw new Error(`${unknown} is no bundled domain`);
for (const domain of DOMAIN_NAMES.filter((name) => named.length === 0 || named.includes(name)))
  await drawWrites(domain);

async function drawWrites(domain: DomainName): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-draw-writes-'));
  try {
    const split = await buildBundledSplit({ to: join(folder, 'split'), only: [domain] });
    const file = join(split, 'questions.jsonl');
    const others = linesOf(file).filter((line) => JSON.parse(line).kind === undefined);
    writeFileSync(file, others.join('\n'));
    const [out, farm] = [join(folder, 'drawn'), join(folder, 'farm')];
    const referenceTime = DEFAULT_REFERENCE_TIME;
    const options = { referenceTime, timeoutMs: 5_000 };
    await synthesizeSplit(split, { ...options, out, questions: 0, writes: WRITES, seed: '7', like: 'bird' });
    cpSync(join(split, 'policies'), join(out, 'policies'), { recursive: true });
    await generate(out, { ...options, out: farm, jobs: 1 });
    const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
    const rejected = new Set(verdicts.filter(({ kept }) => !kept).map(({ question_id }) => question_id));
    const drawn = linesOf(join(out, 'questions.jsonl')).map((line) => JSON.parse(line) as Question);
    const broken = new Set(drawn.filter((each) => rejected.has(each.question_id)).map(({ pair }) => pair));
    const kept = drawn.filter(
      ({ question_id, pair }) => !rejected.has(question_id) && (pair === undefined || !broken.has(pair)),
    );
    const first = FIRST_ID + 1000 * DOMAIN_NAMES.indexOf(domain);
    const lines = kept.map((each, at) =>
      JSON.stringify({ ...each, question_id: first + at, canary: CANARY }),
    );
    writeFileSync(join(packageRoot, 'databases', domain, DRAWN_WRITES), `${lines.join('\n')}\n`);
    process.stdout.write(`${domain}: ${kept.length} of ${drawn.length} drawn are kept\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
