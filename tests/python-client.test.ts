import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../contracts/package-root.ts';
import { HARNESS_KEY, openSmallFarm } from '../services/testing/small-farm.ts';

const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

test.skipIf(PYTHON === undefined)('the client for Python, against a served farm', async () => {
  const small = await openSmallFarm();
  try {
    const { stderr } = await promisify(execFile)(PYTHON as string, ['-m', 'unittest', 'test_client'], {
      cwd: join(packageRoot, 'integrations', 'python'),
      env: {
        ...process.env,
        PYTHONDONTWRITEBYTECODE: '1',
        ROOKERY_URL: await small.app.listen({ port: 0 }),
        ROOKERY_HARNESS_KEY: HARNESS_KEY,
        no_proxy: '*',
      },
    });
    expect(stderr).toMatch(/^Ran [1-9]\d* tests/m);
    expect(stderr).not.toContain('skipped');
  } finally {
    await small.close();
  }
});
