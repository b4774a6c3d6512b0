import { defineConfig } from 'vitest/config';

/** The tests beside what is mutated, and the answers by which the judge is calibrated. */
export default defineConfig({
  test: {
    include: ['{contracts,sql,eval}/**/*.test.ts', 'tests/answers/*.test.ts'],
    exclude: ['**/*.{slow,long}.test.ts'],
    testTimeout: 240_000,
  },
});
