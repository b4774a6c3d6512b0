import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coverage } from '../contracts/farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { DEFAULT_REFERENCE_TIME, type Question } from '../contracts/split.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { CANARY, DOMAIN_NAMES, type DomainName } from '../databases/domains.ts';
import { DIALOGUES } from '../databases/write-split.ts';
import { synthesizeDialogues } from '../generator/dialogues/synthesize-dialogues.ts';
import { generate } from '../generator/generate.ts';
import { synthesizeSplit } from '../generator/synthesize/synthesize.ts';

/** Dialogues of a domain, of more that are drawn, since some are not proven. */
const WANTED = 40;
const DRAWN = 52;

/** `npx tsx scripts/draw-dialogues.ts [<domain> …]`: draws dialogues, proves their turns, and keeps those proven in REST. */
const named = process.argv.slice(2);
const unknown = named.find((name) => !DOMAIN_NAMES.some((domain) => domain === name));
if (unknown !== undefined) throw new Error(`${unknown} is no bundled domain`);
for (const domain of DOMAIN_NAMES.filter((name) => named.length === 0 || named.includes(name)))
  await drawDialogues(domain);

async function drawDialogues(domain: DomainName): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-draw-dialogues-'));
  try {
    const split = await buildBundledSplit({ to: join(folder, 'split'), only: [domain], handWritten: true });
    const [out, farm] = [join(folder, 'drawn'), join(folder, 'farm')];
    const options = { referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 5_000 };
    const dialogues = { count: DRAWN, make: synthesizeDialogues };
    await synthesizeSplit(split, { ...options, out, questions: 0, dialogues, seed: '7', like: 'bird' });
    await generate(out, { ...options, out: farm, jobs: 1 });
    const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
    const lost = new Set(
      verdicts
        .filter(({ kept, formulation }) => formulation === 'rest' && !kept)
        .map(({ question_id }) => String(question_id).replace(/\.\d+$/, '')),
    );
    const drawn = readFileSync(join(out, 'questions.jsonl'), 'utf8').trim().split('\n');
    const kept = drawn
      .map((line) => JSON.parse(line) as Question)
      .filter(({ question_id }) => !lost.has(String(question_id)))
      .slice(0, WANTED);
    const first = 1 + 100 * DOMAIN_NAMES.indexOf(domain);
    const lines = kept.map((each, i) =>
      JSON.stringify({ ...each, question_id: `d${first + i}`, canary: CANARY }),
    );
    writeFileSync(join(packageRoot, 'databases', domain, DIALOGUES), `${lines.join('\n')}\n`);
    process.stdout.write(`${domain}: ${kept.length} of ${drawn.length} drawn are kept\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
