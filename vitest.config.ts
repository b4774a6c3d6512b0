import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { compiledChildren } from './tests/support/compiled-children.ts';
import { SlowFilesFirst } from './tests/support/slow-files-first.ts';

const NOT_HERE = ['**/node_modules/**', '**/dist/**', '.tmp/**'];
const SLOW = '**/*.slow.test.ts';
const LONG = '**/*.long.test.ts';

/**
 * Which files are left out, and the most milliseconds that a test or a hook may take. `npm test` leaves
 * out slow files; `landing` (`.ci/run`) has them too; `all` (`.ci/nightly`) also containers, published splits and
 * `npm start`, and more random inputs. One file: `npx vitest run --mode all tests/start.long.test.ts`.
 */
const MODES = {
  test: { leftOut: [SLOW, LONG], limit: 600_000 },
  landing: { leftOut: [LONG], limit: 600_000 },
  all: { leftOut: [], limit: 900_000 },
};

export default defineConfig(({ mode }) => {
  const { leftOut, limit } = MODES[mode as keyof typeof MODES] ?? MODES.test;
  process.env.ROOKERY_TESTS = mode;
  return {
    plugins: [compiledChildren()],
    test: {
      include: ['**/*.test.ts'],
      exclude: [...NOT_HERE, ...leftOut],
      env: mode === 'all' ? { ROOKERY_TEST_TIMES: process.env.ROOKERY_TEST_TIMES ?? '2' } : {},
      // Generous: machines are busy. No test waits for a clock.
      testTimeout: limit,
      hookTimeout: limit,
      expect: { poll: { timeout: 120_000 } },
      globalSetup: './tests/support/global-setup.ts',
      setupFiles: './services/base/sqlite/better-sqlite3.ts',
      reporters: ['default', './tests/support/summary-reporter.ts'],
      pool: 'forks',
      // Files share a process, so that what they import is loaded once.
      isolate: false,
      // One more than cores: many tests wait for processes that they started.
      maxWorkers: availableParallelism() + 1,
      sequence: { sequencer: SlowFilesFirst },
    },
  };
});
