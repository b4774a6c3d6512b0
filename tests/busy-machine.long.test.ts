import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { generate } from '../generator/generate.ts';
import { initSplit } from '../generator/init-split.ts';
import { temporaryFolder } from './support/split-fixture.ts';

/** Of processor time. By the clock, three times as long would stop a statement while its process stands still. */
const TIMEOUT_MS = 1_000;
const STANDS_STILL_MS = 3_500;
const RUNS_MS = 700;

/** All files of a farm with its eval set, in bytes. */
async function farm(split: string): Promise<Map<string, string>> {
  const out = join(temporaryFolder(), 'farm');
  const referenceTime = DEFAULT_REFERENCE_TIME;
  await generate(split, {
    out,
    name: 'same',
    referenceTime,
    timeoutMs: TIMEOUT_MS,
    hidden: [{ share: 50, seed: 0 }],
  });
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    files
      .filter((file) => statSync(join(out, file)).isFile())
      .map((file) => [file, readFileSync(join(out, file), 'latin1')]),
  );
}

/** The processes that this one has started, those of its threads too. */
function children(): number[] {
  return readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

it.runIf(process.platform === 'linux')('a busy machine gives the same bytes as a quiet one', async () => {
  const split = temporaryFolder();
  await initSplit(split);
  const quiet = await farm(split);

  const others = children();
  const burners = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const left = new Set([...others, ...burners.map(({ pid }) => pid)]);
  const signal = (pids: readonly number[], name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
    }
  };
  let isOver = false;
  const hindering = (async () => {
    while (!isOver) {
      const working = children().filter((pid) => !left.has(pid));
      signal(working, 'SIGSTOP');
      await setTimeout(STANDS_STILL_MS);
      signal(working, 'SIGCONT');
      await setTimeout(RUNS_MS);
    }
  })();
  try {
    expect(await farm(split)).toEqual(quiet);
  } finally {
    isOver = true;
    await hindering;
    for (const burner of burners) burner.kill('SIGKILL');
  }
  expect(quiet.size).toBeGreaterThan(10);
});
