import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { coverage } from '../contracts/farm.ts';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { generate } from '../generator/generate.ts';
import { synthesizeSplit } from '../generator/synthesize/synthesize.ts';
import { builtCommand } from './support/built-package.ts';
import { everyThirdDomain, hasSplit, splitFolder, TESTED_FARMS, withSplit } from './support/farms.ts';
import { temporaryFolder } from './support/split-fixture.ts';
import { startCommand } from './support/start-command.ts';

for (const name of TESTED_FARMS) {
  it.skipIf(!hasSplit(name))(
    withSplit(name, `nearly all questions made for the databases of ${name} are kept`),
    async () => {
      const folder = temporaryFolder();
      const [split, farm] = [join(folder, 'split'), join(folder, 'farm')];
      const referenceTime = DEFAULT_REFERENCE_TIME;
      await synthesizeSplit(await splitFolder(name), {
        out: split,
        questions: 6,
        ...(name === 'bundled' ? {} : { only: everyThirdDomain(name) }),
        seed: '11',
        like: 'coverage',
        referenceTime,
        timeoutMs: 5_000,
      });
      await generate(split, { out: farm, referenceTime, timeoutMs: 30_000, jobs: 1 });
      const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
      const kept = verdicts.filter((verdict) => verdict.kept).length;
      expect(kept / verdicts.length).toBeGreaterThanOrEqual(0.95);
    },
  );
}

// rookery start clinics.sqlite
it('one command makes questions for a database file, and serves them', async () => {
  const folder = temporaryFolder();
  copyFileSync(join(await splitFolder('bundled'), 'vet_clinics.sqlite'), join(folder, 'clinics.sqlite'));
  const { address, stop } = await startCommand(
    await builtCommand(),
    ['start', 'clinics.sqlite', '--port', '0', '--jobs', '1'],
    folder,
  );
  onTestFinished(async () => void (await stop()));
  // It listens at once; its domain is served as soon as it is proven.
  const endpoints = async () => {
    const index = await (await fetch(address, { headers: { accept: 'application/json' } })).json();
    return (index as { totals?: { endpoints: number } }).totals?.endpoints ?? 0;
  };
  await expect.poll(endpoints, { timeout: 600_000, interval: 500 }).toBeGreaterThan(100);
  expect(existsSync(join(folder, 'clinics-split', 'questions.jsonl'))).toBe(true);
});
