import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Coverage, coverage } from '../contracts/farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { DEFAULT_REFERENCE_TIME, type Question } from '../contracts/split.ts';
import { CANARY, DOMAIN_NAMES, type DomainName } from '../databases/domains.ts';
import { generate } from '../generator/generate.ts';
import { synthesizeSplit } from '../generator/synthesize/synthesize.ts';

type DrawOptions = Partial<Parameters<typeof synthesizeSplit>[1]>;

interface Draw {
  /** The file in the folder of a domain. */
  readonly file: string;
  /** Prepares a split in a scratch folder to draw from; returns its folder. */
  split(domain: DomainName, scratch: string): Promise<string>;
  readonly options: DrawOptions;
  /** Adds to the drawn split what its proof needs. */
  complete?(split: string, drawn: string): void;
  /** Those of the drawn questions that are kept. */
  keep(drawn: readonly Question[], verdicts: Coverage['verdicts']): readonly Question[];
  idOf(domain: number, at: number): string | number;
}

/** Draws questions for bundled domains, those named in the command or all, and keeps the proven ones. */
export async function drawDomains(draw: Draw): Promise<void> {
  const named = process.argv.slice(2);
  const unknown = named.find((name) => !DOMAIN_NAMES.some((domain) => domain === name));
  if (unknown !== undefined) throw new Error(`${unknown} is no bundled domain`);
  for (const domain of DOMAIN_NAMES.filter((name) => named.length === 0 || named.includes(name))) {
    const folder = mkdtempSync(join(tmpdir(), 'rookery-draw-'));
    try {
      await drawDomain(draw, domain, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function drawDomain(draw: Draw, domain: DomainName, folder: string): Promise<void> {
  const split = await draw.split(domain, folder);
  const [out, farm] = [join(folder, 'drawn'), join(folder, 'farm')];
  const options = { referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 5_000 };
  await synthesizeSplit(split, { ...options, out, questions: 0, seed: '7', like: 'bird', ...draw.options });
  draw.complete?.(split, out);
  await generate(out, { ...options, out: farm, jobs: 1 });
  const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
  const drawn = linesOf(join(out, 'questions.jsonl')).map((line) => JSON.parse(line) as Question);
  const kept = draw.keep(drawn, verdicts);
  const lines = kept.map((each, at) =>
    JSON.stringify({ ...each, question_id: draw.idOf(DOMAIN_NAMES.indexOf(domain), at), canary: CANARY }),
  );
  writeFileSync(join(packageRoot, 'databases', domain, draw.file), `${lines.join('\n')}\n`);
  process.stdout.write(`${domain}: ${kept.length} of ${drawn.length} drawn are kept\n`);
}

export function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
