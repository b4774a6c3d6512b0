import { availableParallelism } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { compiledChildren } from './tests/support/compiled-children.ts';
import { SlowFilesFirst } from './tests/support/slow-files-first.ts';

const NOT_HERE = ['**/node_modules/**', '**/dist/**', '.tmp/**'];

/** How tests are run: `leftOut` are globs of files, `limit` is the most milliseconds that a test or a hook may take. */
export function testsBut(
  leftOut: readonly string[],
  { limit, env = {} }: { readonly limit: number; readonly env?: Record<string, string> },
): ViteUserConfig {
  return defineConfig({
    plugins: [compiledChildren()],
    test: {
      include: ['**/*.test.ts'],
      exclude: [...NOT_HERE, ...leftOut],
      env,
      // Generous: machines are busy. No test waits for a clock.
      testTimeout: limit,
      hookTimeout: Math.max(limit, 600_000),
      expect: { poll: { timeout: 120_000 } },
      globalSetup: './tests/support/global-setup.ts',
      reporters: ['default', './tests/support/summary-reporter.ts'],
      pool: 'forks',
      // Files share a process, so that what they import is loaded once.
      isolate: false,
      // One more than cores: many tests wait for processes that they started.
      maxWorkers: availableParallelism() + 1,
      sequence: { sequencer: SlowFilesFirst },
    },
  });
}

/** `npm test`: what a change needs to be tested with. `*.long.test.ts` are left to `npm run test:all`. */
export default testsBut(['**/*.long.test.ts'], { limit: 240_000 });
