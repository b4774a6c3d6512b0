import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { starterFarm } from '../../tests/support/farms.ts';
import { scratchFolder } from '../../tests/support/split-fixture.ts';
import { createProgram } from '../program.ts';

const folder = scratchFolder();

let farm: string;
beforeAll(async () => {
  farm = await starterFarm();
});

async function sdk(...flags: readonly string[]): Promise<string> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const args = ['sdk', farm, ...flags];
  try {
    await (await createProgram(args)).parseAsync(args, { from: 'user' });
    return written.mock.calls.join('');
  } finally {
    written.mockRestore();
  }
}

test('writes a module for each domain and an index, and replaces an older SDK only', async () => {
  const out = join(folder, 'out');
  expect(await sdk('--out', out)).toContain('of 1 domain written');
  expect(readdirSync(out).sort()).toEqual(['library.ts', 'sdk-index.txt']);
  await sdk('--lang', 'py', '--only', 'library', '--out', out);
  expect(readdirSync(out).sort()).toEqual(['library.py', 'sdk-index.txt']);
  expect(readFileSync(join(out, 'sdk-index.txt'), 'utf8')).toContain('result.filter_data(key_name');
});

test('leaves other files alone, and names the domains that there are', async () => {
  const taken = join(folder, 'taken');
  mkdirSync(taken);
  writeFileSync(join(taken, 'own.ts'), '');
  await expect(sdk('--out', taken)).rejects.toThrow('is not an SDK');
  expect(readdirSync(taken)).toEqual(['own.ts']);
  await expect(sdk('--only', 'librari', '--out', join(folder, 'none'))).rejects.toThrow(
    'did you mean library?',
  );
  expect(readdirSync(folder)).not.toContain('none');
});
