import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { oneAtATime } from './cache.ts';
import { temporaryFolder } from './split-fixture.ts';

test('one at a time works on a path, and once a process is killed, one of those that wait', async () => {
  const path = join(temporaryFolder(), 'work');
  writeFileSync(`${path}.lock`, '');
  const script = `
    import { oneAtATime } from ${JSON.stringify(import.meta.resolve('./cache.ts'))};
    await oneAtATime(${JSON.stringify(path)}, async () => {
      console.log('working');
      await new Promise(() => setTimeout(() => {}, 1e6));
    });`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const events: string[] = [];
  const waiting = ['a', 'b'].map((name) =>
    oneAtATime(path, async () => {
      events.push(`${name} begins`);
      await setTimeout(150);
      events.push(`${name} ends`);
    }),
  );
  await setTimeout(150);
  events.push('killed');
  child.kill('SIGKILL');
  await Promise.all(waiting);
  const inOrder = [
    ['a', 'b'],
    ['b', 'a'],
  ].map((names) => ['killed', ...names.flatMap((name) => [`${name} begins`, `${name} ends`])]);
  expect(inOrder).toContainEqual(events);
});
