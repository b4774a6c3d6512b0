import { defineConfig } from 'vitest/config';

/** The tests beside what is mutated. */
export default defineConfig({
  test: {
    include: ['{contracts,sql,eval}/**/*.test.ts'],
    exclude: ['**/*.{slow,long}.test.ts'],
    testTimeout: 240_000,
  },
});
