import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { builtCommand } from './support/built-package.ts';
import { farmOf } from './support/farms.ts';

/** Runs a command whose output nobody reads. */
async function unread(args: readonly string[]): Promise<{ code: number | null; errors: string }> {
  const child = spawn(process.execPath, [await builtCommand(), ...args], {
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

test.each(['coverage --json', 'coverage'])(
  '`rookery %s` whose reader has gone away ends quietly',
  async (asked) => {
    const [command = '', ...flags] = asked.split(' ');
    const farm = await farmOf('bundled');
    expect(await unread([command, farm, ...flags])).toEqual({ code: 0, errors: '' });
  },
);

test('`rookery --help` whose reader has gone away ends quietly', async () => {
  expect(await unread(['--help'])).toEqual({ code: 0, errors: '' });
});
