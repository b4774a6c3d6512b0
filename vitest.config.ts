import { defineConfig } from 'vitest/config';
import { SlowFilesFirst } from './tests/support/slow-files-first.ts';

/** `npm test`: what a change needs to be tested with. `*.long.test.ts` are left to `npm run test:all`. */
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '.tmp/**', '**/*.long.test.ts'],
    globalSetup: './tests/support/global-setup.ts',
    reporters: ['default', './tests/support/summary-reporter.ts'],
    // Generous: machines are busy. No test waits for a clock.
    testTimeout: 240_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: SlowFilesFirst },
  },
});
