import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { farmOf } from './support/farms.ts';

/** Runs a command whose output nobody reads. */
async function unread(args: readonly string[]): Promise<{ code: number | null; errors: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(packageRoot, 'cli/main.ts'), ...args], {
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors };
}

test.each([['coverage', '--json'], ['coverage']])(
  '`rookery %s %s` whose reader has gone away ends quietly',
  async (command, ...flags) => {
    const farm = await farmOf('bundled');
    expect(await unread([command, farm, ...flags])).toEqual({ code: 0, errors: '' });
  },
);

test('`rookery --help` whose reader has gone away ends quietly', async () => {
  expect(await unread(['--help'])).toEqual({ code: 0, errors: '' });
});
