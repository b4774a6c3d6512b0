import { mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** `npm run test:all`: also containers, published splits, `npm start`, and random inputs in greater number. */
const all = mergeConfig(config, {
  test: {
    testTimeout: 900_000,
    hookTimeout: 900_000,
    env: { ROOKERY_TEST_TIMES: process.env.ROOKERY_TEST_TIMES ?? '3' },
  },
});
// Merged lists only grow.
all.test.exclude = ['**/node_modules/**', '**/dist/**', '.tmp/**'];
process.env.ROOKERY_TESTS = 'all';

export default all;
